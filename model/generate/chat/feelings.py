"""Feelings and advice."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import fill
from .users import asks, says, slots

BANK = load_bank("chat/feelings")
SMALL_TALK = load_bank("chat/small_talk")


def feelings(draw: Draw) -> dict:
    values = slots(draw)
    if draw.chance(0.4):
        said, replies = draw.pick(BANK.bad_days)
        turns = [says(draw, said, values), fill(replies[0], values)]
    else:
        words, reply = draw.pick(BANK.feelings)
        values["f"] = draw.pick(words)
        turns = [says(draw, BANK.feeling_says, values), fill(reply, values)]
    if draw.chance(0.3):
        thanks = draw.chance(0.7) or not turns[-1].endswith("?")
        said, replies = BANK.after_feeling[0 if thanks else 1]
        turns += [says(draw, said, values), replies[0]]
    return row("feelings", *turns)


def advice(draw: Draw) -> dict:
    values = slots(draw)
    turns = []
    for x, answer in draw.sample(BANK.advice, draw.pick([1, 1, 1, 2])):
        turns += [asks(draw, BANK.how_asks, {**values, "x": x}), answer]
    if draw.chance(0.2):
        turns += [says(draw, SMALL_TALK.courtesies[0].says, values), SMALL_TALK.courtesies[0].replies[0]]
    return row("advice", *turns)
