"""Requests to list several things of a kind, or to name one."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import Slots, capital, mend
from .requests import ask, request

BANK = load_bank("everyday/lists")
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def lay_out(things: list[str], shape: str | None) -> str:
    if shape == "bullets":
        return "\n".join(f"- {thing}" for thing in things)
    if shape == "lines":
        return "\n".join(things)
    if shape == "numbers":
        return "\n".join(f"{i}. {thing}" for i, thing in enumerate(things, 1))
    return ", ".join(things)


def join_and(things: list[str]) -> str:
    return ", ".join(things[:-1]) + " and " + things[-1] if len(things) > 1 else things[0]


def list_some(draw: Draw) -> dict:
    """Asks for some things of a kind, perhaps in a given form, and perhaps for more."""
    _, many, members = draw.pick(BANK.categories)
    count = min(draw.pick([2, 3, 3, 3, 3, 4, 4, 5, 5, 6]), len(members))
    things = draw.sample(members, len(members))
    values = {"n": draw.pick([str(count), NUMBERS[count]]), "x": many}
    text = (
        request(draw, BANK.list_verbs, BANK.list_things, values)
        if draw.chance(0.8)
        else ask(draw, BANK.list_questions, values)
    )
    shape = draw.pick(list(BANK.shapes)) if draw.chance(0.35) else None
    if shape == "sentence" and many.startswith(("way", "thing")):
        shape = "commas"
    if shape:
        wish = draw.wording(BANK.shapes[shape])
        text = draw.pick(
            [
                f"{text.rstrip('.!')}, {wish}." if text[-1] != "?" else f"{text} {capital(wish)}.",
                f"{text.rstrip('.!?')}, {wish}",
                f"{text.rstrip('.!?')} {wish}",
            ]
        )
    chosen = things[:count]
    reply = (
        f"{capital(NUMBERS[count])} {many} are {join_and(chosen)}." if shape == "sentence" else lay_out(chosen, shape)
    )
    turns, rest = [text, reply], things[count:]
    while rest and draw.chance(0.3):
        more = min(draw.pick([1, 1, 2, 3]), len(rest))
        values = {"n": draw.pick([str(more), NUMBERS.get(more, "one")])}
        turns += [
            ask(draw, BANK.more_one, {}) if more == 1 else ask(draw, BANK.more_many, values),
            f"{capital(rest[0])}." if more == 1 else lay_out(rest[:more], shape if shape != "sentence" else None),
        ]
        rest = rest[more:]
    return row("list", *turns, count=count, kind=many, shape=shape or "commas")


def name_one(draw: Draw) -> dict:
    """Asks for one thing of a kind, and perhaps for others."""
    turns = []
    for one, _, members in draw.sample(BANK.categories, draw.pick([1, 1, 2])):
        if one == "means of transport":
            continue
        things = draw.sample(members, len(members))
        values = Slots(x=one)
        text = (
            request(draw, BANK.name_verbs, BANK.name_things, values)
            if draw.chance(0.8)
            else ask(draw, BANK.name_questions, values)
        )
        turns += [mend(text), f"{capital(things.pop())}."]
        while things and draw.chance(0.4):
            if len(things) > 3 and draw.chance(0.2):
                turns += [ask(draw, BANK.more_many, {"n": draw.pick(["2", "two"])}), f"{things.pop()}, {things.pop()}"]
            else:
                turns += [ask(draw, BANK.more_one, {}), f"{capital(things.pop())}."]
    return row("list", *turns) if turns else name_one(draw)
