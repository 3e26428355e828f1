"""Sentences to rewrite: capitals, tense, politeness, length."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import capital, fill
from .requests import ask, loose

BANK = load_bank("everyday/rewording")
VERB_FORMS = {verb: past for verb, past, _ in BANK.actions}
STARTS = tuple(BANK.starts)
AGAIN = [(BANK.again_upper, str.upper), (BANK.again_lower, str.lower)]


def sentence(draw: Draw) -> tuple[str, str, str, str, str]:
    """Writes a sentence in the present, the past, the future, negated and as a question."""
    who, (verb, past, what) = draw.pick(BANK.subjects), draw.pick(BANK.actions)
    many = who in BANK.plural_subjects
    present, do = (verb, "do") if many else (third_person(verb), "does")
    subject = capital(who)
    return (
        f"{subject} {present} {what}.",
        f"{subject} {past} {what}.",
        f"{subject} will {verb} {what}.",
        f"{subject} {do} not {verb} {what}.",
        f"{capital(do)} {who} {verb} {what}?",
    )


def third_person(verb: str) -> str:
    if verb[-1] == "y" and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "o", "x")) else f"{verb}s"


def change_text(draw: Draw, kind: str) -> tuple[str, str]:
    """Draws a text and changes it as the kind says. Returns the text before and after the change."""
    present, past, future, negative, question = sentence(draw)
    if kind in ("upper", "lower"):
        text = draw.pick(
            [draw.pick(BANK.sayings), draw.pick(BANK.sayings), present, past, capital(draw.pick(BANK.orders)) + "."]
        )
        if kind == "upper":
            return text, text.upper()
        return draw.pick([text.upper(), text.title() if "'" not in text else text.upper()]), text.lower()
    if kind == "polite":
        order = draw.pick(BANK.orders)
        return draw.pick(
            [(capital(order) + draw.pick([".", "!", ""]), f"Could you please {order}?"), draw.pick(BANK.blunt)]
        )
    if kind in ("formal", "shorter"):
        return draw.pick(BANK.casual if kind == "formal" else BANK.long_way)
    return present, {"past": past, "future": future, "negative": negative, "question": question}[kind]


def rewording(draw: Draw) -> dict:
    if draw.chance(0.1):
        verb = draw.pick(list(VERB_FORMS))
        return row("rewrite", ask(draw, BANK.past_asks, {"x": verb}), f"{capital(VERB_FORMS[verb])}.")
    kind = draw.rng.choices(list(BANK.changes), [6, 3, 6, 2, 2, 2, 5, 3, 4])[0]
    wish = draw.wording(BANK.changes[kind])
    frame = draw.wording(BANK.change_frames) if wish.startswith(STARTS) else "{R}"
    text, answer = change_text(draw, kind)
    asked = loose(draw, fill(frame, {"r": wish}) + ("?" if wish.startswith(("how", "what", "can")) else ""))
    shape = draw.pick(BANK.placed)
    if draw.chance(0.1):
        return row(
            "rewrite",
            text,
            answer,
            *(change_text(draw, kind) if draw.chance(0.5) else ()),
            system=f"{capital(wish.replace('this', 'every message', 1))}.",
            kind=kind,
        )
    asked = asked.rstrip("?") if "?" in asked and shape.startswith("{ask}:") else asked
    turns = [shape.format(ask=asked, text=text), answer]
    if draw.chance(0.25):
        text, answer = change_text(draw, kind)
        turns += [fill(draw.wording(BANK.now_this), {"t": text}), answer]
    elif kind not in ("upper", "lower") and draw.chance(0.1):
        wishes, change = draw.pick(AGAIN)
        turns += [ask(draw, wishes, {}), change(answer)]
    return row("rewrite", *turns, kind=kind)
