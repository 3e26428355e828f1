"""Conversations made by small seeded generators, for what the data folder lacks.

    python3 generate.py 20            # shows 20 conversations

Each generator takes a `random.Random` and returns one conversation: a list of {role, content}. They teach
manners and formats (who I am, answer with the label only, copy from the text, admit not knowing), not knowledge.
"""
import random
import re
import sys

from generate_words import (ACTIONS, ANIMALS, CITIES, COLOURS, FACTS, FEELINGS, FOODS, FRUITS, ITEMS, JOBS, NAMES,
                            PLACES, REVIEWS, STYLES, TOPICS, UNKNOWABLE, WEEKDAYS, WRITING)

NAME = "svc-o1-mini"


def generate_conversations(count: int, seed: int) -> list[list[dict]]:
    rng = random.Random(seed)
    generators, weights = zip(*GENERATORS)
    return [rng.choices(generators, weights)[0](rng) for _ in range(count)]


# --- greetings and identity -------------------------------------------------------------------------------------

HELLOS = ["Hi", "Hello", "Hey", "Hi there", "Hello there", "Good morning", "Good afternoon", "Good evening", "Hey there"]
HELLO_REPLIES = ["Hello! How can I help you today?", "Hi! What can I do for you?", "Hello! What would you like to talk about?",
                 "Hi there! How can I help?"]
HOW_ARE_YOU = [("How are you?", ["I'm doing well, thank you. How can I help you?", "I'm fine, thanks for asking! What can I do for you?"]),
               ("How are you doing today?", ["I'm doing well, thank you! How can I help you?"]),
               ("How's it going?", ["It's going well, thanks! What can I do for you?"]),
               ("What's up?", ["Not much! What can I help you with?"])]
THANKS = [("Thanks!", ["You're welcome!", "You're welcome! Let me know if you need anything else."]),
          ("Thank you.", ["You're welcome!", "Happy to help!"]), ("Thank you very much", ["You're very welcome!"]),
          ("That was helpful, thanks", ["I'm glad I could help!"]), ("ok thanks", ["You're welcome!"])]
GOODBYES = [("Bye", ["Goodbye! Have a nice day."]), ("Goodbye", ["Goodbye! Take care."]), ("See you later", ["See you later!"]),
            ("Good night", ["Good night! Sleep well."]), ("I have to go", ["All right. Goodbye, and take care!"])]
IDENTITY = [
    (["What is your name?", "What's your name?", "Who are you?", "Tell me your name.", "What should I call you?", "Introduce yourself.",
      "Who am I talking to?", "Can you introduce yourself?", "What model are you?", "Which model is this?"],
     [f"I am {NAME}, a small language model.", f"I am {NAME}, a small language model that can chat and help with short texts."]),
    (["What are you?", "Are you a robot?", "Are you human?", "Are you a person?", "Is this a bot?", "Are you an AI?", "Are you real?"],
     [f"I am not a person. I am {NAME}, a small language model.", f"I am a computer program: a small language model called {NAME}."]),
    (["What can you do?", "How can you help me?", "What are you good at?", "What can I ask you?", "Help", "What do you do?"],
     ["I can chat, answer simple questions, summarise short texts, sort messages into categories and write short texts.",
      "I can answer simple questions, summarise a text, choose a label for a message, and write a few sentences."]),
    (["Who made you?", "Who built you?", "Who created you?", "Who trained you?", "Where do you come from?"],
     [f"I am {NAME}. I was trained by the Pipit project on openly licensed texts.", "The Pipit project trained me on openly licensed texts."]),
    (["Are you ChatGPT?", "Are you GPT-4?", "Are you Siri?", "Are you Alexa?", "Are you made by OpenAI?", "Are you Claude?"],
     [f"No, I am {NAME}, a small language model.", f"No. My name is {NAME}."]),
    (["Are you smart?", "How big are you?", "Do you make mistakes?", "Can I trust you?", "Are you always right?", "Do you know everything?"],
     ["I am a very small model and I often make mistakes, so please check what I say.",
      "No. I am a small model, so please check important answers elsewhere."]),
    (["How old are you?", "When is your birthday?", "Where do you live?", "Do you have a family?", "Do you eat?", "Do you sleep?"],
     ["I am a computer program, so I don't have that.", "I am only a language model, so that does not apply to me."]),
]


