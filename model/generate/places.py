"""Places to eat and drink: records in the form of the E2E data set, and descriptions that mention every value once.

The public rows of that set know one kind of place, two cuisines and thirty names, so a model that is trained on them
alone calls every place a coffee shop. Here any value can be in any record, and public descriptions are rewritten for
other places.
"""

import re

from .banks import load_bank
from .draw import Draw, row
from .words import CITIES, FIRST_NAMES, SURNAMES

BANK = load_bank("places")
KINDS = BANK.kinds
KITCHENS = BANK.kitchens
ASKS = BANK.usual_asks * 3 + BANK.asks

Record = dict[str, str]


def place(draw: Draw) -> dict:
    record = make_record(draw)
    return row("data_to_text", draw.pick(ASKS).format(to_text(record)), describe(draw, record))


def renamed(draw: Draw, written_record: str, description: str) -> dict:
    """Rewrites a public row for another place. The description must mention every value."""
    record = dict(re.findall(r"(\w[\w ]*)\[([^\]]*)\]", written_record))
    other = {
        **record,
        **{
            slot: value
            for slot, value in make_record(draw, whole=True).items()
            if slot in record and slot in ("name", "eatType", "food", "near")
        },
    }
    if len({value.lower() for value in record.values()}) < len(record):
        other = record  # Two slots with the same value look the same in the text.
    places = {value: f"\0{i}\0" for i, value in enumerate(record.values())}
    for value in sorted(places, key=len, reverse=True):
        description = re.sub(re.escape(value), places[value], description, flags=re.I)
    for slot, value in record.items():
        description = description.replace(places[value], other[slot])
    description = re.sub(
        r"\b([Aa])n? (?=(\w))", lambda m: m[1] + ("n " if m[2] in "AEIOaeio" else " "), description
    ).replace("food food", "food")
    return row("data_to_text", draw.pick(ASKS).format(to_text(other)), description[0].upper() + description[1:])


def make_record(draw: Draw, whole: bool = False) -> Record:
    values = {
        "name": name(draw),
        "eatType": draw.pick(KINDS),
        "food": draw.pick(KITCHENS),
        "priceRange": draw.pick(BANK.prices if draw.chance(0.8) else BANK.other_prices),
        "customer rating": draw.pick(BANK.ratings if draw.chance(0.8) else BANK.other_ratings),
        "area": draw.pick(BANK.areas if draw.chance(0.7) else BANK.other_areas),
        "familyFriendly": draw.pick(["yes", "no"]),
        "near": name(draw),
    }
    if whole:
        return values
    kept = ["name", *draw.sample(list(values)[1:], draw.rng.choices([2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 5, 3])[0])]
    return {slot: values[slot] for slot in values if slot in kept}


def name(draw: Draw) -> str:
    kind = draw.number(0, 9)
    if kind < 3:
        return "The " + draw.pick(BANK.last_words) + ("s" if draw.chance(0.3) else "")
    if kind < 5:
        return draw.pick(["The ", ""]) + f"{draw.pick(BANK.first_words)} {draw.pick(BANK.last_words)}"
    if kind == 5:
        return f"{draw.pick(['Café', 'Hotel', 'Casa', 'Chez', 'Taste of'])} {draw.pick(CITIES)}"
    if kind == 6:
        return draw.pick(
            [
                f"{draw.pick(FIRST_NAMES)}'s",
                draw.pick(FIRST_NAMES),
                f"{draw.pick(SURNAMES)} House",
                f"{draw.pick(SURNAMES)} & {draw.pick(SURNAMES)}",
            ]
        )
    if kind == 7:
        return draw.pick(BANK.first_words + BANK.last_words)
    first = draw.pick([*BANK.first_words, *CITIES[:80], *SURNAMES[:80]])
    return f"{first} {draw.pick(['', draw.pick(BANK.last_words) + ' '])}{draw.pick(BANK.endings)}"


def to_text(record: Record) -> str:
    return ", ".join(f"{slot}[{value}]" for slot, value in record.items())


def describe(draw: Draw, record: Record) -> str:
    """Writes a sentence about the kind of place and where it is, then more sentences. Repeats every value verbatim."""
    left = dict(record)
    called, kind = left.pop("name"), left.pop("eatType", "place")
    before = ""
    if "familyFriendly" in left and draw.chance(0.4):
        before = "family friendly " if left.pop("familyFriendly") == "yes" else "non family friendly "
    if "food" in left and not left["food"].endswith("food") and draw.chance(0.35):
        before += left.pop("food") + " "
    if "priceRange" in left and left["priceRange"] == "cheap" and draw.chance(0.3):
        before = left.pop("priceRange") + (", " if before else " ") + before
    text = draw.pick(["{0} is {1}", "{0} is {1}", "{0} is {1}", "There is {1} called {0}"]).format(
        called, article(before + kind)
    )
    if "food" in left:
        served = left.pop("food")
        served += "" if served.endswith("food") else " food"
        text += draw.pick([" that serves {}", " serving {}", " with {}", " which offers {}"]).format(served)
    where = []
    if "area" in left and draw.chance(0.85):
        where.append(draw.pick(["in the {} area", "in the {} area", "in the {}", "at the {}"]).format(left.pop("area")))
    if "near" in left and draw.chance(0.85):
        where.append(draw.pick(["near {}", "near {}", "close to {}"]).format(left.pop("near")))
    draw.rng.shuffle(where)
    text += "".join(f" {one}" for one in where)
    rest = [clause(draw, slot, left[slot]) for slot in draw.sample(list(left), len(left))]
    sentences = [text]
    while rest:
        taken, rest = rest[:2], rest[2:]
        it = draw.pick(["It", "It", "The place"])
        sentences.append(f"{it} {' and '.join(taken)}")
    return ". ".join(sentences) + "."


def clause(draw: Draw, slot: str, value: str) -> str:
    return draw.pick(BANK.clauses[value if slot == "familyFriendly" else slot]).format(value)


def article(text: str) -> str:
    return ("an " if text[0] in "AEIOaeio" else "a ") + text
