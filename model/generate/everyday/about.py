"""A few sentences about a topic."""

from ..banks import load_bank
from ..draw import Draw, row
from .requests import ask, request

BANK = load_bank("everyday/about")


def about(draw: Draw) -> dict:
    """One to three sentences about an everyday topic, perhaps one more afterwards."""
    topic = draw.pick(list(BANK.topics))
    told = BANK.topics[topic]
    count = draw.pick([1, 2, 2, 2, 3, 3])
    if draw.chance(0.25):
        text = request(draw, BANK.short_text, [], {"x": topic})
        count = 3
    else:
        number = {
            1: ["one sentence", "a sentence", "1 sentence"],
            2: ["two sentences", "2 sentences", "two short sentences"],
            3: ["three sentences", "3 sentences", "three short sentences"],
        }[count]
        text = request(
            draw, BANK.about_verbs, BANK.about_things if count > 1 else [], {"n": draw.pick(number), "x": topic}
        )
    turns = [text, " ".join(told[:count])]
    if count < len(told) and draw.chance(0.3):
        turns += [ask(draw, BANK.one_more_sentence, {}), told[count]]
    return row("story", *turns)
