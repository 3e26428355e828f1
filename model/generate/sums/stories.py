"""Word problems."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import capital, fill
from ..words import FIRST_NAMES, ITEMS, MONTHS, WEEKDAYS

BANK = load_bank("sums/stories")
ARITHMETIC = load_bank("sums/arithmetic")


def story(draw: Draw) -> dict:
    """Makes a word problem of two or three sentences; the reply shows the sum."""
    wordings, sign, unit = draw.rng.choices(BANK.stories, [5, 5, 4, 3, 4, 4, 3, 2])[0]
    name, other = draw.sample(FIRST_NAMES, 2)
    day, day2 = draw.sample(WEEKDAYS, 2)
    top = draw.pick([12, 20, 20, 60])
    if sign == "+":
        a, b = draw.number(2, top), draw.number(2, top)
        result = a + b
    elif sign == "-":
        b = draw.number(2, top)
        result = draw.number(2, top)
        a = b + result
    elif sign == "*":
        a, b = draw.number(2, 9), draw.number(2, 10)
        result = a * b
    else:
        b, result = draw.number(2, 9), draw.number(2, 10)
        a = b * result
    values = {
        "name": name,
        "other": other,
        "day": day,
        "day2": day2,
        "item": draw.pick(ITEMS),
        "month": draw.pick(MONTHS),
        "a": a,
        "b": b,
    }
    question = capital(fill(draw.wording(wordings), values))
    if draw.chance(0.2):
        return row("sums", f"{question} {draw.wording(ARITHMETIC.only)}", str(result))
    return row("sums", question, f"{a} {sign} {b} = {result} {unit.format(**values)}.")
