"""Records, the texts about them, and questions with one answer."""

import re

from ..draw import Draw
from ..words import a
from .kinds import KINDS


def make_record(draw: Draw, kind: str) -> dict:
    slots = KINDS[kind].slots
    record: dict = {}
    for name, maker in slots.items():
        for _ in range(20):
            value = maker(draw)
            if value not in record.values():
                break
        record[name] = value
    return record


def fill(template: str, record: dict) -> str:
    """Fills {slot}; {a_slot} gets an article, {Slot} and {slot_} a capital letter."""

    def value(match):
        name = match[1]
        if name.startswith("a_"):
            text = a(record[name[2:].rstrip("_")])
            return text[0].upper() + text[1:] if name.endswith("_") else text
        if name.endswith("_") or name[0].isupper():
            text = record[name.rstrip("_").lower()]
            return text[0].upper() + text[1:]
        return record[name]

    text = re.sub(r"\{(\w+)\}", value, template)
    return re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", text)


def write_text(draw: Draw, kind: str, record: dict) -> str:
    sentences = [fill(draw.wording(variants), record) for variants in KINDS[kind].sentences]
    if len(sentences) > 2 and draw.chance(0.15):
        sentences.pop()
    text = " ".join(sentences)
    return text[0].upper() + text[1:]


def text_of_records(draw: Draw, kind: str | None = None, most: int = 3) -> tuple[str, list[dict[str, str]], str]:
    """Draws up to `most` records of one kind, each with another key; returns the kind, the records and their text."""
    kind = kind or draw.pick(list(KINDS))
    key = KINDS[kind].key
    records = [make_record(draw, kind)]
    for _ in range(draw.rng.choices(range(most), [5, 3, 1][:most])[0]):
        other = make_record(draw, kind)
        if all(other[key] != record[key] for record in records):
            records.append(other)
    texts = [write_text(draw, kind, record) for record in records]
    return kind, records, draw.pick([" ", " ", "\n", "\n\n"]).join(texts)


def clear_question(draw: Draw, kind: str, records: list[dict], text: str) -> tuple[str, str, str] | None:
    """Draws a question with exactly one answer. Returns question, answer and slot, or None if the draw fails."""
    key, questions = KINDS[kind].key, KINDS[kind].questions
    record, slot = draw.pick(records), draw.pick(list(questions))
    template, answer = draw.wording(questions[slot]), record[slot]
    if answer not in text:
        return None
    if slot == key or "{" + key + "}" not in template:
        named = re.findall(r"\{(?:a_)?(\w+)\}", template)
        for other in records:
            if other is not record and (not named or all(other[n] == record[n] for n in named)):
                return None
        if not named and len(records) > 1:
            return None
    if any(record[n] not in text for n in re.findall(r"\{(?:a_)?(\w+)\}", template)):
        return None
    return fill(template, record), answer, slot


def question_and_text(draw: Draw, most: int = 3) -> tuple[str, str, str]:
    """Returns a text, a question about it, and the answer, which is in the text word for word."""
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=most)
        found = clear_question(draw, kind, records, text)
        if found:
            return text, found[0], found[1]
    raise SystemExit("No kind of text gives a question.")
