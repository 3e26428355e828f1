"""Descriptions of a thing from its fields."""

import json

from ..banks import load_bank
from ..draw import Draw, row
from .things import restaurant, thing
from .values import articles, capital

BANK = load_bank("writing/descriptions")


def join_and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def describe(draw: Draw, slots: dict, clauses: dict, noun: str) -> str:
    """One or two sentences that say every slot once."""
    before, withs, places, thats, verbs = [], [], [], [], []
    for key in draw.sample(list(slots), len(slots)):
        options = clauses.get(key) or clauses.get(f"{key}: {slots[key]}")
        if not options:
            continue
        kind, text = draw.pick(options)
        taken = {"before": before, "with": withs, "place": places, "that": thats, "verb": verbs}[kind]
        if (kind in ("before", "that") and taken) or (kind in ("with", "place") and len(taken) == 2):
            kind, text = next((option for option in options if option[0] == "verb"), (kind, text))
            taken = {"before": before, "with": withs, "place": places, "that": thats, "verb": verbs}[kind]
        taken.append(text.format(v=slots[key]))
    name = slots.get("name") or slots.get("title")
    person = "age" in clauses
    head = " ".join(before + [noun])
    places.sort(key=lambda place: place.startswith("near"))
    tail = (
        " ".join([""] + places) + (" with " + join_and(withs) if withs else "") + (" that " + thats[0] if thats else "")
    )
    if person:
        first = (
            f"{name}{' ' + ' '.join(places) if places else ''} " + join_and(verbs[:2])
            if verbs
            else f"{name} is {' '.join(places)}"
        )
        verbs = verbs[2:]
    elif name:
        first = f"{name} is a {head}{tail}"
    else:
        first = f"This is a {head}{tail}" if draw.chance(0.5) else f"There is a {head}{tail} for rent"
    text = articles(capital(first)) + "."
    pronoun = name.split()[0] if person else "It"
    if verbs:
        for chunk in [verbs] if len(verbs) < 4 else [verbs[:2], verbs[2:]]:
            text += articles(f" {pronoun} {join_and(chunk)}.")
    return text.replace("Fast food food", "Fast food")


def layout(draw: Draw, slots: dict) -> str:
    form = draw.number(0, 8)
    if form <= 2:
        return ", ".join(f"{key}[{value}]" for key, value in slots.items())
    if form == 3:
        return json.dumps(slots, ensure_ascii=False)
    if form == 4:
        return "\n" + "\n".join(f"{key}: {value}" for key, value in slots.items())
    if form == 5:
        return "\n" + "\n".join(f"- {key}: {value}" for key, value in slots.items())
    if form == 6:
        return " | ".join(f"{key} = {value}" for key, value in slots.items())
    if form == 7:
        return "; ".join(f"{key}: {value}" for key, value in slots.items())
    return ", ".join(f"{key}: {value}" for key, value in slots.items())


def data_to_text(draw: Draw) -> dict:
    kind, slots, clauses, noun = restaurant(draw) if draw.chance(0.6) else thing(draw)
    fixed = [key for key in ("name", "title", "eatType", "type") if key in slots]
    free = [key for key in slots if key not in fixed]
    kept = fixed + draw.sample(free, draw.number(2 if kind == "flat" else 1, min(6, len(free))))
    if draw.chance(0.6):
        kept = draw.sample(kept, len(kept))
    slots = {key: slots[key].replace('"', "") if key == "title" else slots[key] for key in kept}
    shown = {key: value[4:] if key == "name" and value.startswith("the ") else value for key, value in slots.items()}
    answer = describe(draw, slots, clauses, noun)
    x = {
        "restaurant": "a restaurant" if slots.get("eatType") == "restaurant" else "the place",
        "person": "this person",
    }.get(kind, draw.pick([f"the {kind}", f"this {kind}"]))
    ask = draw.wording(BANK.asks).format(x=x)
    ask = capital(ask) if draw.chance(0.7) else draw.pick(["Please ", "Can you ", "I need you to "]) + ask
    facts = layout(draw, shown)
    prompt = (
        f"{ask}:{facts if facts.startswith(chr(10)) else ' ' + facts}"
        if draw.chance(0.8)
        else f"{facts.strip()}\n\n{ask}."
    )
    if draw.chance(0.08):
        return row("data_to_text", facts.strip(), answer, system=ask + ".", slots=shown)
    return row("data_to_text", prompt, answer, slots=shown)
