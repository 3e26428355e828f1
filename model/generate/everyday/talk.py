"""Chatter and advice."""

from ..banks import load_bank
from ..draw import Draw, row
from .requests import ask, loose

BANK = load_bank("everyday/talk")
FEELINGS = load_bank("chat/feelings")


def chatter(draw: Draw) -> dict:
    turns = []
    for said, replies in draw.sample(BANK.chatter, draw.pick([1, 1, 2, 3])):
        turns += [loose(draw, draw.wording(said)), draw.pick(replies)]
    return row("small_talk", *turns)


def advised(draw: Draw) -> dict:
    turns = []
    for wish, tip in draw.sample(
        draw.pick([BANK.more_advice, BANK.more_advice, FEELINGS.advice]), draw.pick([1, 1, 2])
    ):
        turns += [ask(draw, BANK.how_to, {"x": wish}), tip]
    if draw.chance(0.15):
        turns += [ask(draw, BANK.another_tip, {}), draw.pick(BANK.general_tips)]
    return row("advice", *turns)
