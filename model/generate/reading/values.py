"""Makers of the values in a record.

A slot's maker is the name of a function in MAKERS, the name of a word list, or a tuple of values.
"""

from ..banks import load_bank
from ..draw import Draw
from ..words import (
    ANIMALS,
    CITIES,
    COLOURS,
    COMPANY_STEMS,
    FIRST_NAMES,
    FOODS,
    HOBBIES,
    ITEMS,
    JOBS,
    MONTHS,
    PLACES,
    STREET_NAMES,
    SURNAMES,
    WEEKDAYS,
    clock,
    code,
    company,
    email_of,
    ordinal,
    phone,
    price,
    street,
)

BANK = load_bank("reading/values")
Maker = str | tuple[str, ...]
MALE = set(BANK.male_names)
UNCLEAR = set(BANK.unclear_names)
CLEAR_NAMES = [name for name in FIRST_NAMES if name not in UNCLEAR]
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def invented_name(draw: Draw, endings: list[str]) -> str:
    return "".join(draw.pick(BANK.syllables) for _ in range(draw.pick([1, 2, 2]))).capitalize() + draw.pick(endings)


def small(draw: Draw) -> str:
    number = draw.number(2, 12)
    return NUMBER_WORDS[number] if draw.chance(0.35) else str(number)


def plain_date(draw: Draw, year: bool = False) -> str:
    day, month = draw.number(1, 28), draw.pick(MONTHS)
    if year and draw.chance(0.5):
        return draw.pick([f"{day} {month} {{y}}", f"{month} {day}, {{y}}"]).format(y=draw.number(1960, 2026))
    return draw.pick([f"{day} {month}", f"{month} {day}", f"{ordinal(day)} {month}", f"the {ordinal(day)} of {month}"])


def act(draw: Draw) -> tuple[str, str]:
    """Draws an action, in the infinitive and in the past tense."""
    if draw.chance(0.4):
        return draw.pick(BANK.other_acts)
    (do, did), thing = draw.pick(BANK.act_verbs), draw.pick(BANK.act_things)
    return f"{do} {thing}", f"{did} {thing}"


def thousands(draw: Draw) -> str:
    return f"{draw.number(1, 95)},{draw.number(0, 9)}00"


