"""Families of labels, and the texts that fit a label.

A concept of a family has names that may serve as its label, a description, and sentences that it fits.
"""

import re
from typing import NamedTuple, Protocol

from ..banks import load_bank
from ..draw import Draw
from ..words import (
    ANIMALS,
    CITIES,
    COLOURS,
    COUNTRIES,
    FIRST_NAMES,
    FOODS,
    HOBBIES,
    ITEMS,
    JOBS,
    MONTHS,
    PLACES,
    SURNAMES,
    WEEKDAYS,
    clock,
    code,
    company,
    date,
    price,
)

BANK = load_bank("labels/families")
LETTERS = ("customer", "banking", "department")
TWO_SENTENCES = ("topic", "customer", "banking", "emotion", "product", "department", "genre")
NEVER_CARELESS = ("sentence", "message", "genre")

SLOTS = {
    "name": lambda d: d.pick(FIRST_NAMES),
    "name2": lambda d: d.pick(FIRST_NAMES),
    "surname": lambda d: d.pick(SURNAMES),
    "city": lambda d: d.pick(CITIES),
    "city2": lambda d: d.pick(CITIES),
    "item": lambda d: d.pick(ITEMS),
    "food": lambda d: d.pick(FOODS),
    "animal": lambda d: d.pick(ANIMALS),
    "job": lambda d: d.pick(JOBS),
    "day": lambda d: d.pick(WEEKDAYS),
    "month": lambda d: d.pick(MONTHS),
    "n": lambda d: str(d.number(2, 9)),
    "big": lambda d: str(d.number(11, 90)),
    "clock": clock,
    "code": code,
    "company": company,
    "price": price,
    "country": lambda d: d.pick(COUNTRIES)[0],
    "colour": lambda d: d.pick(COLOURS),
    "colour2": lambda d: d.pick(COLOURS),
    "hobby": lambda d: d.pick(HOBBIES),
    "place": lambda d: d.pick(PLACES),
    "date": date,
}


def fill(draw: Draw, text: str) -> str:
    text = re.sub(r"\{(\w+)\}", lambda match: SLOTS[match[1]](draw), text)
    text = re.sub(r"\b([Aa]) (?=[aeiou](?!ni[cfqtv]|ni\b|uro|ne\b|se[df]))", r"\1n ", text)
    return text[:1].upper() + text[1:]


class Concept(Protocol):
    """The fields of a concept's bank record."""

    names: list[str]
    description: str
    sentences: list[str]


class Family(NamedTuple):
    """A family of concepts. `nouns` are names for the label, `texts` are names for the text."""

    concepts: list[Concept]
    clashes: list[list[str]]
    nouns: list[str]
    texts: list[str]


def load_family(name: str) -> Family:
    bank = load_bank(f"labels/families/{name}")
    return Family(bank.concepts, bank.clashes, bank.nouns, bank.texts)


BIG_NAMES = "topic customer command banking message emotion department product genre kind".split()
BIG = {name: load_family(name) for name in BIG_NAMES}
SMALL = {family.name: family for family in load_bank("labels/small").families}


def drawable(draw: Draw, concepts: list[Concept]) -> list[Concept]:
    """Returns the held-out concepts in evaluation, the rest in training. Returns all of them if there are under 11."""
    held = concepts[3::7]
    if len(held) < 2:
        return concepts
    return held if draw.held_out else [concept for concept in concepts if concept not in held]


def clash(first: Concept, second: Concept, clashes: list[list[str]]) -> bool:
    """Returns whether two concepts are too similar to be options of the same row."""
    return any({first.names[0], second.names[0]} == set(pair) for pair in clashes)


def choose(draw: Draw, concepts: list[Concept], clashes: list[list[str]], count: int) -> list[Concept]:
    """Draws up to `count` concepts that do not clash."""
    chosen = []
    for concept in draw.sample(concepts, len(concepts)):
        if len(chosen) < count and not any(clash(concept, other, clashes) for other in chosen):
            chosen.append(concept)
    return chosen


def sentence_of(draw: Draw, family: str, concept: Concept) -> str:
    """Writes a text that fits the concept."""
    if family == "kind":
        return draw.pick(concept.sentences)
    text = fill(draw, draw.pick(concept.sentences) if family in BIG else draw.wording(concept.sentences))
    if family in TWO_SENTENCES and draw.chance(0.25):
        second = fill(draw, draw.pick(concept.sentences))
        text = text if second == text else f"{text} {second}"
    if family in LETTERS and draw.chance(0.25):
        text = draw.pick(BANK.greetings) + text
    if family in LETTERS and draw.chance(0.15):
        text += fill(draw, draw.pick(BANK.closings))
    if family not in ("spam", "tone", "language", "kind") and draw.chance(0.12):
        text = text if family in NEVER_CARELESS else careless(draw, text)
    return text


def careless(draw: Draw, text: str) -> str:
    text = text[:1].lower() + text[1:] if not text.startswith("I ") else text
    text = text.lower() if draw.chance(0.4) else text
    return text.rstrip(".!") if draw.chance(0.7) else text