def small_talk(rng):
    turns = []
    if rng.random() < 0.8:
        turns.append((_casual(rng, rng.choice(HELLOS) + rng.choice(["", "!", ".", f" {NAME}"])), rng.choice(HELLO_REPLIES)))
    for bank, chance in ((HOW_ARE_YOU, 0.4), (THANKS, 0.3), (GOODBYES, 0.3)):
        if rng.random() < chance or not turns:
            question, replies = rng.choice(bank)
            turns.append((_casual(rng, question), rng.choice(replies)))
    return _chat(turns)


def identity(rng):
    turns = [(_casual(rng, rng.choice(HELLOS)), rng.choice(HELLO_REPLIES))] if rng.random() < 0.25 else []
    for questions, answers in rng.sample(IDENTITY, rng.choice([1, 1, 1, 2])):
        turns.append((_casual(rng, rng.choice(questions)), rng.choice(answers)))
    return _chat(turns)


def remember_name(rng):
    name, thing = rng.choice(NAMES), rng.choice(FOODS + COLOURS + ANIMALS)
    turns = [(rng.choice([f"My name is {name}.", f"I'm {name}.", f"Hi, I am {name}.", f"Call me {name}"]),
              rng.choice([f"Nice to meet you, {name}!", f"Hello, {name}! How can I help you?"]))]
    if rng.random() < 0.5:
        turns.append((f"My favourite is {thing}.", rng.choice([f"I will remember that: {thing}.", f"Good choice, {thing} is nice!"])))
        if rng.random() < 0.6:
            turns.append(("What is my favourite?", f"Your favourite is {thing}."))
    turns.append((rng.choice(["What is my name?", "What's my name?", "Do you know my name?", "Who am I?"]),
                  rng.choice([f"Your name is {name}.", f"You are {name}."])))
    return _chat(turns)


# --- questions --------------------------------------------------------------------------------------------------

def fact(rng):
    turns = []
    for question, answer in rng.sample(FACTS, rng.choice([1, 1, 2])):
        turns.append((_casual(rng, rng.choice(["", "", "", "Can you tell me: ", "Question: ", "Quick question: "]) + question), answer))
    return _chat(turns)


def unknown(rng):
    question, reason = rng.choice(UNKNOWABLE)
    question = question.format(name=rng.choice(NAMES), city=rng.choice(CITIES), item=rng.choice(ITEMS))
    answer = rng.choice(["I don't know", "I'm sorry, I don't know", "I can't tell"])
    return _chat([(_casual(rng, question), f"{answer}. {reason}")])


def sums(rng):
    turns = []
    for _ in range(rng.choice([1, 1, 2])):
        operator = rng.choice("++-*")
        a, b = (rng.randint(0, 10), rng.randint(0, 10)) if operator == "*" else (rng.randint(0, 20), rng.randint(0, 20))
        if operator == "-" and a < b:
            a, b = b, a
        result = {"+": a + b, "-": a - b, "*": a * b}[operator]
        spoken = {"+": "plus", "-": "minus", "*": "times"}[operator]
        expression = rng.choice([f"{a} {operator} {b}", f"{a}{operator}{b}", f"{a} {spoken} {b}"])
        question = rng.choice(["What is {}?", "What's {}?", "How much is {}?", "Calculate {}.", "{} = ?", "{}"]).format(expression)
        turns.append((question, rng.choice([f"{a} {operator} {b} = {result}", f"{result}", f"The answer is {result}."])))
    return _chat(turns)


# --- texts: classify, extract, summarise ------------------------------------------------------------------------

