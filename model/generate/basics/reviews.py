"""Reviews of everyday things, to be classified as good or bad."""

from ..banks import load_bank
from ..draw import Draw, row
from ..everyday.requests import ask

BANK = load_bank("basics/reviews")


def review(draw: Draw, good: bool) -> tuple[str, str]:
    """Writes a review of one to three sentences; returns its kind and its text."""
    kind, things, parts = draw.pick(BANK.reviewed)
    sentences = []
    for _ in range(draw.pick([1, 1, 2, 2, 3])):
        p, p2 = draw.sample(parts, 2)
        x, y = draw.sample(BANK.good if good else BANK.bad, 2)
        was, was2 = ("were" if part[4:] in BANK.plural_parts else "was" for part in (p, p2))
        sentences.append(draw.pick(BANK.says).format(p=p, p2=p2, x=x, y=y, was=was, was2=was2, thing=draw.pick(things)))
    end = draw.wording(BANK.good_ends if good else BANK.bad_ends)
    if draw.chance(0.55):
        sentences.append(end)
    elif draw.chance(0.2):
        sentences = [end]
    text = " ".join(s[0].upper() + s[1:] for s in sentences)
    return kind, text.lower() if draw.chance(0.1) else text.rstrip(".") if draw.chance(0.1) else text


def reviews(draw: Draw) -> dict:
    asked, yes, no = (BANK.classify, "positive", "negative") if draw.chance(0.75) else draw.pick(BANK.classify_other)
    turns = []
    for i in range(draw.pick([1, 1, 2, 3, 4])):
        good = draw.chance(0.5)
        kind, text = review(draw, good)
        question = ask(draw, asked, {"kind": kind})
        shown = draw.wording(BANK.next_review) if i else draw.pick(BANK.review_layouts)
        turns += [shown.format(q=question, t=text), yes if good else no]
    return row("classification_sentiment", *turns)
