"""Look-ups in tables, and positions in lists."""

from ..banks import load_bank
from ..draw import Draw, row
from ..words import ANIMALS, CITIES, COLOURS, FIRST_NAMES, FOODS, ITEMS, JOBS
from .kinds import maker_of
from .requests import careless, request

BANK = load_bank("records/lists")

TABLES = [
    (table.heading, maker_of(table.keys), maker_of(table.values), table.of_value, table.of_key) for table in BANK.tables
]
SERIES = [
    ("item", ITEMS),
    ("name", FIRST_NAMES),
    ("city", CITIES),
    ("animal", ANIMALS),
    ("dish", FOODS),
    ("job", JOBS),
    ("colour", COLOURS),
]


def lookup(draw: Draw) -> dict:
    heading, key_maker, value_maker, of_value, of_key = draw.wording(TABLES)
    entries: dict = {}
    for _ in range(draw.number(4, 13)):
        key, value = key_maker(draw), value_maker(draw)
        if value not in entries.values():
            entries.setdefault(key, value)
    layout = draw.pick(["{}: {}", "- {}: {}", "{} | {}", "| {} | {} |", "{}, {}", "{} - {}", "{}\t{}"])
    text = (f"{heading}\n" if draw.chance(0.6) else "") + "\n".join(layout.format(k, v) for k, v in entries.items())
    key = draw.pick(list(entries))
    if draw.chance(0.65):
        asked, answer = draw.pick(of_value).format(k=key), entries[key]
    else:
        asked, answer = draw.pick(of_key).format(v=entries[key]), key
    return row("lookup", request(draw, text, careless(draw, asked)), answer, answers=[answer])


def position(draw: Draw) -> dict:
    name, bank = draw.pick(SERIES)
    things = draw.sample(bank, draw.number(3, 8))
    text = draw.pick([", ", "\n", "\n- ", "; "]).join(things)
    ordinals = ["first", "second", "third", "fourth", "fifth"][: len(things)] + ["last"]
    which = draw.pick(ordinals)
    index = -1 if which == "last" else ordinals.index(which)
    kind = draw.rng.random()
    if kind < 0.55:
        asked, answer = draw.wording(BANK.position_asks).format(w=which, n=name), things[index]
    elif kind < 0.75:
        asked, answer = draw.wording(BANK.count_asks), str(len(things))
    else:
        at = draw.number(0, len(things) - 2)
        asked, answer = draw.wording(BANK.next_asks).format(things[at]), things[at + 1]
    form = draw.pick(["{text}\n\n{asked}", "{asked}\n\n{text}", "List: {text}\n{asked}"])
    return row("position", form.format(text=text, asked=asked), answer, answers=[answer])