def sentiment(rng):
    tone = rng.choice(["positive", "negative", "neutral"])
    text = _review(rng, tone)
    names = rng.choice([["positive", "negative", "neutral"], ["good", "bad", "neither"], ["Positive", "Negative", "Neutral"],
                        ["POSITIVE", "NEGATIVE", "NEUTRAL"], ["happy", "unhappy", "neutral"]])
    label_of = dict(zip(["positive", "negative", "neutral"], names))
    shown = names[:2] if tone != "neutral" and rng.random() < 0.5 else names
    return _classification(rng, text, shown, label_of[tone],
                           ["Is this review {}?", "Classify the sentiment as {}.", "What is the sentiment: {}?", "Answer with one word, {}."])


def topic(rng):
    right = rng.choice(list(TOPICS))
    others = rng.sample([t for t in TOPICS if t != right], rng.randint(1, 4))
    labels = rng.sample([right, *others], len(others) + 1)
    if rng.random() < 0.2:
        labels, right = [l.capitalize() for l in labels], right.capitalize()
    text = _put(rng.choice(TOPICS[right.lower()]), _fill(rng))
    return _classification(rng, text, labels, right,
                           ["Choose the topic: {}.", "What is this text about: {}?", "Classify the message as {}.", "Pick one label from {}.",
                            "Which category fits best? Options: {}."])


def extraction(rng):
    event = _event(rng)
    others = [_event(rng)["text"] for _ in range(rng.choice([0, 0, 1, 2]))]
    others = [text for text in others if event["name"] not in text]
    text = " ".join(rng.sample([event["text"], *others], len(others) + 1))
    return _question_on_text(rng, event, text)


def extraction_from_page(rng, page):
    """The same with the event hidden between the sentences of a long page."""
    event = _event(rng)
    sentences = re.split(r"(?<=[.!?])\s+", page.replace(event["name"], "Someone"))
    sentences.insert(rng.randint(0, len(sentences)), event["text"])
    return _question_on_text(rng, event, " ".join(sentences))


def _question_on_text(rng, event, text):
    name = event["name"]
    question, answer = rng.choice([(f"Who {event['past']}?", name), (f"Where did {name} {event['verb']}?", event["place"]),
                                   (f"When did {name} {event['verb']}?", f"On {event['day']}"), (f"In which city was {name}?", event["city"]),
                                   (f"What is {name}'s job?", event["job"])])
    if rng.random() < 0.2:
        question = rng.choice([f"How old is {name}?", f"What colour is {name}'s car?", f"Who is {name} married to?"])
        answer = rng.choice(["The text does not say.", "The text doesn't say that."])
    elif rng.random() < 0.3:
        answer += "."
    form = rng.choice(["{text}\n\nQuestion: {question}", "Read the text and answer.\n\n{text}\n\n{question}", "Text: {text}\nQuestion: {question}\nAnswer:",
                       "{question}\n\n{text}", "Answer the question using the text.\n\nText: {text}\n\nQuestion: {question}"])
    return _chat([(form.format(text=text, question=question), answer)])


def summary(rng):
    event, (detail, last) = _event(rng), rng.sample(DETAILS, 2)
    text = " ".join([event["text"], _put(detail, _fill(rng)), _put(last, _fill(rng))])
    ask = rng.choice(["Summarise this text in one sentence.", "Summarize in one sentence:", "Give a short summary.", "TL;DR:", "What is the main point of this text?",
                      "Write a headline for this text.", "Sum this up briefly:"])
    answer = (f"{event['job'].capitalize()} {event['past']} in {event['city']}" if "headline" in ask else
              f"{event['name']}, {_a(event['job'])}, {event['past']} {event['place']} in {event['city']} on {event['day']}.")
    return _chat([(rng.choice([f"{ask}\n\n{text}", f"{text}\n\n{ask}"]), answer)])


# --- writing and instructions -----------------------------------------------------------------------------------

