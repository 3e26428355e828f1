"""Questions on hand-written messages and informative prose, and what can be said of them in short. No command of its own.

An answer to a question is an exact piece of the text, or "The text does not say."
"""
from ..draw import Draw
from .frames import assistant, careless, place, user, with_helpful_system

NOT_SAID = "The text does not say."
READ = ["Answer the question from the text.", "Use the text to answer.", "Answer briefly from the text below.", "Read the text and answer.", "Answer with words from the text.", "Short answer, please.",
        "Find the answer in the text.", "Answer using only the text. If it does not say, say so.", "Use only the passage.", "Read this and answer the question."]
QUESTION_FRAMES = ["{}", "{}", "{}", "Question: {}", "Q: {}", "{} Answer from the text.", "Based on the text: {}", "{} (short answer)", "From the text: {}"]
NEXT_FRAMES = ["{}", "{}", "{}", "And: {}", "Next question: {}", "Thanks. {}", "ok, {}", "Question: {}"]
TITLE_ASKS = ["Give this a title.", "Write a title for the text.", "Suggest a headline.", "Title?", "What would be a good title?", "Find a headline for this.", "Write a short headline for this text.",
              "I need a subject line for this.", "Headline, please.", "Make up a title for it."]
SUMMARY_ASKS = ["Summarise this in one sentence.", "Summarize the text in one sentence.", "Sum it up.", "TL;DR", "Give a short summary.", "What is this about?", "Summarize this:", "Summarise the text.",
                "In one sentence, what does it say?", "Give me the gist.", "Please sum up this text in a sentence.", "Short summary please", "What's the main point?", "Shorten this to one sentence.",
                "Write a one-sentence summary."]
BULLET_ASKS = ["List the main points.", "Give the key points as bullets.", "Bullet points, please.", "Put the main facts into a short list.", "Summarise this in bullet points.", "What are the key points?",
               "Make a list of the important points.", "Key facts as a list"]
KEYWORD_ASKS = ["Give keywords for the text.", "List the keywords.", "Which keywords describe this text?", "Keywords?", "Extract the key terms, separated by commas.", "Tag this text with a few keywords."]
SIMPLE_ASKS = ["Explain this in simple words.", "Say it more simply.", "Rewrite this for a child.", "Put this in easy words.", "Explain it simply.", "Simplify the text.", "Make it easier to read."]
REPLY_ASKS = ["Write a short reply.", "Draft a reply to this.", "Answer this message for me.", "What could I write back?", "Reply to it politely.", "Write an answer to this message."]
TRUE_ASKS = ["True or false: {}", "Is this true? {}", "According to the text, true or false? {}", "True or false, by the text: {}", "{} True or false?", "Statement: {}\nTrue or false?"]
YES_ASKS = ["Does the text say this? {} Yes or no.", "Is it right that: {} Answer yes or no.", "Yes or no: {}"]
KIND_ASKS = ["What kind of text is this?", "What type of text is it?", "Which kind of message is this?", "Classify the kind of text."]
QUESTIONS_MOST = 8


def questions(draw: Draw, handwritten, variations) -> list[dict]:
    record = variations.of(draw, handwritten.deal(draw, draw.pick(["messages", "prose"])))
    asked = [(one["q"], one["a"]) for one in record["qa"]]
    if draw.chance(0.55):
        asked.append((record["unanswerable"], NOT_SAID))
    if draw.chance(0.12):
        other = handwritten.deal(draw, draw.pick(["messages", "prose"]))
        asked.append((draw.pick(other["qa"])["q"], NOT_SAID))
    if "true_statement" in record and draw.chance(0.3):
        words = draw.pick([(TRUE_ASKS, "True", "False"), (YES_ASKS, "Yes", "No")])
        asked += [(draw.pick(words[0]).format(record["true_statement"]), words[1]), (draw.pick(words[0]).format(record["false_statement"]), words[2])]
    draw.rng.shuffle(asked)
    asked = asked[:1 if draw.chance(0.2) else draw.number(3, QUESTIONS_MOST)]
    first = draw.pick(QUESTION_FRAMES).format(careless(draw, asked[0][0]))
    if draw.chance(0.3):
        first = draw.pick(["{read}\n\n{ask}", "{read} {ask}", "{ask}\n{read}"]).replace("{read}", draw.pick(READ)).replace("{ask}", first)
    messages = [user(place(draw, first, record["text"])), assistant(asked[0][1])]
    for question, answer in asked[1:]:
        messages += [user(draw.pick(NEXT_FRAMES).format(careless(draw, question))), assistant(answer)]
    return with_helpful_system(draw, messages)


def summaries(draw: Draw, handwritten, variations) -> list[dict]:
    """Title, summary, points, keywords, simple words, a reply: one or two of them on one text."""
    record = handwritten.deal(draw, draw.pick(["messages", "prose"]))
    mark = draw.pick(["- ", "- ", "* ", "• "])
    can = [(TITLE_ASKS, record["title"], 3), (SUMMARY_ASKS, record["summary"], 5)]
    if record.get("bullets"):
        can.append((BULLET_ASKS, "\n".join(mark + point for point in record["bullets"]), 3))
    if record.get("keywords"):
        can += [(KEYWORD_ASKS, ", ".join(record["keywords"]), 2), (SIMPLE_ASKS, record["simple"], 3)]
    if record.get("reply"):
        can.append((REPLY_ASKS, record["reply"], 3))
    if record.get("kind"):
        can.append((KIND_ASKS, record["kind"], 1))
    messages, used = [], set()
    for turn in range(draw.pick([1, 2, 2, 3, 4])):
        asks, answer, _ = draw.rng.choices(can, [weight for _, _, weight in can])[0]
        if answer in used:
            continue
        used.add(answer)
        ask = careless(draw, draw.pick(asks))
        messages += [user(place(draw, ask, record["text"]) if not messages else ask), assistant(answer)]
    return with_helpful_system(draw, messages)
