"""Requests for single values from short texts."""

import re

from ..banks import load_bank
from ..draw import Draw
from .frames import assistant, careless, place, user, with_helpful_system
from .vary import NOT_SAID, shortened

BANK = load_bank("handwritten/extracts")

QUESTION_WORD = re.compile(
    r"^(?:who|what|when|where|which|why|how|is|are|do|does|did|can|must|may|whose|whom|from|to|at|on|in|for|by|with|until|since)\b",
    re.I,
)


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    record = shortened(draw, variations.of(draw, handwritten.deal(draw, "extract")), "asks")
    asked = [(one["ask"], one["value"]) for one in record["asks"]]
    if draw.chance(0.4):
        asked.append((record["missing"], NOT_SAID))
    asked += [
        (re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", key).lower(), value)
        for key, value in record["fields"].items()
        if isinstance(value, str) and value in record["text"] and draw.chance(0.5)
    ]
    draw.rng.shuffle(asked)
    messages = []
    for ask, value in asked[: draw.pick([1, 2, 3, 4, 6])]:
        ask = careless(draw, worded(draw, ask)) + draw.pick(BANK.ends)
        messages += [user(place(draw, ask, record["text"]) if not messages else ask), assistant(value)]
    return with_helpful_system(draw, messages)


def worded(draw: Draw, ask: str) -> str:
    """Puts a phrase such as "postcode?" into a frame; returns a question unchanged."""
    bare = ask.rstrip("?.: ")
    if QUESTION_WORD.match(bare) or len(bare.split()) > 4 or draw.chance(0.2):
        return ask
    bare = re.sub(
        r"^(?:the|extract the|extract|give me the) ", "", bare[0].lower() + bare[1:] if bare[1:2].islower() else bare
    )
    return draw.pick(BANK.phrase_asks).format(bare)
