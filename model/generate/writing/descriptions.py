"""Descriptions of a thing from its fields."""

import json

from ..banks import load_bank
from ..draw import Draw, row
from .things import some_thing
from .values import articles, capital

BANK = load_bank("writing/descriptions")
# Maximum number of clauses of each kind. Once it is reached, a field gets a verb clause instead, if it has one.
CLAUSES_MOST = {"before": 1, "with": 2, "place": 2, "that": 1, "verb": 99}


def join_and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def describe(draw: Draw, fields: dict[str, str], clauses: dict[str, list], noun: str) -> str:
    """Writes one to three sentences that mention every field once."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in CLAUSES_MOST}
    for key in draw.sample(list(fields), len(fields)):
        options = clauses.get(key) or clauses.get(f"{key}: {fields[key]}")
        if not options:
            continue
        kind, text = draw.pick(options)
        if len(by_kind[kind]) == CLAUSES_MOST[kind]:
            kind, text = next((option for option in options if option[0] == "verb"), (kind, text))
        by_kind[kind].append(text.format(v=fields[key]))
    before, withs, places, thats, verbs = by_kind.values()
    name = fields.get("name") or fields.get("title")
    person = "age" in clauses
    head = " ".join(before + [noun])
    places.sort(key=lambda place: place.startswith("near"))
    tail = " ".join(["", *places])
    tail += f" with {join_and(withs)}" if withs else ""
    tail += f" that {thats[0]}" if thats else ""
    if person:
        first = " ".join([name, *places, join_and(verbs[:2])]) if verbs else f"{name} is {' '.join(places)}"
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


def layout(draw: Draw, fields: dict[str, str]) -> str:
    form = draw.number(0, 8)
    if form <= 2:
        return ", ".join(f"{key}[{value}]" for key, value in fields.items())
    if form == 3:
        return json.dumps(fields, ensure_ascii=False)
    if form == 4:
        return "\n" + "\n".join(f"{key}: {value}" for key, value in fields.items())
    if form == 5:
        return "\n" + "\n".join(f"- {key}: {value}" for key, value in fields.items())
    if form == 6:
        return " | ".join(f"{key} = {value}" for key, value in fields.items())
    if form == 7:
        return "; ".join(f"{key}: {value}" for key, value in fields.items())
    return ", ".join(f"{key}: {value}" for key, value in fields.items())


def data_to_text(draw: Draw) -> dict:
    kind, fields, clauses, noun = some_thing(draw)
    fixed = [key for key in ("name", "title", "eatType", "type") if key in fields]
    free = [key for key in fields if key not in fixed]
    kept = fixed + draw.sample(free, draw.number(2 if kind == "flat" else 1, min(6, len(free))))
    if draw.chance(0.6):
        kept = draw.sample(kept, len(kept))
    fields = {key: fields[key].replace('"', "") if key == "title" else fields[key] for key in kept}
    shown = {key: value[4:] if key == "name" and value.startswith("the ") else value for key, value in fields.items()}
    answer = describe(draw, fields, clauses, noun)
    called = draw.pick([f"the {kind}", f"this {kind}"])
    if kind == "restaurant":
        called = "a restaurant" if fields.get("eatType") == "restaurant" else "the place"
    elif kind == "person":
        called = "this person"
    ask = draw.wording(BANK.asks).format(x=called)
    ask = capital(ask) if draw.chance(0.7) else draw.pick(["Please ", "Can you ", "I need you to "]) + ask
    facts = layout(draw, shown)
    between = "" if facts.startswith("\n") else " "
    prompt = f"{ask}:{between}{facts}" if draw.chance(0.8) else f"{facts.strip()}\n\n{ask}."
    if draw.chance(0.08):
        return row("data_to_text", facts.strip(), answer, system=ask + ".", slots=shown)
    return row("data_to_text", prompt, answer, slots=shown)
