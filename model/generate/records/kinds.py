"""Kinds of records.

A kind has slots, sentences that mention the slots, and summaries. For each slot it has questions that name the record's
key. Two or three records of one kind in a text serve as distractors for each other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..banks import load_bank
from ..draw import Draw
from ..words import (
    ANIMALS,
    CITIES,
    COLOURS,
    FIRST_NAMES,
    FOODS,
    HOBBIES,
    ITEMS,
    JOBS,
    MONTHS,
    PLACES,
    WEEKDAYS,
    clock,
    code,
    company,
    date,
    email_of,
    full_name,
    phone,
    price,
    street,
)

BANK = load_bank("records/kinds")

Maker = Callable[[Draw], str]


def any_of(things: Sequence[str]) -> Maker:
    return lambda draw: draw.pick(things)


NO_PLURALS = ("ss", "es", "ies", "trousers", "scissors", "binoculars")
MAKERS: dict[str, Maker] = {
    "animal": any_of(ANIMALS),
    "cause": any_of(BANK.causes),
    "city": any_of(CITIES),
    "clock": clock,
    "code": code,
    "colour": any_of(COLOURS),
    "company": company,
    "creature": any_of(BANK.creatures),
    "date": date,
    "doctor": lambda draw: "Dr " + full_name(draw).split()[-1],
    "email": lambda draw: email_of(draw, full_name(draw)),
    "event": any_of(BANK.events),
    "first_name": any_of(FIRST_NAMES),
    "food": any_of(FOODS),
    "full_name": full_name,
    "habitat": any_of(BANK.habitats),
    "hobby": any_of(HOBBIES),
    "invented_country": lambda draw: draw.pick(BANK.country_starts) + draw.pick(BANK.country_ends),
    "item": any_of(ITEMS),
    "job": any_of(JOBS),
    "material": any_of(BANK.materials),
    "month": any_of(MONTHS),
    "opening_hours": lambda draw: f"{clock(draw)} to {clock(draw)}",
    "phone": phone,
    "place": any_of(PLACES),
    "price": price,
    "problem": any_of(BANK.problems),
    "single_item": any_of([item[:-1] for item in ITEMS if item.endswith("s") and not item.endswith(NO_PLURALS)]),
    "street": street,
    "thing_to_bring": any_of(BANK.things_to_bring),
    "topic": any_of(BANK.topics),
    "transport": any_of(BANK.transport),
    "weather": any_of(BANK.weather),
    "weekday": any_of(WEEKDAYS),
    "year": lambda draw: str(draw.number(1780, 2024)),
}


def maker_of(spec: str | list[str]) -> Maker:
    """Returns the maker for a list of texts, for a number such as "{2..90} metres", or for a name in MAKERS."""
    if isinstance(spec, list):
        return any_of(spec)
    if spec.startswith("{"):
        low, high, unit = re.fullmatch(r"\{(\d+)\.\.(\d+)\}(.*)", spec).groups()
        return lambda draw: f"{draw.number(int(low), int(high))}{unit}"
    return MAKERS[spec]


def makers_of(slots: dict[str, str | list[str]]) -> dict[str, Maker]:
    return {slot: maker_of(spec) for slot, spec in slots.items()}


@dataclass
class Kind:
    """A kind of text. `key` is the slot that tells two records of a kind apart."""

    key: str
    slots: dict[str, Maker]
    sentences: list[list[str]]
    questions: dict[str, list[str]]
    summaries: list[str]
    headlines: list[str]


KINDS = {
    kind.name: Kind(kind.key, makers_of(kind.slots), kind.sentences, kind.questions, kind.summaries, kind.headlines)
    for kind in BANK.kinds
}
