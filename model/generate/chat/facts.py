"""Everyday facts. A question is a tuple: the question, the full answer, the short answer."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import Slots, capital, fill, mend
from ..words import COUNTRIES
from .users import careless, in_context, says

BANK = load_bank("chat/facts")
OPPOSITES, YOUNG = BANK.pair_facts[0].pairs, BANK.pair_facts[1].pairs
SHARED_YOUNG = ("cub", "pup", "calf", "caterpillar", "chick")
NOT_OPPOSITES = ["table", "blue", "apple", "seven", "music", "window", "paper", "garden", "chair", "river"]
ON_TWO_CONTINENTS = ("Russia", "Turkey", "Egypt", "Australia")


def pair_fact(draw: Draw) -> tuple[str, str, str]:
    wordings, answer, known = draw.pick(BANK.pair_facts)
    x, y = draw.pick(known)
    values = Slots(x=x, y=y)
    return mend(says(draw, wordings, values)), mend(fill(answer, values)), capital(y)


def plain_fact(draw: Draw) -> tuple[str, str, str]:
    wordings, answer, short = draw.pick(BANK.plain_facts)
    return careless(draw, draw.wording(wordings)), answer, short


def country_fact(draw: Draw) -> tuple[str, str, str]:
    country, city, language, continent = draw.pick(COUNTRIES)
    values = Slots(country=country, capital=city)
    continent_weight = 0 if country in ON_TWO_CONTINENTS else 2
    wordings, answer, short = draw.rng.choices(
        [
            (BANK.capital_asks, f"The capital of {country} is {city}.", city),
            (BANK.country_asks, f"{city} is the capital of {country}.", capital(country)),
            (BANK.continent_asks, f"{capital(country)} is in {continent}.", continent),
            (BANK.language_asks, f"People in {country} speak {language}.", language),
        ],
        [5, 3, continent_weight, 2],
    )[0]
    return says(draw, wordings, values), answer, short


def spelling(draw: Draw) -> tuple[str, str, str]:
    word = draw.pick(BANK.spell_words)
    letters = "-".join(word.upper())
    return says(draw, BANK.spell_asks, {"word": word}), letters, letters


def a_fact(draw: Draw) -> tuple[str, str, str]:
    return draw.rng.choices([pair_fact, plain_fact, country_fact], [5, 4, 3])[0](draw)


def fact(draw: Draw) -> dict:
    turns = []
    for _ in range(draw.pick([1, 1, 1, 1, 2, 2, 3])):
        question, answer, _ = spelling(draw) if draw.chance(0.05) else a_fact(draw)
        turns += [in_context(draw, question), answer]
    return row("fact", *turns)


def yes_no(draw: Draw) -> tuple[str, str, str]:
    """Asks about a capital, an opposite, a young animal or a sum; the short answer is Yes or No."""
    right = draw.chance(0.5)
    kinds = [capital_yes_no, opposite_yes_no, young_yes_no, sum_yes_no]
    question, answer = draw.rng.choices(kinds, [4, 3, 2, 2])[0](draw, right)
    short = "Yes" if right else "No"
    return question, f"{short}, {answer}", short


def sum_yes_no(draw: Draw, right: bool) -> tuple[str, str]:
    a, b = draw.number(1, 10), draw.number(1, 10)
    claimed = a + b if right else a + b + draw.pick([-2, -1, 1, 2, 10])
    return says(draw, BANK.sum_yes_no, {"a": a, "b": b, "c": claimed}), f"{a} + {b} = {a + b}."


def young_yes_no(draw: Draw, right: bool) -> tuple[str, str]:
    parent, young = draw.pick(YOUNG)
    claimed = young if right else draw.pick([y for _, y in YOUNG if y not in (young, *SHARED_YOUNG)])
    question = mend(says(draw, BANK.young_yes_no, {"x": parent, "y": claimed}))
    return question, mend(f"a young {parent} is called a {young}.")


def capital_yes_no(draw: Draw, right: bool) -> tuple[str, str]:
    country, city, *_ = draw.pick(COUNTRIES)
    claimed = city if right else draw.pick([other.capital for other in COUNTRIES if other.capital != city])
    question = says(draw, BANK.yes_no_asks, Slots(country=country, capital=claimed))
    return question, f"{city} is the capital of {country}." if right else f"the capital of {country} is {city}."


def opposite_yes_no(draw: Draw, right: bool) -> tuple[str, str]:
    x, y = draw.pick(OPPOSITES)
    question = says(draw, BANK.opposite_yes_no, Slots(x=x, y=y if right else draw.pick(NOT_OPPOSITES)))
    return question, f"the opposite of {x} is {y}."


def small_sum(draw: Draw) -> tuple[str, str, str]:
    left, right = draw.number(1, 10), draw.number(1, 10)
    return says(draw, BANK.sum_asks, {"a": left, "b": right}), f"{left} + {right} = {left + right}.", str(left + right)
