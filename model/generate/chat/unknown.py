"""Questions that the model cannot answer."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import fill
from ..words import company, full_name
from .users import asks, says, slots

BANK = load_bank("chat/unknown")


def unknown(draw: Draw) -> dict:
    values = slots(draw)
    values.update(
        full=full_name(draw),
        company=company(draw),
        nonsense=draw.pick(BANK.nonsense_starts) + draw.pick(BANK.nonsense_ends),
        big=str(draw.number(1001, 9999)),
        big2=str(draw.number(201, 999)),
    )
    turns = []
    for said, replies in draw.sample(BANK.unknown, draw.pick([1, 1, 1, 2])):
        turns += [
            asks(draw, said, values) if said[0].endswith("?") else says(draw, said, values),
            fill(replies[0], values),
        ]
    return row("unknown", *turns)