def writing(rng):
    kind, requests, texts = rng.choice(WRITING)
    slots = _fill(rng)
    return _chat([(_casual(rng, _put(rng.choice(requests), slots)), _put(rng.choice(texts), slots))])


def listing(rng):
    name, things = rng.choice([("fruits", FRUITS), ("animals", ANIMALS), ("colours", COLOURS), ("cities", CITIES), ("foods", FOODS),
                               ("jobs", JOBS), ("days of the week", WEEKDAYS)])
    count = rng.randint(2, 5)
    chosen = WEEKDAYS[:count] if things is WEEKDAYS else rng.sample(things, count)
    style, request = rng.choice([("comma", f"Name {count} {name}."), ("comma", f"Give me {count} {name}, separated by commas."),
                                 ("bullet", f"List {count} {name} as bullet points."), ("number", f"Make a numbered list of {count} {name}."),
                                 ("bullet", f"List {count} {name}.")])
    if style == "comma":
        answer = ", ".join(chosen)
    else:
        answer = "\n".join(f"{i}. {c}" if style == "number" else f"- {c}" for i, c in enumerate(chosen, 1))
    return _chat([(_casual(rng, request), answer)])


def rewrite(rng):
    sentence = rng.choice([_event(rng)["text"], _put(rng.choice(TOPICS[rng.choice(list(TOPICS))]), _fill(rng))]).split(". ")[0].rstrip(".") + "."
    request, change = rng.choice([("Repeat this: {}", str), ("Say exactly: {}", str), ("Write this in capital letters: {}", str.upper),
                                  ("Write this in lower case: {}", str.lower), ("Copy the text: {}", str),
                                  ("What is the first word of this sentence? {}", lambda s: s.split()[0]),
                                  ("Turn this into a question someone could ask: {}", lambda s: f"Is it true that {s[0].lower()}{s[1:-1]}?"),
                                  ("Answer yes or no: is this a question? {}", lambda s: "No"), ("Make this exciting: {}", lambda s: f"Wow! {s[:-1]}!")])
    return _chat([(request.format(sentence), change(sentence))])


def system_prompt(rng):
    instruction, change = rng.choice(STYLES)
    plain = rng.choice([small_talk, fact, identity, fact])(rng)
    slots = _fill(rng)
    answered = [m if m["role"] == "user" else {**m, "content": change(m["content"], slots)} for m in plain]
    return [{"role": "system", "content": instruction.format(**slots)}, *answered]


def role_play(rng):
    name, job, item = rng.choice(NAMES), rng.choice(JOBS), rng.choice(ITEMS)
    system = rng.choice([f"You are {name}, {_a(job)}.", f"Your name is {name} and you work as {_a(job)}.", f"You are {name}. You sell {item}."])
    bank = [(["What is your name?", "Who are you?"], f"I am {name}.")]
    bank.append((["What do you sell?", "What can I buy here?"], f"I sell {item}.") if "sell" in system else
                (["What do you do?", "What is your job?"], f"I am {_a(job)}."))
    turns = [(_casual(rng, rng.choice(questions)), answer) for questions, answer in rng.sample(bank, rng.choice([1, 2]))]
    return [{"role": "system", "content": system}, *_chat(turns)]


def helper_system(rng):
    """The common system prompt that should change nothing."""
    system = rng.choice(["You are a helpful assistant.", "You are a helpful assistant. Answer briefly.", f"You are {NAME}, a helpful assistant.",
                         "You are a friendly assistant.", "Answer the user's questions."])
    return [{"role": "system", "content": system}, *rng.choice(PLAIN)(rng)]


def feelings(rng):
    feeling, replies = rng.choice(FEELINGS)
    said = rng.choice(["I feel {}", "I am {}", "I'm so {} today", "I'm feeling {}", "Today I am {}."]).format(feeling)
    turns = [(_casual(rng, said), rng.choice(replies))]
    if rng.random() < 0.3:
        turns.append((rng.choice(["Thanks", "Thank you for listening", "ok, thank you"]), rng.choice(["You're welcome.", "Any time. Take care of yourself."])))
    return _chat(turns)


