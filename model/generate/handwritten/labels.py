"""Classification, with a different set of labels in each record.

Except in some requests for a sentiment, the prompt names the options, in any order. Sometimes they are only some of the
record's labels, or are renamed, lettered or numbered, so the answer can only be found by reading the options.
"""

import json
import re

from ..banks import load_bank
from ..draw import Draw
from .frames import assistant, careless, place, system, user, with_helpful_system

BANK = load_bank("handwritten/labels")
GENERIC = BANK.generic

SENTIMENT_OF = {name: sentiment for sentiment, names in BANK.sentiments.items() for name in names}
BARE_LABELS = set(BANK.bare_labels)
RULE = re.compile(r"\d|\brules?\b", re.I)
SENTIMENT_CHANCE = 0.06  # The request then names no options.
ABOUT_FORM = re.compile(
    r"\b(?:capital|case|punctuat\w*|spell\w*|typ(?:o|ed|ing)\w*|grammar|letters?|words?|long|length|count|questions?|sentences?"
    r"|style|tone|formal|polite\w*|shout\w*|rud\w*|tense|language)\b",
    re.I,
)
NEVER_LEFT_OUT = re.compile(r"\d|n['’]t\b|^(?:no|not|never|nothing|nobody|none|without|hardly|too|but)\b", re.I)
WORN_LEAST_WORDS = 7
MARKS = "ABCDEFGH"  # Limits the number of labels, as a list may mark them with letters.
TEXTS_MOST = 6
CASES = [
    str.lower,
    str.upper,
    str.title,
    lambda label: label.replace(" ", "_").lower(),
    lambda label: label.replace(" ", "-"),
    str.capitalize,
]


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    if draw.chance(SENTIMENT_CHANCE):
        return with_helpful_system(
            draw, sentiment(draw, draw.pick(handwritten.deal(draw, "labels", about_sentiment)["items"]))
        )
    record = handwritten.deal(draw, "labels")
    items = draw.sample(record["items"], len(record["items"]))
    labels = record["labels"]
    if len(labels) > 2 and draw.chance(0.35):
        kept = {items[0]["label"], *draw.sample(labels, draw.number(1, len(labels) - 1))}
        if len(kept) > 1:
            labels = [label for label in labels if label in kept]
    items = [item for item in items if item["label"] in labels]
    if not RULE.search(record["instruction"] + " ".join(record["hints"].values())) and draw.chance(0.2):
        labels = labels + distractors(draw, handwritten, record, labels)
    if not about_form(record):
        items = [{**item, "text": worn(draw, item["text"])} for item in items]
    labels = draw.sample(labels, len(labels))
    if not needs_instruction(record) and draw.chance(0.05):
        return with_helpful_system(draw, inline(draw, labels, items[0]))
    asked = items[: 1 if draw.chance(0.5) else draw.number(2, TEXTS_MOST)]
    return with_helpful_system(
        draw, session(draw, record["instruction"], labels, record["hints"], asked, items[len(asked) :])
    )


def about_sentiment(record: dict) -> bool:
    """Returns whether all labels are sentiments, so that the request need not name them."""
    return all(label.lower() in SENTIMENT_OF for label in record["labels"])


def needs_instruction(record: dict) -> bool:
    """Returns whether the labels alone do not say what is asked, as with yes and no, or with a rule."""
    return bool(RULE.search(record["instruction"])) or any(label.lower() in BARE_LABELS for label in record["labels"])


def about_form(record: dict) -> bool:
    """Returns whether the label may depend on the case, the punctuation or a single word of the text."""
    return bool(RULE.search(record["instruction"]) or ABOUT_FORM.search(record["instruction"]))


def worn(draw: Draw, text: str) -> str:
    """Sometimes leaves words or punctuation out of a longer text, or changes its case, against learning by heart."""
    if len(text.split()) < WORN_LEAST_WORDS:
        return text
    gaps = draw.pick([0, 0, 0.1, 0.2])
    text = " ".join(word for word in text.split() if NEVER_LEFT_OUT.search(word) or not draw.chance(gaps)) or text
    if draw.chance(0.15):
        text = re.sub(r"(?<!\d)[.,;:!](?!\d)", "", text)
    if draw.chance(0.15):
        text = text.upper() if draw.chance(0.2) else text.lower()
    return text


