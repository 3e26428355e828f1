"""Classification with a set of labels of its own in every record. No command of its own.

The options always stand in the prompt, in any order; sometimes they are a part of the record's, have other names with their meaning beside them,
letters or numbers. So a label can only be found by reading the options.
"""
import json

from ..draw import Draw
from .frames import assistant, careless, place, system, user, with_helpful_system

GENERIC = ["Classify the text.", "Which label fits?", "Choose the right label.", "Label this text.", "Pick the best option.", "Which category does it belong to?", "Assign a category.",
           "Sort this into one of the categories.", "What is the right label?", "Classify the following message.", "Decide which one applies.", "Categorise this.", "Which one is it?",
           "Select one label for the text.", "Which of these describes it best?", "Tag this text."]
BEFORE_OPTIONS = ["Labels: {}", "Options: {}", "Choose from: {}", "One of: {}", "Categories: {}", "Possible answers: {}", "Answer with one of: {}", "Pick one: {}", "Choices: {}", "({})",
                  "Allowed labels: {}", "It must be one of {}.", "Answer: {}?", "Reply with {}.", "Use one of these labels: {}.", "The labels are {}."]
ENDS = ["", "", "", "", "Answer with the label only.", "Only the label.", "One label, nothing else.", "Reply with just the label.", "No explanation.", "Just the answer."]
LETTER_ENDS = ["Answer with the letter.", "Reply with the letter only.", "Which letter?", "Give the letter."]
NUMBER_ENDS = ["Answer with the number.", "Reply with the number only.", "Which number?", "Give the number."]
JSON_KEYS = ["label", "label", "label", "category", "class", "answer", "result", "type", "intent", "sentiment", "tag", "choice"]
JSON_ASKS = ['Answer as JSON: {{"{key}": ...}}', 'Reply in JSON with the key "{key}".', 'Return JSON: {{"{key}": "..."}}', 'Output a JSON object with one field, "{key}".', 'JSON only, key: {key}.',
             'Give the answer as {{"{key}": "<{key}>"}}.', "Respond with JSON ({key})."]
NEW_NAMES = ["alpha", "beta", "gamma", "delta", "red", "blue", "green", "yellow", "north", "south", "east", "west", "X", "Y", "Z", "K1", "K2", "K3", "K4", "foo", "bar", "baz", "apple", "pear", "plum", "lemon",
             "cat", "dog", "owl", "fox", "one", "two", "three", "four", "class 1", "class 2", "class 3", "group A", "group B", "group C", "tag-1", "tag-2", "tag-3", "oak", "elm", "ash", "iron", "gold", "tin"]
INLINE_ASKS = ["Label this {noun} as {options}: {text}", "Classify this {noun} as {options}: {text}", "Is this {noun} {options}? {text}", "Is it {options}: {text}", "{options}? {text}", "{text} - {options}?",
               "Mark the {noun} as {options}. {text}", "{text}\n\nIs that {options}?", "Say if this is {options}: {text}", "Tag as {options}: {text}", "Sort this {noun} into {options}: {text}"]
NOUNS = ["text", "text", "message", "message", "sentence", "comment", "note", "line", "statement", "remark", "review", "mail", "request", "ticket"]
SENTIMENT_ASKS = ["Classify the sentiment: {}", "What is the sentiment of this text? {}", "Sentiment: {}", "Is this positive or negative? {}", "Classify the sentiment of this review: {}", "How does the writer feel? {}",
                  "Sentiment analysis: {}", "{}\n\nWhat is the sentiment?", "Positive or negative? {}", "Tell me the sentiment of: {}", "Determine the sentiment.\n\n{}", "{}\nSentiment?", "What's the tone of this? {}",
                  "is the following positive, negative or neutral: {}", "Rate the sentiment of this message: {}", "Analyse the sentiment of this sentence: {}"]
