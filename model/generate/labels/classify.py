"""Rows that ask for the label of a text, or whether a label fits."""

from ..banks import load_bank
from ..draw import Draw, row
from .families import BIG, SMALL, choose, clash, sentence_of, side
from .requests import build, quote, style
from .reviews import review

BANK = load_bank("labels/classify")
REVIEWS = load_bank("labels/reviews")


def big_family(draw: Draw, family: str) -> dict:
    concepts, clashes, nouns, kinds = BIG[family]
    pool = side(draw, concepts)
    chosen = choose(draw, pool, clashes, draw.pick([2, 3, 3, 4, 4, 5, 5, 6, 7]))
    if len(chosen) < 2:
        chosen = choose(draw, pool, clashes, 4)
    names = [draw.pick(concept.names) for concept in chosen]
    groups = [[concept] for concept in chosen]
    descriptions = [concept.description for concept in chosen]
    outside = [
        concept
        for concept in pool
        if concept not in chosen and not any(clash(concept, other, clashes) for other in chosen)
    ]
    if outside and draw.chance(0.08):
        names.append(draw.wording(BANK.others))
        groups.append(outside)
        descriptions.append("nothing of the above fits")
    labels = style(draw, names)
    return build(
        draw,
        f"classification_{family}",
        nouns,
        kinds,
        labels,
        descriptions,
        lambda i: sentence_of(draw, family, draw.pick(groups[i])),
    )


def topic(draw):
    return big_family(draw, "topic")


def customer(draw):
    return big_family(draw, "customer")


def command(draw):
    return big_family(draw, "command")


def banking(draw):
    return big_family(draw, "banking")


def message(draw):
    return big_family(draw, "message")


def emotion(draw):
    return big_family(draw, "emotion")


def department(draw):
    return big_family(draw, "department")


def product(draw):
    return big_family(draw, "product")


def genre(draw):
    return big_family(draw, "genre")


def kind_of_thing(draw):
    return big_family(draw, "kind")


def small(draw: Draw) -> dict:
    """One of the families with fixed concepts, where the names of the labels change."""
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
    return build(
        draw,
        f"classification_{family}",
        nouns,
        kinds,
        labels,
        [""],
        lambda i: sentence_of(draw, family, concepts[indices[i]]),
    )


def yes_no(draw: Draw) -> dict:
    if draw.chance(0.25):
        names, nouns, kinds = (
            draw.wording(REVIEWS.sentiment_sets)[:2],
            ["sentiment", "opinion", "attitude"],
            ["review", "comment", "text"],
        )
        right, other = draw.sample(range(2), 2)
        label, text, true = names[right], review(draw, ["positive", "negative"][right]), True
        if draw.chance(0.5):
            label, true = names[other], False
    else:
        family = draw.pick(list(BIG))
        concepts, clashes, nouns, kinds = BIG[family]
        pair = choose(draw, side(draw, concepts), clashes, 2)
        if len(pair) < 2:
            return yes_no(draw)
        true = draw.chance(0.5)
        label, text = draw.pick(pair[0].names), sentence_of(draw, family, pair[0 if true else 1])
    wish, yes, no = draw.pick(BANK.answers)
    kind = draw.pick(kinds)
    question = draw.wording(BANK.yes_no).format(label=label, noun=draw.pick(nouns), kind=kind, answer=wish.rstrip(".?"))
    question = (
        question[:1].upper()
        + question[1:]
        + (
            "?"
            if question.endswith(("Yes or no", "True or false"))
            else "."
            if not question.endswith(("?", "."))
            else ""
        )
    )
    answer = yes if true else no
    meta = {"label": answer, "options": [yes, no], "text": text}
    if draw.chance(0.25):
        return row("classification_yes_no", text, answer, system=question, **meta)
    quoted = quote(draw, kind, text)
    prompt = f"{quoted}\n{question}" if draw.chance(0.4) else f"{question}{draw.pick([chr(10), chr(10) * 2])}{quoted}"
    return row("classification_yes_no", prompt, answer, **meta)