def distractors(draw: Draw, handwritten, record: dict, labels: list[str]) -> list[str]:
    """Returns one to three labels of another set, which fit no text of this one."""
    other = draw.pick(handwritten.by_kind["labels"])
    known = {label.lower() for label in record["labels"]}
    if needs_instruction(other) or (about_sentiment(record) and about_sentiment(other)):
        return []
    new = [label for label in other["labels"] if label.lower() not in known]
    return draw.sample(new, min(len(new), draw.number(1, 3), max(0, len(MARKS) - len(labels))))


def sentiment(draw: Draw, item: dict) -> list[dict]:
    return [
        user(careless(draw, draw.pick(BANK.sentiment_asks).replace("{}", item["text"]), 0.05)),
        assistant(SENTIMENT_OF[item["label"].lower()]),
    ]


def inline(draw: Draw, labels: list[str], item: dict) -> list[dict]:
    """Makes a request in one sentence, as people type it."""
    options = ", ".join(labels[:-1]) + draw.pick([" or ", " or ", ", or "]) + labels[-1]
    return [
        user(
            draw.pick(BANK.inline_asks)
            .replace("{noun}", draw.pick(BANK.nouns))
            .replace("{options}", options)
            .replace("{text}", item["text"])
        ),
        assistant(item["label"]),
    ]


def session(
    draw: Draw, instruction: str, labels: list[str], hints: dict, asked: list[dict], examples: list[dict]
) -> list[dict]:
    """Makes a conversation that asks for the labels of `asked`, sometimes after some labelled `examples`."""
    style = draw.rng.choices(["plain", "letters", "numbers", "renamed", "case"], [60, 10, 6, 12, 12])[0]
    shown, answers, meanings = renamed(draw, labels, hints, style)
    lead, answers = request(draw, instruction, labels, shown, answers, meanings, style)
    shots = draw.sample(examples, min(len(examples), draw.pick([0, 0, 1, 2, 3])))
    if shots and draw.chance(0.6):
        return after_examples(draw, lead, shots, asked, answers)
    return turn_by_turn(draw, lead, shots + asked, answers)


def renamed(draw: Draw, labels: list[str], hints: dict, style: str) -> tuple[list[str], dict, dict]:
    """Returns the labels as the request shows them, each label's answer, and each label's meaning (or {})."""
    shown, answers = labels, {label: label for label in labels}
    if style == "case":
        change = draw.pick(CASES)
        shown = [change(label) for label in labels]
        if len(set(shown)) < len(shown):
            shown = labels
        answers = dict(zip(labels, shown))
    meanings = {label: hints.get(label, "") for label in labels} if all(label in hints for label in labels) else {}
    if style == "renamed":
        shown = draw.sample(BANK.new_names, len(labels))
        answers = dict(zip(labels, shown))
        meanings = {
            label: f"{label}" if label not in meanings or draw.chance(0.5) else meanings[label] for label in labels
        }
    elif meanings and draw.chance(0.35):
        meanings = {}
    return shown, answers, meanings


