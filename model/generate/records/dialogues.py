"""Conversations of two people who agree on something."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from ..words import FIRST_NAMES
from .kinds import makers_of
from .requests import request
from .summaries import summary_form
from .texts import fill

BANK = load_bank("records/dialogues")
DEALS = [(makers_of(deal.slots), deal.parts, deal.summary) for deal in BANK.deals]


def make_dialogue(draw: Draw):
    """names and slots, the spoken lines, and the summary template."""
    slots, parts, told = draw.pick(DEALS)
    record: dict = {}
    record["a"], record["b"] = draw.sample(FIRST_NAMES, 2)
    for name, maker in slots.items():
        record[name] = maker(draw)
        for _ in range(20):
            if list(record.values()).count(record[name]) == 1:
                break
            record[name] = maker(draw)
    pairs = [draw.pick(BANK.greets)] if draw.chance(0.7) else []
    pairs += draw.sample(BANK.chatter, draw.pick([0, 0, 1, 1, 2]))
    for part in parts:
        pairs.append(draw.wording(part))
        if draw.chance(0.12):
            pairs.append(draw.pick(BANK.chatter))
    if draw.chance(0.7):
        pairs.append(draw.pick(BANK.ends))
    lines = [f"{record[who]}: {fill(said, record)}" for pair in pairs for who, said in zip("ab", pair)]
    return record, lines, told


def dialogue_summary(draw: Draw) -> dict:
    record, lines, told = make_dialogue(draw)
    slots = {name: value for name, value in record.items() if re.search(r"\{(?:a_)?" + name + r"\}", told)}
    return row(
        "dialogue_summary",
        summary_form(draw, draw.wording(BANK.dialogue_asks), "\n".join(lines)),
        fill(told, record),
        slots=slots,
    )


def dialogue_question(draw: Draw) -> dict:
    for _ in range(50):
        record, lines, _ = make_dialogue(draw)
        text = "\n".join(lines)
        slots = [
            s
            for s in record
            if s in BANK.dialogue_questions and record[s] in text and not (s == "day" and "other" in record)
        ]
        if slots:
            slot = draw.pick(slots)
            return row(
                "reading_question",
                request(draw, text, fill(draw.pick(BANK.dialogue_questions[slot]), record)),
                record[slot],
                answers=[record[slot]],
            )
    raise SystemExit("No dialogue gives a question.")