SENTIMENTS = {"positive": ["pos", "positive", "good", "happy", "liked", "thumbs up", "satisfied", "favourable", "love", "praise"],
              "negative": ["neg", "negative", "bad", "unhappy", "disliked", "thumbs down", "dissatisfied", "unfavourable", "hate", "complaint"], "neutral": ["neutral"], "mixed": ["mix", "mixed"]}
SENTIMENT_OF = {name: sentiment for sentiment, names in SENTIMENTS.items() for name in names}
EXAMPLE_FRAMES = [("Text: {}\nLabel: {}", "\n\n"), ("{} -> {}", "\n"), ("{} => {}", "\n"), ("Input: {}\nOutput: {}", "\n\n"), ('"{}" is {}', "\n"), ("Message: {}\nAnswer: {}", "\n\n"), ("{} | {}", "\n")]
TEXTS_MOST = 6


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    if draw.chance(0.03):
        return with_helpful_system(draw, sentiment(draw, draw.pick(handwritten.deal(draw, "labels", about_sentiment)["items"])))
    record = handwritten.deal(draw, "labels")
    items = draw.sample(record["items"], len(record["items"]))
    labels = record["labels"]
    if len(labels) > 2 and draw.chance(0.35):
        kept = {items[0]["label"], *draw.sample(labels, draw.number(1, len(labels) - 1))}
        if len(kept) > 1:
            labels = [label for label in labels if label in kept]
    items = [item for item in items if item["label"] in labels]
    labels = draw.sample(labels, len(labels))
    if draw.chance(0.1):
        return with_helpful_system(draw, inline(draw, labels, items[0]))
    asked = items[:1 if draw.chance(0.2) else draw.number(2, TEXTS_MOST)]
    return with_helpful_system(draw, session(draw, record["instruction"], labels, record["hints"], asked, items[len(asked):]))


def about_sentiment(record: dict) -> bool:
    """Whether all labels are names of a sentiment, so that none needs to be named in the request."""
    return all(label.lower() in SENTIMENT_OF for label in record["labels"])


def sentiment(draw: Draw, item: dict) -> list[dict]:
    return [user(careless(draw, draw.pick(SENTIMENT_ASKS).replace("{}", item["text"]), 0.05)), assistant(SENTIMENT_OF[item["label"].lower()])]


def inline(draw: Draw, labels: list[str], item: dict) -> list[dict]:
    """The request in one sentence, as people type it."""
    options = ", ".join(labels[:-1]) + draw.pick([" or ", " or ", ", or "]) + labels[-1]
    return [user(draw.pick(INLINE_ASKS).replace("{noun}", draw.pick(NOUNS)).replace("{options}", options).replace("{text}", item["text"])), assistant(item["label"])]


