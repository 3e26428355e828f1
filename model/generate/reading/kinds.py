"""Kinds of texts, and the records that texts are about."""

import re
from dataclasses import dataclass, field

from ..banks import load_bank
from ..draw import Draw
from ..words import a
from .values import MALE, Maker, first_of, fresh_value, makers_of

# The order of the kinds decides which kind a seed draws.
KIND_NAMES = """
    news order support meeting life product event travel recipe weather delivery school match zoo garden house jobad
    diary island plantkind firm lost course road party book contact restaurant prize volunteer shift bridge
""".split()
KIND_FILES = ("people", "work", "places", "events")
# Slots that follow from the name of a person.
WORDS_OF_NAME = ("first", "he", "his", "him")


@dataclass
class Kind:
    """A kind of text. `slots` has the maker of each value. Every text has the first of the `sentences`."""

    name: str
    summary: str
    headline: str
    points: list[str]
    sentences: list[list[str]]
    checks: list[str]
    slots: dict[str, Maker]
    questions: dict[str, list[str]]

    @property
    def key(self) -> str:
        return next(iter(self.slots))


@dataclass
class Record:
    """A record, the slots that its text mentions, and the templates that its text uses."""

    kind: Kind
    values: dict[str, str]
    mentioned: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.values[self.kind.key]

    def mentions(self, template: str) -> bool:
        """Returns whether the text mentions every slot of the template."""
        return all(
            slot in self.mentioned
            or slot in ("k", "do", "did")
            or slot in WORDS_OF_NAME
            and self.kind.key in self.mentioned
            for slot in slots_in(template)
        )


def slots_in(template: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", template)


def load_kinds() -> list[Kind]:
    """Loads the kinds. Replaces a reference such as "@job" by the questions of that name, which kinds share."""
    shared = load_bank("reading/kinds/shared").questions
    records = [record for file in KIND_FILES for record in load_bank(f"reading/kinds/{file}").kinds]
    kinds = {}
    for record in records:
        slots = makers_of(record.slots)
        questions = {
            slot: shared[asks[1:]] if isinstance(asks, str) else asks for slot, asks in record.questions.items()
        }
        kinds[record.name] = Kind(*record[:-2], slots, questions)
    return [kinds[name] for name in KIND_NAMES]


ALL_KINDS = load_kinds()


def make_record(draw: Draw, kind: Kind, taken: list[str]) -> Record:
    """Makes a record whose values differ from `taken`, and adds them to `taken`."""
    values: dict[str, str] = {}
    for slot, maker in kind.slots.items():
        value = fresh_value(draw, maker, values, taken)
        if isinstance(value, tuple):
            values["do"], values["did"] = value
            taken.append(value[1].lower())
        else:
            values[slot] = value
            taken.append(value.lower())
    key = values[kind.key]
    if kind.slots[kind.key] == "person":
        male = first_of(key) in MALE
        values |= {
            "first": first_of(key),
            "he": "he" if male else "she",
            "his": "his" if male else "her",
            "him": "him" if male else "her",
        }
    return Record(kind, values)


def fill(template: str, values: dict[str, str]) -> str:
    """Fills a template; articles fit the word that follows, sentences begin with a capital letter."""
    text = re.sub(r"\b([Aa]) \{(\w+)\}", lambda m: m[1] + a(values[m[2]])[1:], template)
    text = re.sub(r"\{(\w+)\}", lambda m: values[m[1]], text)
    text = re.sub(r"\bthe the\b", "the", text)
    text = re.sub(r"(?<=[.!?] )[a-z]", lambda m: m[0].upper(), text)
    return text[0].upper() + text[1:]
