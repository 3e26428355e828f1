"""Simple facts: as a question, in one word, as true or false with a wrong one beside it. No command of its own."""
import re

from ..draw import Draw
from .frames import assistant, careless, user, with_helpful_system

TRUE_FRAMES = ["True or false? {q} {a}", "{q} {a} True or false?", "Is this right? {q} {a}"]
CHOICE_FRAMES = ["{q} {one} or {two}?", "{q} Choose: {one}, {two}.", "{q} ({one} / {two})"]
ONE_WORD = ["In one word: {}", "{} One word.", "{} Answer in one word.", "One-word answer: {}"]
FACTS_MOST = 6


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    messages = []
    for _ in range(draw.number(1, FACTS_MOST)):
        fact = handwritten.deal(draw, "facts")
        question = fact["q"] if draw.chance(0.55) else fact["alt_q"]
        answer, bare = fact["a"], short(fact["a"])
        kind = draw.rng.choices(["plain", "word", "true", "choice"], [70, 14, 8, 8])[0]
        if kind == "word" and bare and " " not in bare:
            messages += [user(careless(draw, draw.pick(ONE_WORD).format(question))), assistant(bare[0].upper() + bare[1:])]
        elif kind in ("true", "choice") and question.endswith("?"):
            other = like(draw, handwritten, fact)
            if kind == "true":
                is_true = draw.chance(0.5)
                messages += [user(draw.pick(TRUE_FRAMES).format(q=question, a=answer if is_true else other["a"])), assistant("True" if is_true else "False")]
            else:
                pair = draw.sample([answer.rstrip("."), other["a"].rstrip(".")], 2)
                messages += [user(draw.pick(CHOICE_FRAMES).format(q=question, one=pair[0], two=pair[1])), assistant(answer.rstrip("."))]
        else:
            messages += [user(careless(draw, question, 0.25)), assistant(answer)]
    return with_helpful_system(draw, messages)


def short(answer: str) -> str:
    """The answer without its article and full stop where three words or fewer say it; else nothing."""
    bare = re.sub(r"^(?:A|An|The|Your) ", "", answer.rstrip("."))
    return bare if len(bare.split()) <= 3 else ""


def like(draw: Draw, handwritten, fact: dict) -> dict:
    """Another fact, of an answer of about the same length."""
    for _ in range(20):
        other = draw.pick(handwritten.by_kind["facts"])
        if other["a"].lower() != fact["a"].lower() and abs(len(other["a"]) - len(fact["a"])) < 8:
            break
    return other if other["a"].lower() != fact["a"].lower() else next(one for one in handwritten.by_kind["facts"] if one["a"].lower() != fact["a"].lower())
