"""Greetings, courtesies and small talk."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import after, fill
from .users import says, slots

BANK = load_bank("chat/small_talk")
RECALL = {recall.theme: recall for recall in BANK.recalls}


def small_talk(draw: Draw) -> dict:
    """Talks about a theme in one to three exchanges, perhaps with a greeting, a later question or thanks."""
    values, turns = slots(draw), []
    if draw.chance(0.45):
        turns += opening(draw, values)
    theme = draw.pick(list(BANK.themes))
    steps = BANK.themes[theme]
    for i, (said, replies) in enumerate(steps[: draw.rng.choice([1, 1, 2, 2, 3, 3])]):
        text = says(draw, said, values)
        if i == 0 and not turns and draw.chance(0.3):
            text = after(draw.wording(BANK.openings), text)
        turns += [text, fill(draw.pick(replies), values)]
    recall = RECALL.get(theme)
    if recall and draw.chance(0.45) and values[recall.slot].lower() in " ".join(turns[0::2]).lower():
        turns += [says(draw, recall.says, values), fill(draw.pick(recall.replies), values)]
    if draw.chance(0.25):
        said, replies = draw.pick(BANK.courtesies[:2])
        turns += [says(draw, said, values), replies[0]]
    return row("small_talk", *turns[:16])


def opening(draw: Draw, values: dict) -> list[str]:
    said, replies = draw.pick([BANK.greetings[0], BANK.greetings[0], BANK.greetings[1]])
    turns = [says(draw, said, values), fill(draw.pick(replies), values)]
    if draw.chance(0.5):
        turns += [says(draw, BANK.how_are_you, values), BANK.how_are_you_reply]
        if draw.chance(0.5):
            said, replies = draw.pick(BANK.fine)
            turns += [says(draw, said, values), draw.pick(replies)]
    return turns


def courtesy(draw: Draw) -> dict:
    """Exchanges one or two courtesies, perhaps after a greeting."""
    values, turns = slots(draw), []
    if draw.chance(0.4):
        turns += opening(draw, values)
    elif draw.chance(0.3):
        turns += [says(draw, BANK.how_are_you, values), BANK.how_are_you_reply]
    for said, replies in draw.sample(BANK.courtesies, draw.pick([1, 1, 2])):
        turns += [says(draw, said, values), replies[0]]
    return row("small_talk", *turns)
