"""A few sentences about a topic."""

from ..banks import load_bank
from ..draw import Draw, row
from .requests import ask, request

BANK = load_bank("everyday/about")
COUNTS = {
    1: ["one sentence", "a sentence", "1 sentence"],
    2: ["two sentences", "2 sentences", "two short sentences"],
    3: ["three sentences", "3 sentences", "three short sentences"],
}


def about(draw: Draw) -> dict:
    """Asks for one to three sentences about a topic, and perhaps for one more."""
    topic = draw.pick(list(BANK.topics))
    sentences = BANK.topics[topic]
    count = draw.pick([1, 2, 2, 2, 3, 3])
    if draw.chance(0.25):
        text = request(draw, BANK.short_text, [], {"x": topic})
        count = 3
    else:
        values = {"n": draw.pick(COUNTS[count]), "x": topic}
        text = request(draw, BANK.about_verbs, BANK.about_things if count > 1 else [], values)
    turns = [text, " ".join(sentences[:count])]
    if count < len(sentences) and draw.chance(0.3):
        turns += [ask(draw, BANK.one_more_sentence, {}), sentences[count]]
    return row("story", *turns)