MAKERS = {
    "person": lambda d: f"{d.pick(CLEAR_NAMES)} {d.pick(SURNAMES)}",
    "person2": lambda d: f"{d.pick(CLEAR_NAMES)} {d.pick(SURNAMES)}",
    "job": lambda d: d.pick(JOBS),
    "city": lambda d: d.pick(CITIES),
    "city2": lambda d: d.pick(CITIES),
    "act": act,
    "date": plain_date,
    "date_y": lambda d: plain_date(d, year=True),
    "day": lambda d: d.pick(WEEKDAYS),
    "day2": lambda d: d.pick(WEEKDAYS),
    "time": clock,
    "price": price,
    "few": small,
    "count": lambda d: str(d.pick([d.number(13, 60), d.number(20, 300)])),
    "items": lambda d: d.pick(ITEMS),
    "food": lambda d: d.pick(FOODS),
    "company": company,
    "code": code,
    "phone": phone,
    "street": street,
    "colour": lambda d: d.pick(COLOURS),
    "animal": lambda d: d.pick(ANIMALS),
    "hobby": lambda d: d.pick(HOBBIES),
    "month": lambda d: d.pick(MONTHS),
    "age": lambda d: str(d.number(16, 89)),
    "place_the": lambda d: d.pick(PLACES),
    "year": lambda d: str(d.number(1610, 2024)),
    "room": lambda d: d.pick(
        [
            f"room {d.number(1, 420)}",
            f"the {d.pick(COLOURS)} room",
            f"hall {d.pick('ABCDEF')}",
            f"studio {d.number(1, 30)}",
            f"office {d.number(100, 399)}",
        ]
    ),
    "product": lambda d: f"{d.pick(COMPANY_STEMS)} {d.pick(BANK.products)}",
    "weight": lambda d: d.pick(
        [f"{d.number(11, 99) * 10} grams", f"{d.number(2, 30)} kilos", f"{d.number(1, 9)}.{d.number(1, 9)} kg"]
    ),
    "event": lambda d: f"{d.pick(BANK.event_starts)} {d.pick(BANK.event_ends)}",
    "hotel": lambda d: d.pick(
        [f"{d.pick(COMPANY_STEMS)} Hotel", f"Hotel {d.pick(COMPANY_STEMS)}", f"{d.pick(COMPANY_STEMS)} Inn"]
    ),
    "minutes": lambda d: str(d.number(3, 24) * 5),
    "degrees": lambda d: str(d.number(12, 36)),
    "low": lambda d: str(d.number(2, 11)),
    "team": lambda d: d.pick(
        [
            f"{d.pick(CITIES)} {d.pick(['United', 'Rovers', 'City', 'Tigers', 'Bears', 'Sharks', 'Eagles'])}",
            f"the {d.pick(COMPANY_STEMS)} {d.pick(['Lions', 'Wolves', 'Foxes', 'Stars', 'Bulls'])}",
        ]
    ),
    "score": lambda d: d.pick(
        [
            f"{d.number(3, 9)}:{d.number(0, 2)}",
            f"{d.number(3, 9)}-{d.number(0, 2)}",
            f"{d.number(60, 99)}-{d.number(30, 59)}",
        ]
    ),
    "zoo": lambda d: d.pick(
        [f"{d.pick(CITIES)} Zoo", f"{d.pick(COMPANY_STEMS)} Animal Park", f"{d.pick(STREET_NAMES)} Farm"]
    ),
    "floor": lambda d: d.pick("first second third fourth fifth sixth seventh eighth top ground".split()),
    "hours": lambda d: str(d.number(8, 42)),
    "pay": lambda d: d.pick(
        [
            f"{d.number(11, 38)} euros an hour",
            f"${d.number(12, 45)} an hour",
            f"£{d.number(16, 48) * 100} a month",
            f"{d.number(15, 52) * 100} euros a month",
        ]
    ),
    "land": lambda d: invented_name(d, ["ia", "os", "ey", "una", "ora"]),
    "landtown": lambda d: invented_name(d, ["ton", "haven", "burg", "port", "stad"]),
    "landriver": lambda d: invented_name(d, ["e", "ow", "in", "ar"]),
    "big": thousands,
    "kindname": lambda d: (
        f"{d.pick(BANK.kind_adjectives)} {invented_name(d, ['wort', 'bell', 'root', 'weed', 'thorn']).lower()}"
    ),
    "height": lambda d: d.pick(
        [f"{d.number(12, 99)} centimetres", f"{d.number(2, 30)} metres", f"{d.number(2, 9)} feet"]
    ),
    "roadname2": lambda d: f"{d.pick(STREET_NAMES)} {d.pick(['Street', 'Road', 'Lane', 'Avenue'])}",
    "roadname": lambda d: f"{d.pick(STREET_NAMES)} {d.pick(['Street', 'Road', 'Lane', 'Avenue'])}",
    "title": lambda d: f"{d.pick(BANK.title_starts)} {d.pick(BANK.title_ends)}",
    "pages": lambda d: str(d.number(90, 790)),
    "length": lambda d: d.pick(
        [f"{d.number(30, 990)} metres", f"{d.number(2, 9)} kilometres", f"{d.number(90, 990)} feet"]
    ),
    "million": lambda d: f"{d.number(2, 90)} million {d.pick(['euros', 'dollars', 'pounds', 'crowns'])}",
    "bridge": lambda d: f"{d.pick(COMPANY_STEMS + SURNAMES)} Bridge",
    "restaurant": lambda d: d.pick(
        [
            f"{d.pick(['Chez', 'Casa', 'Villa', 'Bistro', 'Cafe'])} {d.pick(FIRST_NAMES)}",
            f"The {d.pick(COLOURS).title()} {d.pick(ANIMALS).title()}",
        ]
    ),
    "klass": lambda d: f"class {d.number(1, 12)}{d.pick('abcdef')}",
    "first": lambda d: d.pick(FIRST_NAMES),
    "plan": lambda d: d.pick(BANK.plans),
    "pupils": lambda d: str(d.number(14, 34)),
    "rent": lambda d: d.pick([f"{d.number(7, 48) * 50} euros", f"${d.number(8, 52) * 50}", f"£{d.number(7, 45) * 50}"]),
}


def makers_of(slots: dict[str, str | list[str]]) -> dict[str, Maker]:
    """Turns the lists of values in a bank into tuples."""
    return {slot: maker if isinstance(maker, str) else tuple(maker) for slot, maker in slots.items()}


def first_of(name: str) -> str:
    return name.split()[0]


def make_value(draw: Draw, maker: Maker, values: dict[str, str]) -> str | tuple[str, str]:
    if isinstance(maker, tuple):
        return draw.pick(maker)
    if maker == "email":
        person = values.get("boss") or values.get("name") or f"{draw.pick(FIRST_NAMES)} {draw.pick(SURNAMES)}"
        return email_of(draw, person)
    if maker in MAKERS:
        return MAKERS[maker](draw)
    return draw.pick(BANK.word_lists[maker])


def fresh_value(draw: Draw, maker: Maker, values: dict[str, str], taken: list[str]) -> str | tuple[str, str]:
    """Makes a value that cannot be confused with any in `taken`. After 40 tries, returns the last one anyway."""
    for _ in range(40):
        value = make_value(draw, maker, values)
        text = (value if isinstance(value, str) else value[1]).lower()
        if maker == "person" and any(first_of(text) in other.split() for other in taken):
            continue
        if not any(alike(text, other) for other in taken):
            return value
    return value


def alike(text: str, other: str) -> bool:
    """Returns whether the texts are equal, or both have over three letters and one contains the other."""
    return text == other or len(text) > 3 and (text in other or other in text and len(other) > 3)
