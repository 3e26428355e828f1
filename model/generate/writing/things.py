"""Things to describe: their fields, and the clauses that mention a field."""

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


def restaurant(draw: Draw) -> tuple[str, dict, dict, str]:
    slots = {
        "name": place_name(draw),
        "eatType": draw.pick(["restaurant", "pub", "coffee shop", "café", "bistro", "bar"]),
        "food": draw.pick(BANK.cuisines),
        "priceRange": draw.pick(BANK.prices),
        "customer rating": draw.pick(BANK.ratings),
        "area": draw.pick(BANK.areas),
        "familyFriendly": draw.pick(["yes", "no"]),
        "near": place_name(draw),
    }
    while slots["near"] == slots["name"]:
        slots["near"] = place_name(draw)
    return "restaurant", slots, BANK.eatery, slots["eatType"]


def thing(draw: Draw) -> tuple[str, dict, dict, str]:
    kind = draw.pick(["hotel", "person", "event", "flat", "car", "book", "product"])
    yes_no = lambda: draw.pick(["yes", "no"])
    if kind == "hotel":
        return (
            kind,
            {
                "name": f"{draw.pick(['Hotel', 'Pension', 'Villa'])} {draw.pick(BANK.stems)}",
                "city": draw.pick(CITIES),
                "stars": str(draw.number(2, 5)),
                "rooms": str(draw.number(8, 190)),
                "price": price(draw),
                "breakfast": yes_no(),
                "pets": yes_no(),
                "near": f"the {draw.pick(['station', 'beach', 'castle', 'airport', 'park', 'museum'])}",
                "parking": yes_no(),
            },
            BANK.hotel,
            "hotel",
        )
    if kind == "person":
        return (
            kind,
            {
                "name": full_name(draw),
                "job": draw.pick(JOBS),
                "city": draw.pick(CITIES),
                "age": str(draw.number(19, 84)),
                "hobby": draw.pick(HOBBIES),
                "pet": draw.pick(["cat", "dog", "parrot", "rabbit", "goldfish", "hamster"]),
                "favourite food": draw.pick(FOODS),
                "employer": company(draw),
                "favourite colour": draw.pick(COLOURS),
            },
            BANK.person,
            "person",
        )
    if kind == "event":
        return (
            kind,
            {
                "name": f"the {draw.pick(['Spring', 'Summer', 'Harbour', 'Lantern', 'Book', 'Jazz', 'Street', 'Garden', 'Winter', 'Film'])} {draw.pick(['Festival', 'Fair', 'Party', 'Night', 'Market'])}",
                "place": draw.pick(CITIES),
                "date": date(draw),
                "time": clock(draw),
                "price": price(draw),
                "guest": full_name(draw),
                "food": draw.pick(FOODS),
                "host": company(draw),
            },
            BANK.event,
            "event",
        )
    if kind == "flat":
        return (
            kind,
            {
                "city": draw.pick(CITIES),
                "rooms": str(draw.number(2, 6)),
                "rent": price(draw),
                "size": f"{draw.number(25, 140)} square metres",
                "balcony": yes_no(),
                "free from": f"{draw.number(1, 28)} {draw.pick(MONTHS)}",
                "floor": str(draw.number(1, 9)),
                "near": f"the {draw.pick(['station', 'park', 'university', 'hospital', 'river', 'tram stop'])}",
            },
            BANK.flat,
            "flat",
        )
    if kind == "car":
        return (
            kind,
            {
                "name": f"the {draw.pick(['Norva', 'Tivo', 'Halden', 'Corso', 'Zephyr', 'Lumo', 'Karo', 'Vento'])} {draw.pick(['S', 'GT', '200', 'X3', 'Plus', '11'])}",
                "colour": draw.pick(COLOURS),
                "seats": str(draw.pick([2, 4, 5, 7])),
                "price": f"£{draw.number(2, 39)},{draw.number(1, 9)}00",
                "year": str(draw.number(1998, 2025)),
                "fuel": draw.pick(["petrol", "diesel", "electricity", "gas"]),
                "mileage": f"{draw.number(3, 190)},000",
                "owner": full_name(draw),
            },
            BANK.car,
            "car",
        )
    if kind == "book":
        return (
            kind,
            {
                "title": f'"{draw.pick(["The", "A"])} {draw.pick(["Lost", "Silent", "Last", "Hidden", "Quiet", "Broken", "Golden", "Distant"])} {draw.pick(["River", "Letter", "Garden", "Lighthouse", "Winter", "Map", "House", "Promise"])}"',
                "author": full_name(draw),
                "pages": str(draw.number(90, 700)),
                "year": str(draw.number(1920, 2025)),
                "setting": draw.pick(CITIES),
                "price": price(draw),
                "hero": draw.pick(JOBS),
                "rating": draw.pick(BANK.ratings[3:9]),
            },
            BANK.book,
            "book",
        )
    noun = draw.pick(["lamp", "backpack", "kettle", "chair", "umbrella", "watch", "vase", "tent", "table", "bicycle"])
    return (
        kind,
        {
            "name": f"the {draw.pick(['Lumina', 'Trek', 'Nova', 'Solo', 'Fjord', 'Pico', 'Terra', 'Brisk'])} {draw.pick(['One', 'Pro', '20', 'Mini', 'XL', 'Classic'])}",
            "type": noun,
            "colour": draw.pick(COLOURS),
            "material": draw.pick(["wood", "steel", "glass", "cotton", "leather", "bamboo", "aluminium"]),
            "price": price(draw),
            "maker": company(draw),
            "weight": f"{draw.number(2, 20)} kg",
            "guarantee": f"{draw.number(2, 10)} years",
            "rating": draw.pick(BANK.ratings[3:9]),
        },
        BANK.product,
        noun,
    )
