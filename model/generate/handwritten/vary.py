"""Variations of a record, so that an answer can only be found by reading: a part of the text, other digits and names.

Digits are exchanged one for one and names word for word, in all fields alike, so that the text, the answers and the
record still agree.
"""

import collections
import functools
import re

from ..draw import Draw
from ..words import CITIES, FIRST_NAMES, MONTHS, SURNAMES, WEEKDAYS
from .read import Records

WORD = re.compile(r"[A-Za-zÀ-ÿ][a-zà-ÿ]+")
NOT_NAMES = {
    *WEEKDAYS,
    *MONTHS,
    *(month[:3] for month in MONTHS),
    *(day[:3] for day in WEEKDAYS),
    *(f"{day}s" for day in WEEKDAYS),
    "Sept",
    "Tues",
    "Thur",
    "Thurs",
    "Christmas",
    "Easter",
    "Ramadan",
    "Diwali",
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
    "American",
    "Catholic",
    "Catholics",
    "Greek",
    "Swiss",
    "Czech",
    "Thai",
    "Afrikaans",
    "Arabic",
    "Welsh",
    "Roman",
    "Romans",
}
# The words before a name that tell people from places.
BEFORE_PERSON = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Aunt|Uncle|Dear|Hi|Hello|[Ss]aid|[Ss]ays|Nurse)\.? $"
)
BEFORE_PLACE = re.compile(r"\b(?:[Ii]n|[Nn]ear|[Aa]t|[Tt]o|[Ff]rom) $")
IN_PLACE = re.compile(r"\b(?:[Ii]n|[Nn]ear) $")
OF_A_NATION = re.compile(r"(?:ish|ese|ians?|icans?)$")
TIME = re.compile(
    r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)(?![\d%])|\b(?P<half>\d{1,2})(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.)"
)
DAY = re.compile(
    rf"\b(?P<before>\d{{1,2}})(?:st|nd|rd|th)? (?:{'|'.join(month[:3] for month in MONTHS)})"
    rf"|\b(?:{'|'.join(MONTHS)}) (?P<after>\d{{1,2}})(?!\d)"
)
DIGITS_MOST_TRIES = 30
SENTENCE_START = re.compile(r"(?:^|[.!?:\n\"“(]\s*|- )$")

SENTENCE_GAP = re.compile(r"(?<=[.!?])[\"')”]?\s+(?=[\"'(“]?[A-ZÀ-Ý0-9])|\n+")
NOT_SAID = "The text does not say."


class Variations:
    """Exchanges digits and names in a record.

    A name is a word that the records write with a capital letter inside a sentence, and never in lower case. People get
    the names of people, and places those of places. A name of neither kind stays.
    """

    def __init__(self, handwritten: Records):
        texts = (record["text"] for kind in ("messages", "prose", "extract") for record in handwritten.by_kind[kind])
        self._people, self._places = names_in(tuple(texts))
        self._like = {name: names for names in (self._people, self._places) for name in names}

    def of(self, draw: Draw, record: dict, digits: float = 0.5, names: float = 0.25) -> dict:
        """Returns the record. Exchanges its digits with the chance `digits`, and its names with the chance `names`."""
        text = record["text"]
        if draw.chance(digits) and numbers_stand_in(record, text):
            for _ in range(DIGITS_MOST_TRIES):
                others = draw.sample("123456789", 9)
                exchange = str.maketrans("123456789", "".join(others))
                if dates_are_possible(text.translate(exchange)) or not dates_are_possible(text):
                    record = changed(record, exchange)
                    text = record["text"]
                    break
        if draw.chance(names):
            exchange = {}
            for word in WORD.findall(text):
                if word in self._like and word not in exchange:
                    exchange[word] = draw.pick(self._like[word])
            if exchange and len(set(exchange.values())) == len(exchange):
                record = changed(record, exchange)
        return record


