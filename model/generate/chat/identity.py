"""Questions about the assistant itself."""

from ..banks import load_bank
from ..draw import Draw, row
from .small_talk import opening
from .users import asks, says, slots

BANK = load_bank("chat/identity")


def identity(draw: Draw) -> dict:
    values = slots(draw)
    turns = opening(draw, values)[:2] if draw.chance(0.2) else []
    for said, replies in draw.sample(BANK.identity, draw.pick([1, 1, 1, 1, 2, 2, 3])):
        turns += [asks(draw, said, values) if draw.chance(0.6) else says(draw, said, values), replies[0]]
    return row("identity", *turns)
