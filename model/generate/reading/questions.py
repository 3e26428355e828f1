"""Questions about a text, with and without an answer in it."""

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import WORDS_OF_NAME, Record, fill, make_record, slots_in
from .requests import ask_on, some_system
from .texts import write_text
from .values import Maker

BANK = load_bank("reading/questions")
NOT_SAID = "The text does not say."
# Slots of the same group can be mistaken for each other.
GROUPS = [
    {"place", "city", "street", "spot", "place2", "room"},
    {"date", "day", "time", "year", "month", "since", "deadline"},
    {"price", "money", "rent"},
    {"phone", "code"},
]
PREPOSITIONS = {"day": "on", "day2": "on", "date": "on", "date_y": "on", "time": "at", "city": "in", "city2": "in"}
PREPOSITIONS |= {"year": "in", "month": "in", "room": "in"}


def shown_key(draw: Draw, record: Record) -> str:
    return record.values["first"] if "first" in record.values and draw.chance(0.4) else record.key


def question_for(draw: Draw, record: Record, slot: str, alone: bool) -> str | None:
    """Draws a question about the slot, or returns None if the draw fails.

    The question names only values that the text mentions. Unless `alone` is set, it names at least one.
    """
    for _ in range(12):
        template = draw.wording(record.kind.questions[slot])
        if record.mentions(template) and (alone or slots_in(template)):
            return template
    return None


def answers_to(maker: Maker, value: str) -> list[str]:
    """Returns the right answers: the value, and the value with its preposition ("in 1998") if its maker has one."""
    word = PREPOSITIONS.get(maker)
    return [value, f"{word} {value}"] if word else [value]


def asked_record(draw: Draw) -> tuple[Record, str, str, str]:
    """Draws a text and a question about one record; returns the record, the text, the slot and the question."""
    while True:
        records, text = write_text(draw)
        record = draw.pick(records)
        slots = [slot for slot in record.kind.questions if slot in record.mentioned]
        slot = draw.pick(slots)
        template = question_for(draw, record, slot, len(records) == 1)
        if template and len(text) < 1300 and record.values[slot].lower() in text.lower():
            return record, text, slot, template


def ask(draw: Draw, record: Record, template: str) -> str:
    return fill(template, {**record.values, "k": shown_key(draw, record)})


def reading_question(draw: Draw) -> dict:
    record, text, slot, template = asked_record(draw)
    value = record.values[slot]
    return row(
        "reading_question",
        ask_on(draw, text, ask(draw, record, template)),
        value,
        system=some_system(draw),
        answers=answers_to(record.kind.slots[slot], value),
        text=text,
    )


def nothing_alike(slot: str, mentioned: list[str]) -> bool:
    """Returns whether the text mentions no slot that could be mistaken for this one."""
    return not any(slot in group and group & set(mentioned) for group in GROUPS)


def reading_not_said(draw: Draw) -> dict:
    """Asks for a slot that the text leaves out, for something that no text says, or about an unknown person."""
    question = None
    while not question:
        records, text = write_text(draw)
        record = draw.pick(records)
        missing = [slot for slot in record.kind.questions if slot in record.kind.slots and slot not in record.mentioned]
        missing = [slot for slot in missing if nothing_alike(slot, record.mentioned)]
        how = draw.number(1, 10)
        if len(text) > 1300:
            continue
        if how <= 6 and missing:
            template = draw.wording(record.kind.questions[draw.pick(missing)])
            names_key = any(name in template for name in ("{k}", "{first}", "{" + record.kind.key + "}"))
            if record.mentions(template) and names_key:
                question = ask(draw, record, template)
        elif how <= 8 and "first" in record.values:
            question = ask(draw, record, draw.wording(BANK.never_said))
        else:
            taken = [value.lower() for one in records for value in one.values.values()]
            stranger = make_record(draw, record.kind, taken)
            asked = [slot for slot in record.kind.questions if slot in record.mentioned and slot != record.kind.key]
            template = draw.wording(record.kind.questions[draw.pick(asked)])
            named = set(slots_in(template)) - set(WORDS_OF_NAME)
            if named == {record.kind.key} or named and named <= {"k", "do", "did"}:
                question = ask(draw, stranger, template)
    return row(
        "reading_question",
        ask_on(draw, text, question),
        NOT_SAID,
        system=some_system(draw),
        answers=[NOT_SAID],
        text=text,
    )
