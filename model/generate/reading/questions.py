"""Questions about a text, with and without an answer in it."""

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import WORDS_OF_NAME, Record, fill, make_record, slots_in
from .requests import ask_on, some_system
from .texts import tell_all

BANK = load_bank("reading/questions")
NOT_SAID = "The text does not say."


def shown_key(draw: Draw, record: Record) -> str:
    return record.values["first"] if "first" in record.values and draw.chance(0.4) else record.key


def question_for(draw: Draw, record: Record, slot: str, alone: bool) -> str | None:
    """A question template for the slot that names nothing the text leaves out and fits one record only."""
    for _ in range(12):
        template = draw.wording(record.kind.questions[slot])
        if record.has(template) and (alone or slots_in(template)):
            return template
    return None


def answers_to(slot_type: str, value: str) -> list[str]:
    word = {
        "day": "on",
        "day2": "on",
        "date": "on",
        "date_y": "on",
        "time": "at",
        "city": "in",
        "city2": "in",
        "year": "in",
        "month": "in",
        "room": "in",
    }.get(slot_type)
    return [value, f"{word} {value}"] if word else [value]


def asked_record(draw: Draw) -> tuple[Record, list[Record], str, str, str, str]:
    """Records, their text, and a question on one of them with its slot and answer."""
    while True:
        records, text = tell_all(draw)
        record = draw.pick(records)
        slots = [slot for slot in record.kind.questions if slot in record.told]
        slot = draw.pick(slots)
        template = question_for(draw, record, slot, len(records) == 1)
        if template and len(text) < 1300 and record.values[slot].lower() in text.lower():
            return record, records, text, slot, template, record.values[slot]


def ask(draw: Draw, record: Record, template: str) -> str:
    return fill(template, {**record.values, "k": shown_key(draw, record)})


def reading_question(draw: Draw) -> dict:
    record, _, text, slot, template, value = asked_record(draw)
    return row(
        "reading_question",
        ask_on(draw, text, ask(draw, record, template)),
        value,
        system=some_system(draw),
        answers=answers_to(record.kind.slots[slot], value),
        text=text,
    )


PLACES_AND_TIMES = [
    {"place", "city", "street", "spot", "place2", "room"},
    {"date", "day", "time", "year", "month", "since", "deadline"},
    {"price", "money", "rent"},
    {"phone", "code"},
]


def other_group(slot: str, told: list[str]) -> bool:
    """Whether the text tells nothing of a like kind that might pass for the slot."""
    return not any(slot in group and group & set(told) for group in PLACES_AND_TIMES)


def reading_not_said(draw: Draw) -> dict:
    question = None
    while not question:
        records, text = tell_all(draw)
        record = draw.pick(records)
        missing = [
            slot
            for slot in record.kind.questions
            if slot not in record.told and other_group(slot, record.told) and slot in record.kind.slots
        ]
        how = draw.number(1, 10)
        if len(text) > 1300:
            continue
        if how <= 6 and missing:
            template = draw.wording(record.kind.questions[draw.pick(missing)])
            if record.has(template) and "{k}" in template + "{k}" * any(
                slot in template for slot in ("{first}", "{" + record.kind.key + "}")
            ):
                question = ask(draw, record, template)
        elif how <= 8 and "first" in record.values:
            question = ask(draw, record, draw.wording(BANK.never_said))
        else:
            stranger = make_record(
                draw, record.kind, [value.lower() for one in records for value in one.values.values()]
            )
            asked = [slot for slot in record.kind.questions if slot in record.told and slot != record.kind.key]
            template = draw.wording(record.kind.questions[draw.pick(asked)])
            named = set(slots_in(template)) - set(WORDS_OF_NAME)
            if named == {"k"} or named == {record.kind.key} or named and named <= {"k", "do", "did"}:
                question = ask(draw, stranger, template)
    return row(
        "reading_question",
        ask_on(draw, text, question),
        NOT_SAID,
        system=some_system(draw),
        answers=[NOT_SAID],
        text=text,
    )
