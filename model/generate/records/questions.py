"""Questions about a text."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import KINDS
from .requests import careless, request
from .texts import clear_question, fill, make_record, question_and_text, text_of_records

BANK = load_bank("records/questions")
NOT_SAID = "The text does not say."
# Pairs (word, slot): a question with this word asks for this slot.
ASKED_SLOTS = [("phone", "phone"), ("e-mail", "email"), ("colour", "colour"), ("weather", "weather")]


def question(draw: Draw) -> dict:
    text, asked, answer = question_and_text(draw)
    return row("reading_question", request(draw, text, careless(draw, asked)), answer, answers=[answer], text=text)


def not_said(draw: Draw) -> dict:
    """Asks for something that the text does not say."""
    for _ in range(200):
        kind, records, text = text_of_records(draw, most=2)
        asked, record = draw.wording(BANK.absent), draw.pick(records)
        if any(name not in record or record[name] not in text for name in re.findall(r"\{(\w+)\}", asked)):
            continue
        slots = KINDS[kind].slots
        if any(word in asked and slot in slots for word, slot in ASKED_SLOTS):
            continue
        return row("reading_question", request(draw, text, fill(asked, record)), NOT_SAID, answers=[NOT_SAID])
    raise SystemExit("No kind of text leaves anything unsaid.")


def yes_no(draw: Draw) -> dict:
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=2)
        record, sentences = draw.pick(records), KINDS[kind].summaries
        values = dict(record)
        true = draw.chance(0.5)
        summary = draw.pick(sentences)
        named = re.findall(r"\{(?:a_)?(\w+?)_?\}", summary)
        named = [n.lower() for n in named if n.lower() in record]
        if any(record[n] not in text for n in named):
            continue
        if not true:
            changed = draw.pick(named)
            other = make_record(draw, kind)[changed]
            if other == record[changed] or other in text:
                continue
            values[changed] = other
        statement = fill(summary, values).rstrip(".")
        asked = draw.wording(BANK.statements).format(statement)
        answer = "Yes" if true else "No"
        return row("reading_yes_no", request(draw, text, asked), answer, answers=[answer])
    raise SystemExit("No kind of text gives a statement.")


def chat_on_text(draw: Draw) -> dict:
    """Asks several questions about one text, one per turn."""
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=2)
        turns, seen = [], set()
        for _ in range(12):
            found = clear_question(draw, kind, records, text)
            if found and found[2] not in seen and len(turns) < 8:
                seen.add(found[2])
                turns += [careless(draw, found[0]), found[1]]
        if len(turns) < 4:
            continue
        turns = turns[: 2 * draw.number(2, 4)]
        if draw.chance(0.4):
            return row("reading_chat", *turns, system=draw.wording(BANK.systems).format(text))
        turns[0] = request(draw, text, turns[0])
        return row("reading_chat", *turns)
    raise SystemExit("No kind of text gives several questions.")
