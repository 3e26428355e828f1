"""Characters with a name and a trade."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import Slots, fill, mend
from ..words import FIRST_NAMES
from .facts import child_fact
from .requests import ask

BANK = load_bank("everyday/roles")


def character(draw: Draw) -> dict:
    """Asks a character for its name and its trade."""
    name, other = draw.sample(FIRST_NAMES, 2)
    given = Slots(name=name, other=other, job=draw.pick(BANK.trades))
    turns = []
    for wordings, replies in draw.sample(BANK.part_asks, draw.pick([1, 2, 2, 3])):
        turns += [ask(draw, wordings, given), mend(fill(replies[0] if draw.chance(0.7) else draw.pick(replies), given))]
    if draw.chance(0.25):
        turns += child_fact(draw)[:2]
    return row(
        "system_prompt",
        *turns,
        system=mend(fill(draw.wording(BANK.parts), given))
        + draw.pick(["", "", "", " Be friendly.", " Stay in your role.", " Answer briefly."]),
    )
