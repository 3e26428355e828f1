"""Several small sums in one conversation."""

from ..banks import load_bank
from ..draw import Draw, row
from ..everyday.requests import ask

ARITHMETIC = load_bank("sums/arithmetic")


def sums(draw: Draw) -> dict:
    """Makes several sums in one conversation. Numbers are at most 12, or 24 on the left of a minus."""
    turns = []
    for _ in range(draw.pick([1, 2, 4, 6, 8])):
        right, other = draw.number(0, 12), draw.number(0, 12)
        sign = draw.pick("++-")
        left, result = (other, other + right) if sign == "+" else (other + right, other)
        spoken = draw.chance(0.4) and (sign == "+" or left != right)
        expression = (
            draw.pick(ARITHMETIC.spoken[sign]).format(a=left, b=right)
            if spoken
            else draw.pick(["{} {} {}", "{} {} {}", "{}{}{}"]).format(left, draw.pick(ARITHMETIC.signs[sign]), right)
        )
        turns += [ask(draw, ARITHMETIC.plain, {"s": expression}), f"{left} {sign} {right} = {result}"]
    return row("sums", *turns)