def request(
    draw: Draw, instruction: str, labels: list[str], shown: list[str], answers: dict, meanings: dict, style: str
) -> tuple[str, dict]:
    """Returns the request with its options, and the text of the answer for each label."""
    options, end = listed(draw, labels, shown, meanings, style)
    if style in ("letters", "numbers"):
        marks = "ABCDEFGH" if style == "letters" else "12345678"
        if draw.chance(0.6):
            answers = {label: marks[i] for i, label in enumerate(labels)}
            end = draw.pick(BANK.letter_ends if style == "letters" else BANK.number_ends)
    ask = f"{draw.pick(GENERIC)} {instruction}" if draw.chance(0.25) else instruction
    if ask[-1] not in ".:?!":
        ask += draw.pick([".", ":", "", "."])
    if draw.chance(0.14):
        key, mark = draw.pick(BANK.json_keys), draw.pick([(", ", ": "), (", ", ": "), (",", ":")])
        end = draw.pick(BANK.json_asks).format(key=key)
        answers = {
            label: json.dumps({key: answer}, ensure_ascii=False, separators=mark) for label, answer in answers.items()
        }
    lead = draw.pick(
        ["{ask}\n{options}", "{ask} {options}", "{ask}\n\n{options}", "{options}\n{ask}"]
        if "\n" in options
        else ["{ask}\n{options}", "{ask} {options}", "{ask} {options}", "{options}\n{ask}"]
    )
    lead = lead.replace("{ask}", careless(draw, ask, 0.1)).replace("{options}", options)
    return (lead + draw.pick([" ", "\n"]) + end).strip(), answers


def after_examples(draw: Draw, lead: str, shots: list[dict], asked: list[dict], answers: dict) -> list[dict]:
    """Shows the examples in the request, and asks for the other texts in the same form."""
    frame, gap = draw.pick(BANK.example_frames)
    pairs = [
        frame.replace("{}", one["text"].replace("{}", ""), 1).replace("{}", answers[one["label"]]) for one in shots
    ]
    ending = frame.replace("{}", "\0", 1).split("{}")[0].rstrip()
    lead += "\n\n" + gap.join(pairs)
    messages = []
    for i, item in enumerate(asked):
        messages += [
            user((lead + gap if i == 0 else "") + ending.replace("\0", item["text"])),
            assistant(answers[item["label"]]),
        ]
    return messages


def turn_by_turn(draw: Draw, lead: str, turns: list[dict], answers: dict) -> list[dict]:
    """Asks for one text in each turn. The request is the system message, or a part of the first turn."""
    is_system = (len(turns) > 1 or draw.chance(0.25)) and draw.chance(0.5)
    messages = [system(lead)] if is_system else []
    for i, item in enumerate(turns):
        text = place(draw, lead, item["text"]) if i == 0 and not is_system else item["text"]
        messages += [user(text), assistant(answers[item["label"]])]
    return messages


def listed(draw: Draw, labels: list[str], shown: list[str], meanings: dict, style: str) -> tuple[str, str]:
    """Returns the options as a part of the request, and a sentence that ends the request."""
    end = draw.pick(BANK.ends)
    between = draw.pick([": ", ": ", " - ", " = "])
    parts = [f"{name}{between}{meanings[label]}" if meanings else name for label, name in zip(labels, shown)]
    if style in ("letters", "numbers"):
        mark = draw.pick(["{}) {}", "{}. {}", "({}) {}", "{}: {}"])
        parts = [
            mark.format(("ABCDEFGH" if style == "letters" else "12345678")[i], option) for i, option in enumerate(parts)
        ]
        return draw.pick(["\n", "\n", "  ", "; "]).join(parts), end
    if meanings:
        return draw.pick(["", "Labels:", "Options:"]) + draw.pick(["\n", "\n- ", "\n"]).join(["", *parts]), end
    if draw.chance(0.2):
        mark = draw.pick(["\n- ", "\n- ", "\n* ", "\n"])
        return (
            draw.pick(["", "Options:", "Labels:", "Choose one:"]) + "".join(mark + option for option in parts)
        ).strip("\n"), end
    quote = draw.pick(["{}", "{}", "{}", "{}", '"{}"', "'{}'", "[{}]"])
    parts = [quote.format(option) for option in parts]
    joined = draw.pick(
        [
            ", ".join(parts),
            ", ".join(parts),
            ", ".join(parts[:-1]) + draw.pick([" or ", ", or ", " and "]) + parts[-1],
            " / ".join(parts),
            " | ".join(parts),
            "; ".join(parts),
        ]
    )
    return draw.pick(BANK.before_options).replace("{}", joined), end
