"""Fields to extract from a text."""

import json
import re

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import Record
from .requests import careless, order_on
from .texts import write_text

BANK = load_bank("reading/fields")
SAME_TYPE = {"date_y": "date", "city2": "city", "person2": "person", "day2": "day"}
# Fields that a text may lack, and other names for some of them.
ABSENT = ("e-mail address", "phone number", "company", "year", "month", "colour")
OTHER_NAMES = {"e-mail address": "email", "phone number": "telephone number", "company": "company name"}


def slots_by_type(record: Record) -> dict[str, list[str]]:
    """Groups the mentioned slots by maker. Makers of the same type of value, such as dates, form one group."""
    slots: dict[str, list[str]] = {}
    for slot, maker in record.kind.slots.items():
        if slot in record.mentioned:
            slots.setdefault(SAME_TYPE.get(maker, maker), []).append(slot)
    return slots


def join_and(things: list[str], last: str = " and ") -> str:
    return ", ".join(things[:-1]) + last + things[-1] if len(things) > 1 else things[0]


def extraction(draw: Draw) -> dict:
    """Asks for all values of a type if the text has several records, else for one or more fields."""
    while True:
        records, text = write_text(draw, draw.pick([1, 1, 1, 2, 3]))
        if len(text) > 1300:
            continue
        if len(records) > 1:
            made = extract_all(draw, records, text)
        else:
            fields = {
                draw.pick(BANK.field_words[one]): records[0].values[slots[0]]
                for one, slots in slots_by_type(records[0]).items()
                if one in BANK.field_words and len(slots) == 1
            }
            extract = draw.pick([extract_one, extract_lines, extract_json]) if len(fields) > 1 else None
            made = extract and extract(draw, fields, text)
        if made:
            return made


def extract_one(draw: Draw, fields: dict[str, str], text: str) -> dict:
    name = draw.pick(list(fields))
    request = careless(draw, draw.wording(BANK.extract_one).format(f=name, F=name[0].upper() + name[1:]))
    return row(
        "extraction",
        order_on(draw, text, request),
        fields[name],
        slots={name: fields[name]},
        answers=[fields[name]],
        text=text,
    )


def extract_all(draw: Draw, records: list[Record], text: str) -> dict | None:
    kinds = [one for one, slots in slots_by_type(records[0]).items() if one in BANK.plurals]
    if not kinds:
        return None
    wanted = draw.pick(kinds)
    values = [record.values[slot] for record in records for slot in slots_by_type(record).get(wanted, [])]
    if len(values) < 2 or any(text.count(value) == 0 for value in values):
        return None
    values.sort(key=text.index)
    request = careless(draw, draw.wording(BANK.extract_all).format(f=draw.pick(BANK.plurals[wanted])))
    return row(
        "extraction",
        order_on(draw, text, request),
        ", ".join(values),
        slots={str(i): value for i, value in enumerate(values, 1)},
        answers=[", ".join(values)],
        text=text,
    )


def extract_lines(draw: Draw, fields: dict[str, str], text: str) -> dict:
    names = draw.sample(list(fields), min(len(fields), draw.number(2, 4)))
    absent = draw.pick([words[0] for words in BANK.field_words.values() if words[0] in ABSENT])
    with_absent = absent not in fields and draw.chance(0.2) and OTHER_NAMES.get(absent) not in fields
    shown = names + [absent] if with_absent else names
    request = draw.wording(BANK.extract_lines).format(
        f=join_and(["the " + name for name in shown] if draw.chance(0.5) else shown)
    )
    request += ' Write "not given" where the text does not say it.' if with_absent else ""
    lines = [f"{name[0].upper()}{name[1:]}: {fields.get(name, 'not given')}" for name in shown]
    return row(
        "extraction",
        order_on(draw, text, request),
        "\n".join(lines),
        slots={name: fields[name] for name in names},
        text=text,
    )


def extract_json(draw: Draw, fields: dict[str, str], text: str) -> dict:
    names = draw.sample(list(fields), min(len(fields), draw.number(2, 4)))
    keys = {name: re.sub(r"\W+", "_", name.replace("e-mail", "email")) for name in names}
    shown = [f'"{key}"' for key in keys.values()] if draw.chance(0.6) else list(keys.values())
    request = draw.wording(BANK.extract_json).format(f=join_and(shown) if draw.chance(0.6) else ", ".join(shown))
    answer = json.dumps({keys[name]: fields[name] for name in names}, ensure_ascii=False)
    return row(
        "extraction",
        order_on(draw, text, request),
        answer,
        slots={name: fields[name] for name in names},
        answers=[answer],
        text=text,
    )
