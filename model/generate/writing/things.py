"""Things to describe: their fields, and the clauses that mention a field."""

from collections.abc import Callable
from typing import NamedTuple

from ..banks import load_bank
from ..draw import Draw
from ..words import (
    CITIES,
    COLOURS,
    FIRST_NAMES,
    FOODS,
    HOBBIES,
    JOBS,
    MONTHS,
    SURNAMES,
    clock,
    company,
    date,
    full_name,
    price,
)

BANK = load_bank("writing/things")


class Thing(NamedTuple):
    """A thing to describe, the clauses for each of its fields, and the noun for it."""

    kind: str
    fields: dict[str, str]
    clauses: dict[str, list]
    noun: str


def some_thing(draw: Draw) -> Thing:
    """Draws a restaurant or, less often, a thing of another kind."""
    return restaurant(draw) if draw.chance(0.6) else draw.pick(OTHER_THINGS)(draw)


def place_name(draw: Draw) -> str:
    return draw.pick(
        [
            f"The {draw.pick(BANK.stems)}",
            f"The {draw.pick(COLOURS).title()} {draw.pick(BANK.stems)}",
            f"{draw.pick(FIRST_NAMES)}'s",
            f"Café {draw.pick(SURNAMES)}",
            f"The {draw.pick(BANK.stems)} and {draw.pick(BANK.stems)}",
            f"{draw.pick(SURNAMES)}'s {draw.pick(['Kitchen', 'Table', 'Bistro', 'Place', 'Corner'])}",
            f"{draw.pick(CITIES)} {draw.pick(['House', 'Grill', 'Garden', 'Palace', 'Rooms'])}",
        ]
    )


def yes_or_no(draw: Draw) -> str:
    return draw.pick(["yes", "no"])


def restaurant(draw: Draw) -> Thing:
    fields = {
        "name": place_name(draw),
        "eatType": draw.pick(["restaurant", "pub", "coffee shop", "café", "bistro", "bar"]),
        "food": draw.pick(BANK.cuisines),
        "priceRange": draw.pick(BANK.prices),
        "customer rating": draw.pick(BANK.ratings),
        "area": draw.pick(BANK.areas),
        "familyFriendly": yes_or_no(draw),
        "near": place_name(draw),
    }
    while fields["near"] == fields["name"]:
        fields["near"] = place_name(draw)
    return Thing("restaurant", fields, BANK.eatery, fields["eatType"])


def hotel(draw: Draw) -> Thing:
    fields = {
        "name": f"{draw.pick(['Hotel', 'Pension', 'Villa'])} {draw.pick(BANK.stems)}",
        "city": draw.pick(CITIES),
        "stars": str(draw.number(2, 5)),
        "rooms": str(draw.number(8, 190)),
        "price": price(draw),
        "breakfast": yes_or_no(draw),
        "pets": yes_or_no(draw),
        "near": f"the {draw.pick(['station', 'beach', 'castle', 'airport', 'park', 'museum'])}",
        "parking": yes_or_no(draw),
    }
    return Thing("hotel", fields, BANK.hotel, "hotel")


def person(draw: Draw) -> Thing:
    fields = {
        "name": full_name(draw),
        "job": draw.pick(JOBS),
        "city": draw.pick(CITIES),
        "age": str(draw.number(19, 84)),
        "hobby": draw.pick(HOBBIES),
        "pet": draw.pick(["cat", "dog", "parrot", "rabbit", "goldfish", "hamster"]),
        "favourite food": draw.pick(FOODS),
        "employer": company(draw),
        "favourite colour": draw.pick(COLOURS),
    }
    return Thing("person", fields, BANK.person, "person")


def event(draw: Draw) -> Thing:
    fields = {
        "name": f"the {draw.pick(BANK.event_starts)} {draw.pick(BANK.event_ends)}",
        "place": draw.pick(CITIES),
        "date": date(draw),
        "time": clock(draw),
        "price": price(draw),
        "guest": full_name(draw),
        "food": draw.pick(FOODS),
        "host": company(draw),
    }
    return Thing("event", fields, BANK.event, "event")


def flat(draw: Draw) -> Thing:
    fields = {
        "city": draw.pick(CITIES),
        "rooms": str(draw.number(2, 6)),
        "rent": price(draw),
        "size": f"{draw.number(25, 140)} square metres",
        "balcony": yes_or_no(draw),
        "free from": f"{draw.number(1, 28)} {draw.pick(MONTHS)}",
        "floor": str(draw.number(1, 9)),
        "near": f"the {draw.pick(['station', 'park', 'university', 'hospital', 'river', 'tram stop'])}",
    }
    return Thing("flat", fields, BANK.flat, "flat")


def car(draw: Draw) -> Thing:
    fields = {
        "name": f"the {draw.pick(BANK.car_makes)} {draw.pick(BANK.car_models)}",
        "colour": draw.pick(COLOURS),
        "seats": str(draw.pick([2, 4, 5, 7])),
        "price": f"£{draw.number(2, 39)},{draw.number(1, 9)}00",
        "year": str(draw.number(1998, 2025)),
        "fuel": draw.pick(["petrol", "diesel", "electricity", "gas"]),
        "mileage": f"{draw.number(3, 190)},000",
        "owner": full_name(draw),
    }
    return Thing("car", fields, BANK.car, "car")


def book(draw: Draw) -> Thing:
    fields = {
        "title": f'"{draw.pick(["The", "A"])} {draw.pick(BANK.title_adjectives)} {draw.pick(BANK.title_nouns)}"',
        "author": full_name(draw),
        "pages": str(draw.number(90, 700)),
        "year": str(draw.number(1920, 2025)),
        "setting": draw.pick(CITIES),
        "price": price(draw),
        "hero": draw.pick(JOBS),
        "rating": draw.pick(BANK.ratings[3:9]),
    }
    return Thing("book", fields, BANK.book, "book")


def product(draw: Draw) -> Thing:
    noun = draw.pick(["lamp", "backpack", "kettle", "chair", "umbrella", "watch", "vase", "tent", "table", "bicycle"])
    fields = {
        "name": f"the {draw.pick(BANK.product_lines)} {draw.pick(BANK.product_models)}",
        "type": noun,
        "colour": draw.pick(COLOURS),
        "material": draw.pick(["wood", "steel", "glass", "cotton", "leather", "bamboo", "aluminium"]),
        "price": price(draw),
        "maker": company(draw),
        "weight": f"{draw.number(2, 20)} kg",
        "guarantee": f"{draw.number(2, 10)} years",
        "rating": draw.pick(BANK.ratings[3:9]),
    }
    return Thing("product", fields, BANK.product, noun)


OTHER_THINGS: list[Callable[[Draw], Thing]] = [hotel, person, event, flat, car, book, product]
