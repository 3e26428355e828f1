"""Reviews with a tone, and rows that ask for the tone."""

import re

from ..banks import load_bank
from ..draw import Draw
from .families import fill
from .requests import Asked, build, style

BANK = load_bank("labels/reviews")
TONES = ["positive", "negative", "neutral"]
NOUNS = ["sentiment", "opinion", "attitude", "tone"]
KINDS = ["review", "comment", "text", "sentence", "film review", "opinion"]


def review(draw: Draw, tone: str) -> str:
    """Writes a review in the tone."""
    if draw.chance(0.12):
        text = fill(draw, draw.wording(BANK.sentiment_whole[tone]))
    else:
        _, things, *banks = draw.pick(BANK.sentiment_things)
        fragments = banks[TONES.index(tone)]
        count = draw.pick([1, 1, 2, 2, 3])
        parts = []
        while len(parts) < count:
            part = draw.wording(fragments)
            if part not in parts:
                parts.append(part)
            elif draw.chance(0.5):
                break
        if tone != "neutral" and draw.chance(0.3):
            parts = [draw.wording(BANK.contrasts[tone])]
        thing = draw.pick(things)
        text = draw.pick(
            [
                ", ".join(parts),
                ". ".join(part[:1].upper() + part[1:] for part in parts),
                " and ".join(parts[:2]),
                "; ".join(parts),
            ]
        )
        lead = draw.pick(["", f"{thing}: ", f"{thing}? ", f"{thing} - ", f"about {thing}: ", f"my view of {thing}: "])
        text = fill(draw, lead + text)
        text = re.sub(r"\bi\b", "I", text) + draw.pick([".", ".", "!" if tone != "neutral" else "."])
    if draw.chance(0.3):
        text = re.sub(r"\s*([.,!?;:])(?=\s|$)", r" \1", text.lower())
    return text


def sentiment(draw: Draw) -> dict:
    names = draw.wording(BANK.sentiment_sets)
    indices = draw.sample(range(3), 3) if draw.chance(0.4) else draw.sample(range(2), 2)
    labels = style(draw, [names[i] for i in indices])
    asked = Asked("classification_sentiment", NOUNS, KINDS, labels, [""])
    return build(draw, asked, lambda i: review(draw, TONES[indices[i]]))
