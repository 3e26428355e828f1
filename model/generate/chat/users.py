"""Values that a chat is about, and the way users type."""

from ..banks import load_bank
from ..draw import Draw
from ..text import Slots, after, fill
from ..words import ANIMALS, CITIES, COLOURS, COUNTRIES, FIRST_NAMES, FOODS, ITEMS, MONTHS, WEEKDAYS
from ..words import HOBBIES as ALL_HOBBIES
from ..words import JOBS as ALL_JOBS

BANK = load_bank("chat/users")
HOBBIES = [hobby for hobby in ALL_HOBBIES if any(word.endswith("ing") for word in hobby.split())] + BANK.more_hobbies
JOBS = [job for job in ALL_JOBS if job not in ("neighbour", "student", "mayor", "captain")]


def slots(draw: Draw) -> Slots:
    """Draws a value for every slot of the chat banks."""
    name, other, third = draw.sample(FIRST_NAMES, 3)
    country, capital, language, continent = draw.pick(COUNTRIES)
    animal = draw.pick(ANIMALS)
    city, city2 = draw.sample(CITIES, 2)
    day, day2 = draw.sample(WEEKDAYS, 2)
    return Slots(
        name=name,
        other=other,
        third=third,
        country=country,
        capital=capital,
        animal=animal,
        city=city,
        city2=city2,
        day=day,
        day2=day2,
        job=draw.pick(JOBS),
        item=draw.pick(ITEMS),
        food=draw.pick(FOODS),
        colour=draw.pick(COLOURS),
        hobby=draw.pick(HOBBIES),
        month=draw.pick(MONTHS),
        n=str(draw.number(2, 12)),
        age=str(draw.number(15, 79)),
        sport=draw.pick(BANK.sports),
        instrument=draw.pick(BANK.instruments),
        subject=draw.pick(BANK.subjects),
        language=draw.pick(BANK.languages),
        drink=draw.pick(BANK.drinks),
        weather=draw.pick(BANK.weathers),
        pet=draw.pick(BANK.pets),
        petname=draw.pick(BANK.pet_names),
        book=draw.pick(BANK.book_kinds),
        film=draw.pick(BANK.film_kinds),
        music=draw.pick(BANK.music_kinds),
        relative=draw.pick(BANK.relatives),
        plant=draw.pick(BANK.plants),
        chore=draw.pick(BANK.chores),
        plan=draw.pick(BANK.plans),
        feel=draw.pick(BANK.tired),
        km=str(draw.number(3, 25)),
        hours=str(draw.number(2, 9)),
        number=str(draw.number(1, 99)),
    )


def careless(draw: Draw, template: str) -> str:
    """Drops capital letters or the last mark, or adds a typo, in about a sixth of the texts; leaves slots alone."""
    kind = draw.rng.random()
    if kind < 0.05 and "{" not in template:
        template = template.lower()
    elif kind < 0.05:
        template = template[0].lower() + template[1:]
    elif kind < 0.10:
        template = template.rstrip("?.!")
    elif kind < 0.14:
        template = template[0].lower() + template[1:].rstrip("?.!")
    elif kind < 0.17:
        template = typo(draw, template)
    return template.strip() or "hello"


def typo(draw: Draw, template: str) -> str:
    words = template.split(" ")
    places = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha() and word.islower()]
    if places:
        i = draw.pick(places)
        at = draw.number(1, len(words[i]) - 3)
        words[i] = words[i][:at] + words[i][at + 1] + words[i][at] + words[i][at + 2 :]
    return " ".join(words)


def says(draw: Draw, wordings: list[str], values: dict) -> str:
    """Draws a wording, typed carelessly now and then, and fills it."""
    return fill(careless(draw, draw.wording(wordings)), values)


def asks(draw: Draw, wordings: list[str], values: dict) -> str:
    """Asks a question, now and then with words before or after it."""
    text = says(draw, wordings, values)
    chance = draw.rng.random()
    if chance < 0.2:
        return after(draw.wording(BANK.prefixes), text)
    if chance < 0.26 and text[-1] in "?.!":
        return f"{text} {draw.wording(BANK.suffixes)}"
    return text


def in_context(draw: Draw, question: str) -> str:
    """Puts words before or after a question, now and then."""
    chance = draw.rng.random()
    if chance < 0.17:
        return after(draw.wording(BANK.prefixes), question)
    if chance < 0.22 and question[-1] in "?.!":
        return f"{question} {draw.wording(BANK.suffixes)}"
    return question