def session(draw: Draw, instruction: str, labels: list[str], hints: dict, asked: list[dict], examples: list[dict]) -> list[dict]:
    """One conversation that asks for the labels of `asked`, with some of `examples` shown before where there are any."""
    style = draw.rng.choices(["plain", "letters", "numbers", "renamed", "case"], [60, 10, 6, 12, 12])[0]
    shown, answers = labels, {label: label for label in labels}
    if style == "case":
        change = draw.pick([str.lower, str.upper, str.title, lambda l: l.replace(" ", "_").lower(), lambda l: l.replace(" ", "-"), str.capitalize])
        shown = [change(label) for label in labels]
        if len(set(shown)) < len(shown):
            shown = labels
        answers = dict(zip(labels, shown))
    meanings = {label: hints.get(label, "") for label in labels} if all(label in hints for label in labels) else {}
    if style == "renamed":
        shown = draw.sample(NEW_NAMES, len(labels))
        answers = dict(zip(labels, shown))
        meanings = {label: f"{label}" if label not in meanings or draw.chance(0.5) else meanings[label] for label in labels}
    elif meanings and draw.chance(0.35):
        meanings = {}
    options, end = listed(draw, labels, shown, meanings, style)
    if style in ("letters", "numbers"):
        marks = "ABCDEFGH" if style == "letters" else "12345678"
        if draw.chance(0.6):
            answers = {label: marks[i] for i, label in enumerate(labels)}
            end = draw.pick(LETTER_ENDS if style == "letters" else NUMBER_ENDS)
    ask = draw.pick(GENERIC) if draw.chance(0.25) else instruction
    if ask[-1] not in ".:?!":
        ask += draw.pick([".", ":", "", "."])
    wrap = lambda answer: answer
    if draw.chance(0.14):
        key, mark = draw.pick(JSON_KEYS), draw.pick([(", ", ": "), (", ", ": "), (",", ":")])
        end = draw.pick(JSON_ASKS).format(key=key)
        wrap = lambda answer: json.dumps({key: answer}, ensure_ascii=False, separators=mark)
    lead = draw.pick(["{ask}\n{options}", "{ask} {options}", "{ask}\n\n{options}", "{options}\n{ask}"] if "\n" in options else ["{ask}\n{options}", "{ask} {options}", "{ask} {options}", "{options}\n{ask}"])
    lead = lead.replace("{ask}", careless(draw, ask, 0.1)).replace("{options}", options)
    lead = (lead + draw.pick([" ", "\n"]) + end).strip()
    shots = draw.sample(examples, min(len(examples), draw.pick([0, 0, 1, 2, 3])))
    if shots and draw.chance(0.6):
        frame, gap = draw.pick(EXAMPLE_FRAMES)
        pairs = [frame.replace("{}", one["text"].replace("{}", ""), 1).replace("{}", wrap(answers[one["label"]])) for one in shots]
        ending = frame.replace("{}", "\0", 1).split("{}")[0].rstrip()
        lead += "\n\n" + gap.join(pairs)
        say = lambda text: ending.replace("\0", text)
        messages = []
        for i, item in enumerate(asked):
            messages += [user((lead + gap if i == 0 else "") + say(item["text"])), assistant(wrap(answers[item["label"]]))]
        return messages
    turns = shots + asked
    if len(turns) > 1 or draw.chance(0.25):
        if draw.chance(0.5):
            messages = [system(lead)]
            for item in turns:
                messages += [user(item["text"]), assistant(wrap(answers[item["label"]]))]
            return messages
    messages = []
    for i, item in enumerate(turns):
        messages += [user(place(draw, lead, item["text"]) if i == 0 else item["text"]), assistant(wrap(answers[item["label"]]))]
    return messages


def listed(draw: Draw, labels: list[str], shown: list[str], meanings: dict, style: str) -> tuple[str, str]:
    """The options as a part of the request, and a sentence that ends it."""
    end = draw.pick(ENDS)
    between = draw.pick([": ", ": ", " - ", " = "])
    told = [f"{name}{between}{meanings[label]}" if meanings else name for label, name in zip(labels, shown)]
    if style in ("letters", "numbers"):
        mark = draw.pick(["{}) {}", "{}. {}", "({}) {}", "{}: {}"])
        told = [mark.format(("ABCDEFGH" if style == "letters" else "12345678")[i], option) for i, option in enumerate(told)]
        return draw.pick(["\n", "\n", "  ", "; "]).join(told), end
    if meanings:
        return draw.pick(["", "Labels:", "Options:"]) + draw.pick(["\n", "\n- ", "\n"]).join(["", *told]), end
    if draw.chance(0.2):
        mark = draw.pick(["\n- ", "\n- ", "\n* ", "\n"])
        return (draw.pick(["", "Options:", "Labels:", "Choose one:"]) + "".join(mark + option for option in told)).strip("\n"), end
    quote = draw.pick(["{}", "{}", "{}", "{}", '"{}"', "'{}'", "[{}]"])
    told = [quote.format(option) for option in told]
    joined = draw.pick([", ".join(told), ", ".join(told), ", ".join(told[:-1]) + draw.pick([" or ", ", or ", " and "]) + told[-1], " / ".join(told), " | ".join(told), "; ".join(told)])
    return draw.pick(BEFORE_OPTIONS).replace("{}", joined), end
