"""Several questions about one text in one conversation."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import Record
from .questions import ask, question_for
from .requests import ask_on, careless
from .texts import write_text

BANK = load_bank("reading/chats")


def follow_up(question: str, record: Record) -> str:
    """Replaces the record's name in the question by a pronoun, after an auxiliary verb and in the genitive."""
    for name in (record.values["name"], record.values["first"]):
        question = re.sub(
            rf"\b(did|does|is|was|will|has|can|should|must) {name}(?!['\w])", rf"\1 {record.values['he']}", question
        )
        question = re.sub(rf"\b{name}'s\b", record.values["his"], question)
    return question


def reading_chat(draw: Draw) -> dict:
    """Asks two to four questions about one text, which is in the system message or in the first turn."""
    turns: list[str] = []
    while len(turns) < 4:
        turns = []
        records, text = write_text(draw)
        if len(text) > 900:
            continue
        in_system, before, asked = draw.chance(0.3), None, set()
        for _ in range(draw.number(2, 4)):
            record = before if before and draw.chance(0.6) else draw.pick(records)
            open_slots = [slot for slot in record.kind.questions if slot in record.mentioned]
            open_slots = [slot for slot in open_slots if (id(record), slot) not in asked]
            if not open_slots:
                continue
            slot = draw.pick(open_slots)
            template = question_for(draw, record, slot, len(records) == 1)
            if not template:
                continue
            asked.add((id(record), slot))
            question = ask(draw, record, template)
            if record is before and "name" in record.values and slot != "name" and draw.chance(0.6):
                question = follow_up(question, record)
            if turns:
                start = draw.wording(BANK.chat_starts)
                if start.endswith(("nd ", "so, ", "Also, ")) and not question.startswith(record.key):
                    question = question[0].lower() + question[1:]
                question = careless(draw, start + question)
            turns += [question if turns or in_system else ask_on(draw, text, question), record.values[slot]]
            before = record
    system = draw.wording(BANK.text_systems).format(text=text) if in_system else None
    return row("reading_chat", *turns, system=system, answers=[turns[-1]], text=text)
