"""Rows that ask for a word of a kind, for a word that fits, or for true or false."""

from ..banks import load_bank
from ..draw import Draw, row
from .families import BIG, choose, drawable, fill, sentence_of
from .requests import listing

BANK = load_bank("labels/word_choice")


def which_word(draw: Draw) -> dict:
    concepts, clashes, _, _ = BIG["kind"]
    concepts = [concept for concept in concepts if concept.names[0] not in ("clothing", "furniture")]
    chosen = choose(draw, drawable(draw, concepts), clashes, draw.number(3, 5))
    words = [draw.pick(concept.sentences) for concept in chosen]
    right = draw.number(0, len(chosen) - 1)
    question = fill(draw, draw.wording(BANK.which).format(kind=draw.pick(chosen[right].names[:1])))
    shown, _ = listing(draw, words)
    prompt = draw.pick(
        [
            f"{question} {shown.strip()}" if not shown.startswith("\n") else question + shown,
            f"{shown.strip()}\n{question}",
        ]
    )
    meta = {"label": words[right], "options": words, "text": chosen[right].names[0]}
    return row("classification_which_word", prompt, words[right], **meta)


def fitting_word(draw: Draw) -> dict:
    family = draw.pick(["topic", "topic", "emotion", "message", "product"])
    concepts, clashes, _, _ = BIG[family]
    chosen = choose(draw, drawable(draw, concepts), clashes, draw.number(3, 5))
    names = [draw.pick(concept.names) for concept in chosen]
    right = draw.number(0, len(chosen) - 1)
    text = sentence_of(draw, family, chosen[right])
    shown = draw.pick([", ".join(names), " / ".join(names), "\n" + "\n".join(names)])
    question = draw.wording(BANK.fitting)
    prompt = draw.pick(
        [
            f"{question} {shown}\n\n{text}" if not shown.startswith("\n") else f"{question}{shown}\n\n{text}",
            f"{text}\n\n{question} {shown}".replace(" \n", "\n"),
        ]
    )
    return row("classification_fitting_word", prompt, names[right], label=names[right], options=names, text=text)


def true_false(draw: Draw) -> dict:
    concepts, clashes, _, _ = BIG["kind"]
    unfit = ("clothing", "furniture", "number", "month", "colour", "metal")
    concepts = [concept for concept in concepts if concept.names[0] not in unfit]
    pair = choose(draw, concepts, clashes, 2)
    yes, no = draw.wording(BANK.truths)
    true = draw.chance(0.5)
    kind, word = pair[0].names[0], draw.pick(pair[0 if true else 1].sentences)
    forms = ['"{}" is a kind of {}.', 'The word "{}" names a {}.', '"{}" stands for a {}.', "{}: a {}."]
    statement = fill(draw, draw.pick(forms).format(word, kind))
    ask = draw.wording(BANK.truth_asks).format(t=yes, f=no)
    ask = ask[:1].upper() + ask[1:] if not ask.startswith(yes) else ask
    answer = yes if true else no
    meta = {"label": answer, "options": [yes, no], "text": statement}
    if draw.chance(0.25):
        return row("classification_true_false", statement, answer, system=ask, **meta)
    prompt = draw.pick([f"{ask} {statement}", f"{statement} {ask}", f"{ask}\n{statement}", f"{statement}\n{ask}"])
    return row("classification_true_false", prompt, answer, **meta)
