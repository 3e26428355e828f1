"""The wording of a request.

A request is a verb ("list three fruits") or a thing ("three fruits") in a frame ("Can you …?", "I need …"). Requests
and frames come from banks with held-out entries.
"""

from ..banks import load_bank
from ..draw import Draw
from ..text import fill, mend
from ..words import FIRST_NAMES

BANK = load_bank("everyday/requests")


def loose(draw: Draw, text: str) -> str:
    """Drops the capital letter, the last mark or both in about a third of the requests."""
    kind = draw.rng.random()
    if kind < 0.24 and not text.startswith(("I ", "I'", *FIRST_NAMES)):
        text = text[0].lower() + text[1:]
    if 0.12 < kind < 0.36:
        text = text.rstrip("?.!") or text
    return text


def request(draw: Draw, verbs: list[str], things: list[str], values: dict) -> str:
    wishes, frames = draw.pick(
        [(verbs, BANK.verb_frames), (things or verbs, BANK.thing_frames if things else BANK.verb_frames)]
    )
    return loose(draw, fill(draw.wording(frames), {"r": fill(draw.wording(wishes), values)}))


def ask(draw: Draw, wordings: list[str], values: dict) -> str:
    return loose(draw, mend(fill(draw.wording(wordings), values)))