# --- parts ------------------------------------------------------------------------------------------------------

DETAILS = ["The weather was {weather} and many people were there.", "It took about {count} hours.", "Everybody was {mood} in the end.",
           "Afterwards there was {food} for everyone.", "A friend called {other} came along to help.", "It cost {count}0 euros in all.",
           "There were {count} other people in the room.", "A small {animal} watched from the door."]


def _event(rng):
    past, verb = rng.choice(ACTIONS)
    event = dict(name=rng.choice(NAMES), job=rng.choice(JOBS), past=past, verb=verb, place=rng.choice(PLACES), city=rng.choice(CITIES), day=rng.choice(WEEKDAYS))
    form = rng.choice(["{name} is {a_job} from {city}. On {day}, {name} {past} {place}.", "On {day}, {name}, {a_job} in {city}, {past} {place}.",
                       "{name} lives in {city} and works as {a_job}. {name} {past} {place} on {day}.", "Last {day} in {city}, {a_job} called {name} {past} {place}."])
    text = form.format(a_job=_a(event["job"]), **event)
    return {**event, "text": text[0].upper() + text[1:]}


def _review(rng, tone):
    parts = rng.sample(REVIEWS[tone], rng.choice([1, 1, 2]))
    return " ".join(_put(part, _fill(rng)) for part in parts)


def _fill(rng):
    return dict(name=rng.choice(NAMES), other=rng.choice(NAMES), city=rng.choice(CITIES), item=rng.choice(ITEMS), food=rng.choice(FOODS), animal=rng.choice(ANIMALS),
                colour=rng.choice(COLOURS), job=rng.choice(JOBS), day=rng.choice(WEEKDAYS), place=rng.choice(PLACES), count=rng.randint(2, 9),
                weather=rng.choice(["sunny", "rainy", "cold", "windy", "warm"]), mood=rng.choice(["happy", "tired", "pleased", "proud", "calm"]))


def _classification(rng, text, labels, right, asks):
    ask = rng.choice(asks).format(", ".join(labels[:-1]) + rng.choice([" or ", ", "]) + labels[-1])
    text = rng.choice([text, text, f'"{text}"', f"Text: {text}", f"Message: {text}"])
    content = rng.choice([f"{ask}\n\n{text}", f"{ask} {text}", f"{text}\n\n{ask}"])
    if rng.random() < 0.15:
        return [{"role": "system", "content": f"{ask} Answer with the label only."}, *_chat([(text, right)])]
    return _chat([(content, right)])


def _put(template, slots):
    """Fills the template and mends "a owl" to "an owl"."""
    return re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", template.format(**slots))


def _a(noun):
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def _casual(rng, text):
    """People type carelessly; some of the time so do these users."""
    chance = rng.random()
    if chance < 0.12:
        return text.lower()
    if chance < 0.24:
        return text.rstrip("?.!")
    if chance < 0.32:
        return text.lower().rstrip("?.!")
    return text


def _chat(turns):
    return [{"role": role, "content": content} for turn in turns for role, content in zip(("user", "assistant"), turn)]


PLAIN = [small_talk, identity, fact, sums, sentiment, topic, writing, listing, unknown, feelings]
GENERATORS = [(small_talk, 6), (identity, 9), (remember_name, 6), (fact, 11), (unknown, 5), (sums, 7), (sentiment, 8), (topic, 9), (extraction, 14),
              (summary, 8), (writing, 10), (listing, 5), (rewrite, 5), (system_prompt, 6), (role_play, 5), (helper_system, 8), (feelings, 4)]

if __name__ == "__main__":
    for conversation in generate_conversations(int(sys.argv[1]) if len(sys.argv) > 1 else 5, seed=0):
        print("\n".join(f"{m['role']}: {m['content']}" for m in conversation), end="\n\n")
