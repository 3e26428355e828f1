"""Places to eat and drink: records in the form of the E2E set, and descriptions that say every fact once. No command of its own.

The public rows of that set know one kind of place, two kitchens and thirty names, so that a model trained on them alone calls
every place a coffee shop. Here any value can stand in any record, and the people's descriptions are told of other places, too.
"""
import re

from .draw import Draw, row
from .words import CITIES, FIRST_NAMES, SURNAMES

KINDS = """pub;pub;restaurant;restaurant;restaurant;coffee shop;cafe;bar;bistro;tea room;wine bar;diner;canteen;pizzeria;snack bar;brasserie;inn;steakhouse;bakery;sandwich shop;
juice bar;noodle bar""".replace("\n", "").split(";")
KITCHENS = """Italian;Italian;French;French;Japanese;Japanese;Indian;Indian;English;Chinese;Fast food;Fast food;Thai;Greek;Spanish;Turkish;Mexican;Korean;Vietnamese;Lebanese;Moroccan;
German;Polish;Swedish;Brazilian;Peruvian;Ethiopian;Persian;Caribbean;Irish;Scottish;Portuguese;American;Vegetarian;Vegan;Hungarian;Indonesian;Nepalese;Russian""".replace("\n", "").split(";")
PRICES = ["cheap", "moderate", "high", "less than £20", "£20-25", "more than £30"]
OTHER_PRICES = ["£10-15", "£15-20", "£25-30", "less than £10", "less than $15", "more than £40", "more than €50", "€10-20"]
RATINGS = ["low", "average", "high", "1 out of 5", "3 out of 5", "5 out of 5"]
OTHER_RATINGS = ["2 out of 5", "4 out of 5", "good", "excellent", "poor", "7 out of 10", "9 out of 10"]
AREAS = ["riverside", "city centre"]
OTHER_AREAS = ["old town", "harbour", "market square", "west end", "station", "university", "castle", "beach", "town centre", "docks", "park", "north side"]
FIRST_WORDS = """Blue Green Red Golden Silver Black White Crimson Copper Old New Little Royal Happy Lucky Hungry Sleepy Wild Quiet Merry Bright Hidden Rusty Velvet Wooden Crystal Summer
Winter Sunny Amber Scarlet Harbour Station Market Lemon Saffron Ginger Maple Stone Lakeside Highland Garden Corner Honey Tea""".split()
LAST_WORDS = """Lion Horse Swan Anchor Crown Wheel Oak Rose Ship Fox Hound Boat Bridge Lantern Barrel Harp Feather Kettle Table Spoon Arms Garden House Corner Kitchen Palace Fiddler
Farmer Sailor Hunter Miller Weaver Owl Heron Badger Elephant Dragon Pepper Olive Basil Grove Cellar Tavern Square Terrace Orchard Compass Saucepan""".split()
ENDINGS = ["Hotel", "Inn", "Café", "Grill", "Cuisine", "House", "Tavern", "by Parkside Lodge", "Bar", "Bar Two", "Kitchen", "Arms", "Steakhouse", "Park Hotel", "Vegan Deli"]
ASKS = [*["Turn these facts into a sentence or two: {}", "Write a short description of a restaurant with these facts: {}", "Describe this place in natural language: {}"] * 3,
        "Describe the place with these facts: {}", "Put these facts into words: {}", "Tell me about this place in one or two sentences: {}", "Facts: {}\nWrite a description.",
        "{}\n\nDescribe this place.", "Write this up as a short text: {}", "Say this in plain English: {}", "Make a short text of this record: {}"]
Record = dict[str, str]


def place(draw: Draw) -> dict:
    record = make_record(draw)
    return row("data_to_text", draw.pick(ASKS).format(written(record)), describe(draw, record))


def renamed(draw: Draw, written_record: str, description: str) -> dict:
    """A public row whose description says every value: the same, told of another place."""
    record = dict(re.findall(r"(\w[\w ]*)\[([^\]]*)\]", written_record))
    other = {**record, **{slot: value for slot, value in make_record(draw, whole=True).items() if slot in record and slot in ("name", "eatType", "food", "near")}}
    if len({value.lower() for value in record.values()}) < len(record):
        other = record   # a value of two slots can not be told apart in the text
    places = {value: f"\0{i}\0" for i, value in enumerate(record.values())}
    for value in sorted(places, key=len, reverse=True):
        description = re.sub(re.escape(value), places[value], description, flags=re.I)
    for slot, value in record.items():
        description = description.replace(places[value], other[slot])
    description = re.sub(r"\b([Aa])n? (?=(\w))", lambda m: m[1] + ("n " if m[2] in "AEIOaeio" else " "), description).replace("food food", "food")
    return row("data_to_text", draw.pick(ASKS).format(written(other)), description[0].upper() + description[1:])


