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


def make_dialogue(draw: Draw) -> tuple[dict[str, str], list[str], str]:
    """Draws a conversation; returns its names and slots, its lines, and the template of its summary."""
    slots, parts, summary = draw.pick(DEALS)
    first, second = draw.sample(FIRST_NAMES, 2)
    record = {"a": first, "b": second}
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
    return record, lines, summary


def dialogue_summary(draw: Draw) -> dict:
    record, lines, summary = make_dialogue(draw)
    slots = {name: value for name, value in record.items() if re.search(r"\{(?:a_)?" + name + r"\}", summary)}
    return row(
        "dialogue_summary",
        summary_form(draw, draw.wording(BANK.dialogue_asks), "\n".join(lines)),
        fill(summary, record),
        slots=slots,
    )


def dialogue_question(draw: Draw) -> dict:
    for _ in range(50):
        record, lines, _ = make_dialogue(draw)
        text = "\n".join(lines)
        slots = [slot for slot in record if slot in BANK.dialogue_questions and record[slot] in text]
        slots = [slot for slot in slots if not (slot == "day" and "other" in record)]
        if slots:
            slot = draw.pick(slots)
            return row(
                "reading_question",
                request(draw, text, fill(draw.pick(BANK.dialogue_questions[slot]), record)),
                record[slot],
                answers=[record[slot]],
            )
    raise SystemExit("No dialogue gives a question.")
