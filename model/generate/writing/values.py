"""Values that fill the slots of templates, and polite forms of requests."""

import re

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
    company,
    date,
    full_name,
    price,
)

BANK = load_bank("writing/values")

SLOTS = {
    "name": lambda d: d.pick(FIRST_NAMES),
    "surname": lambda d: d.pick(SURNAMES),
    "city": lambda d: d.pick(CITIES),
    "item": lambda d: d.pick(ITEMS),
    "food": lambda d: d.pick(FOODS),
    "animal": lambda d: d.pick(ANIMALS),
    "job": lambda d: d.pick(JOBS),
    "day": lambda d: d.pick(WEEKDAYS),
    "month": lambda d: d.pick(MONTHS),
    "n": lambda d: str(d.number(2, 9)),
    "clock": clock,
    "company": company,
    "price": price,
    "country": lambda d: d.pick(COUNTRIES)[0],
    "colour": lambda d: d.pick(COLOURS),
    "hobby": lambda d: d.pick(HOBBIES),
    "place": lambda d: d.pick(PLACES),
    "date": date,
    "person": full_name,
}


def articles(text: str) -> str:
    """Corrects "a" before a vowel, but not before words such as "uniform" and "European"."""
    return re.sub(r"\b([Aa]) (?=[aeiouAEIOU](?!ni[cfqtv]|ni\b|uro|ne\b|se[df]))", r"\1n ", text)


def values(draw: Draw, *names: str) -> dict:
    return {name: SLOTS[name.rstrip("2")](draw) for name in names}


def slots_of(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"\{(\w+)\}", text)))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def careless(draw: Draw, text: str) -> str:
    if draw.chance(0.12):
        text = text[:1].lower() + text[1:]
        text = text.rstrip(".?")
    return text


def polite(draw: Draw, wish: str) -> str:
    """Turns a wish such as "write a poem" into a request."""
    form = draw.wording(BANK.polite_frames)
    text = capital(form.format(r=wish))
    return careless(draw, text + ("?" if form.startswith(("Could", "Can", "Would")) else "."))