def make_record(draw: Draw, whole: bool = False) -> Record:
    values = {"name": name(draw), "eatType": draw.pick(KINDS), "food": draw.pick(KITCHENS), "priceRange": draw.pick(PRICES if draw.chance(0.8) else OTHER_PRICES),
              "customer rating": draw.pick(RATINGS if draw.chance(0.8) else OTHER_RATINGS), "area": draw.pick(AREAS if draw.chance(0.7) else OTHER_AREAS),
              "familyFriendly": draw.pick(["yes", "no"]), "near": name(draw)}
    if whole:
        return values
    kept = ["name", *draw.sample(list(values)[1:], draw.rng.choices([2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 5, 3])[0])]
    return {slot: values[slot] for slot in values if slot in kept}


def name(draw: Draw) -> str:
    kind = draw.number(0, 9)
    if kind < 3:
        return "The " + draw.pick(LAST_WORDS) + ("s" if draw.chance(0.3) else "")
    if kind < 5:
        return draw.pick(["The ", ""]) + f"{draw.pick(FIRST_WORDS)} {draw.pick(LAST_WORDS)}"
    if kind == 5:
        return f"{draw.pick(['Café', 'Hotel', 'Casa', 'Chez', 'Taste of'])} {draw.pick(CITIES)}"
    if kind == 6:
        return draw.pick([f"{draw.pick(FIRST_NAMES)}'s", draw.pick(FIRST_NAMES), f"{draw.pick(SURNAMES)} House", f"{draw.pick(SURNAMES)} & {draw.pick(SURNAMES)}"])
    if kind == 7:
        return draw.pick(FIRST_WORDS + LAST_WORDS)
    return f"{draw.pick([*FIRST_WORDS, *CITIES[:80], *SURNAMES[:80]])} {draw.pick(['', draw.pick(LAST_WORDS) + ' '])}{draw.pick(ENDINGS)}"


def written(record: Record) -> str:
    return ", ".join(f"{slot}[{value}]" for slot, value in record.items())


# --- in words ---------------------------------------------------------------------------------------------------

def describe(draw: Draw, record: Record) -> str:
    """A sentence on what it is and where, and one or two on the rest; every value stands there as it is written."""
    left = dict(record)
    called, kind = left.pop("name"), left.pop("eatType", "place")
    before = ""
    if "familyFriendly" in left and draw.chance(0.4):
        before = "family friendly " if left.pop("familyFriendly") == "yes" else "non family friendly "
    if "food" in left and not left["food"].endswith("food") and draw.chance(0.35):
        before += left.pop("food") + " "
    if "priceRange" in left and left["priceRange"] == "cheap" and draw.chance(0.3):
        before = left.pop("priceRange") + (", " if before else " ") + before
    text = draw.pick(["{0} is {1}", "{0} is {1}", "{0} is {1}", "There is {1} called {0}"]).format(called, article(before + kind))
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
    rest = [told(draw, slot, left[slot]) for slot in draw.sample(list(left), len(left))]
    sentences = [text]
    while rest:
        taken, rest = rest[:2], rest[2:]
        it = draw.pick(["It", "It", "The place"])
        sentences.append(f"{it} {' and '.join(taken)}")
    return ". ".join(sentences) + "."


TOLD = {
    "priceRange": ["has a {} price range", "has prices that are {}", "has a price range of {}"],
    "customer rating": ["has a customer rating of {}", "has a {} customer rating", "is rated {} by its customers"],
    "area": ["is in the {} area", "stands in the {} area", "is in the {}"],
    "near": ["is near {}", "is close to {}", "can be found near {}"],
    "yes": ["is family friendly", "welcomes families", "is a good place for children"],
    "no": ["is not family friendly", "is not for children", "does not welcome families"],
}


def told(draw: Draw, slot: str, value: str) -> str:
    return draw.pick(TOLD[value if slot == "familyFriendly" else slot]).format(value)


def article(text: str) -> str:
    return ("an " if text[0] in "AEIOaeio" else "a ") + text
