"""Rows that ask for the label of a text, or whether a label fits."""

from ..banks import load_bank
from ..draw import Draw, row
from .families import BIG, SMALL, choose, clash, drawable, sentence_of
from .requests import Asked, build, quote, style
from .reviews import review

BANK = load_bank("labels/classify")
REVIEWS = load_bank("labels/reviews")


def big_family(draw: Draw, family: str) -> dict:
    """Asks for the label of a text from two to seven concepts of the family."""
    concepts, clashes, nouns, kinds = BIG[family]
    pool = drawable(draw, concepts)
    chosen = choose(draw, pool, clashes, draw.pick([2, 3, 3, 4, 4, 5, 5, 6, 7]))
    if len(chosen) < 2:
        chosen = choose(draw, pool, clashes, 4)
    names = [draw.pick(concept.names) for concept in chosen]
    groups = [[concept] for concept in chosen]
    descriptions = [concept.description for concept in chosen]
    rest = [concept for concept in pool if concept not in chosen]
    outside = [concept for concept in rest if not any(clash(concept, other, clashes) for other in chosen)]
    if outside and draw.chance(0.08):
        names.append(draw.wording(BANK.others))
        groups.append(outside)
        descriptions.append("nothing of the above fits")
    asked = Asked(f"classification_{family}", nouns, kinds, style(draw, names), descriptions)
    return build(draw, asked, lambda i: sentence_of(draw, family, draw.pick(groups[i])))


def small(draw: Draw) -> dict:
    """Asks for the label of a text from a family with few concepts, whose label names vary."""
    family = draw.pick(list(SMALL))
    _, nouns, kinds, label_sets, concepts = SMALL[family]
    names = draw.wording(label_sets)
    count = draw.number(2, len(names))
    if family == "sentence":
        count = min(count, 3)
    indices = draw.sample(range(len(names)), count)
    if family == "sentence" and set(indices) >= {0, 3}:
        indices = [i for i in indices if i != 3] if len(indices) > 2 else [0, 1]
    labels = [names[i] for i in indices]
    labels = labels if family == "language" else style(draw, labels)
    asked = Asked(f"classification_{family}", nouns, kinds, labels, [""])
    return build(draw, asked, lambda i: sentence_of(draw, family, concepts[indices[i]]))


def yes_no(draw: Draw) -> dict:
    """Asks if one label fits a text."""
    if draw.chance(0.25):
        names = draw.wording(REVIEWS.sentiment_sets)[:2]
        nouns, kinds = ["sentiment", "opinion", "attitude"], ["review", "comment", "text"]
        right, other = draw.sample(range(2), 2)
        label, text, true = names[right], review(draw, ["positive", "negative"][right]), True
        if draw.chance(0.5):
            label, true = names[other], False
    else:
        family = draw.pick(list(BIG))
        concepts, clashes, nouns, kinds = BIG[family]
        pair = choose(draw, drawable(draw, concepts), clashes, 2)
        if len(pair) < 2:
            return yes_no(draw)
        true = draw.chance(0.5)
        label, text = draw.pick(pair[0].names), sentence_of(draw, family, pair[0 if true else 1])
    wish, yes, no = draw.pick(BANK.answers)
    kind = draw.pick(kinds)
    question = draw.wording(BANK.yes_no).format(label=label, noun=draw.pick(nouns), kind=kind, answer=wish.rstrip(".?"))
    question = question[:1].upper() + question[1:]
    if question.endswith(("Yes or no", "True or false")):
        question += "?"
    elif not question.endswith(("?", ".")):
        question += "."
    answer = yes if true else no
    meta = {"label": answer, "options": [yes, no], "text": text}
    if draw.chance(0.25):
        return row("classification_yes_no", text, answer, system=question, **meta)
    quoted = quote(draw, kind, text)
    text_first = draw.chance(0.4)
    prompt = f"{quoted}\n{question}" if text_first else question + draw.pick(["\n", "\n\n"]) + quoted
    return row("classification_yes_no", prompt, answer, **meta)
