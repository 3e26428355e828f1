"""Variations of a record with other digits and names, so that an answer can only be found by reading.

Digits are exchanged one for one and names word for word, in all fields alike, so that the text, the answers and the
record still agree.
"""

import functools
import re

from ..draw import Draw
from ..words import CITIES, FIRST_NAMES, MONTHS, SURNAMES, WEEKDAYS
from .read import Records

WORD = re.compile(r"[A-Za-zÀ-ÿ][a-zà-ÿ]+")
NOT_NAMES = {
    *WEEKDAYS,
    *MONTHS,
    "Mr",
    "Mrs",
    "Ms",
    "Dr",
    "Miss",
    "English",
    "French",
    "German",
    "Spanish",
    "Italian",
    "Dutch",
}
SENTENCE_START = re.compile(r"(?:^|[.!?:\n\"“(]\s*|- )$")


class Variations:
    """Exchanges digits and names in a record.

    A name is a word that the records write with a capital letter inside a sentence, and never in lower case.
    """

    def __init__(self, handwritten: Records):
        texts = (record["text"] for kind in ("messages", "prose", "extract") for record in handwritten.by_kind[kind])
        self._names = names_in(tuple(texts))
        self._is_name = set(self._names)

    def of(self, draw: Draw, record: dict, digits: float = 0.5, names: float = 0.4) -> dict:
        """Returns the record. Exchanges its digits with the chance `digits`, and its names with the chance `names`."""
        text = record["text"]
        if draw.chance(digits) and numbers_stand_in(record, text):
            others = draw.sample("123456789", 9)
            record = changed(record, str.maketrans("123456789", "".join(others)))
            text = record["text"]
        if draw.chance(names):
            exchange = {}
            for word in WORD.findall(text):
                if word in self._is_name and word not in exchange:
                    exchange[word] = draw.pick(self._names)
            if exchange and len(set(exchange.values())) == len(exchange):
                record = changed(record, exchange)
        return record


@functools.lru_cache(maxsize=2)
def names_in(texts: tuple[str, ...]) -> list[str]:
    """Returns the names in the texts and those of the word lists. It takes about 0.2 s."""
    lower = {word for text in texts for word in WORD.findall(text) if word.islower()}
    return sorted(
        {
            match.group()
            for text in texts
            for match in WORD.finditer(text)
            if match.group()[0].isupper()
            and match.group().lower() not in lower
            and match.group() not in NOT_NAMES
            and not SENTENCE_START.search(text[: match.start()])
        }
        | {*FIRST_NAMES, *SURNAMES, *(c for c in CITIES if " " not in c)}
    )


def numbers_stand_in(record: dict, text: str) -> bool:
    """Returns whether the text states every number of the record in digits, so that text and record change alike."""
    plain = re.sub(r"(?<=\d)[, ](?=\d\d\d)", "", text)
    for value in [*(record.get("record") or {}).values(), *(record.get("fields") or {}).values()]:
        if (
            isinstance(value, (int, float))
            and not isinstance(value, bool)
            and not re.search(rf"(?<![\d.]){re.escape(f'{value:g}')}(?!\d)", plain)
        ):
            return False
    return True


def changed(value, exchange: dict):
    """Applies the exchange to strings, numbers, lists and the values of objects."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        if isinstance(next(iter(exchange)), int):
            return value.translate(exchange)
        return WORD.sub(lambda match: exchange.get(match.group(), match.group()), value)
    if isinstance(value, (int, float)):
        return type(value)(f"{value}".translate(exchange)) if isinstance(next(iter(exchange)), int) else value
    if isinstance(value, list):
        return [changed(one, exchange) for one in value]
    return {key: changed(one, exchange) for key, one in value.items()}