def shortened(draw: Draw, record: dict, part: str, chance: float = 0.4) -> dict:
    """Sometimes keeps only two to five consecutive sentences of the text, so that the same question has no answer.

    The result has the answers of one `part` of the record alone: of the pairs in "qa" or "asks", or of the object in
    "record" or "fields". An answer that is no longer in the text becomes NOT_SAID, or null in an object. A pair is left
    out if its answer is both in the kept text and elsewhere, and at most half of the pairs are unanswerable. An object
    with a value in both keeps its whole text.
    """
    text = record["text"]
    starts = [0, *(match.end() for match in SENTENCE_GAP.finditer(text)), len(text)]
    sentences = len(starts) - 1
    if sentences < 3 or not draw.chance(chance):
        return record
    count = draw.number(2, min(5, sentences - 1))
    first = draw.number(0, sentences - count)
    begin, end = starts[first], starts[first + count]
    kept = {"text": text[begin:end].strip(), "qa": [], "asks": [], "record": {}, "fields": {}}
    if part in ("record", "fields"):
        try:
            kept[part] = {key: left_of(value, text, begin, end) for key, value in record[part].items()}
        except Undecided:
            return record
        some_left = any(value is not None for value in kept[part].values())
    else:
        pairs = pairs_left(record[part], "a" if part == "qa" else "value", text, begin, end)
        answered = [one for one in pairs if NOT_SAID not in one.values()]
        lost = [one for one in pairs if NOT_SAID in one.values()]
        kept[part] = answered + draw.sample(lost, min(len(lost), len(answered)))
        some_left = bool(answered)
    others = {key: record[key] for key in ("ask_record", "ask_fields", "unanswerable", "missing") if key in record}
    return {**others, **kept} if some_left else record


def pairs_left(pairs: list[dict], answer: str, text: str, begin: int, end: int) -> list[dict]:
    left = []
    for one in pairs:
        try:
            left.append({**one, answer: left_of(one[answer], text, begin, end) or NOT_SAID})
        except Undecided:
            pass
    return left


class Undecided(Exception):
    """Says that a part of a text may or may not give a value."""


def starts_of(part: str, text: str) -> list[int]:
    starts, at = [], text.find(part)
    while at >= 0:
        starts.append(at)
        at = text.find(part, at + 1)
    return starts


def left_of(value, text: str, begin: int, end: int):
    """Returns the value, or what is left of a list, if text[begin:end] gives it; None if only the rest gives it."""
    if value is None:
        return None
    if isinstance(value, list):
        left = [one for one in value if left_of(one, text, begin, end) is not None]
        return left or None
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise Undecided
    forms = {value} if isinstance(value, str) else {f"{value:g}", f"{value:,}"}
    inside = {
        begin <= start and start + len(form) <= end
        for form in forms
        for start in starts_of(form, text)
        if not text[max(0, start - 1) : start].isalnum()
        and not text[start + len(form) : start + len(form) + 1].isalnum()
    }
    if len(inside) != 1:
        raise Undecided
    return value if True in inside else None


@functools.lru_cache(maxsize=2)
def names_in(texts: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Returns the names of people and of places in the texts, with those of the word lists. It takes about a second."""
    lower = {word for text in texts for word in WORD.findall(text) if word.islower()}
    names, person, place, stands_in = set(), collections.Counter(), collections.Counter(), set()
    for text in texts:
        for match in WORD.finditer(text):
            name = match.group()
            if name[0].islower() or name.lower() in lower or name in NOT_NAMES:
                continue
            before = text[max(0, match.start() - 20) : match.start()]
            if not SENTENCE_START.search(text[: match.start()][-4:]):
                names.add(name)
            person[name] += bool(BEFORE_PERSON.search(before))
            place[name] += bool(BEFORE_PLACE.search(before))
            if IN_PLACE.search(before):
                stands_in.add(name)
    known = {*FIRST_NAMES, *SURNAMES} - NOT_NAMES
    cities = {city for city in CITIES if " " not in city} - known
    places = {n for n in names if place[n] > person[n] and n in stands_in and not OF_A_NATION.search(n)} - known
    people = {n for n in names if person[n] > place[n]} | known
    return sorted(people - cities), sorted(places | cities)


def dates_are_possible(text: str) -> bool:
    """Returns whether no time of day or day of a month in the text is too large."""
    times = all(
        int(found["half"]) <= 12 if found["half"] else int(found["hour"]) < 24 and int(found["minute"]) < 60
        for found in TIME.finditer(text)
    )
    return times and all(0 < int(found["before"] or found["after"]) <= 31 for found in DAY.finditer(text))


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
