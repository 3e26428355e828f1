"""Look-ups in tables, and positions in lists."""

from ..banks import load_bank
from ..draw import Draw, row
from ..words import WEEKDAYS, a
from .fields import join_and
from .requests import careless
from .values import fresh_value

BANK = load_bank("reading/lists")
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()


def show_table(draw: Draw, title: str, heads: list[str], rows: list[list[str]]) -> str:
    """Writes the table in one of several layouts, some of which leave out the column headings."""
    shape = draw.number(1, 6)
    if shape == 1:
        lines = ["| " + " | ".join(cells) + " |" for cells in [heads, ["---"] * len(heads), *rows]]
    elif shape == 2:
        lines = [",".join(heads), *(",".join(f'"{cell}"' if "," in cell else cell for cell in cells) for cells in rows)]
    elif shape == 3:
        lines = [" | ".join(cells) for cells in ([heads] if draw.chance(0.6) else []) + rows]
    elif shape == 4:
        lines = ["- " + cells[0] + ": " + ", ".join(cells[1:]) for cells in rows]
    else:
        mark = draw.pick([": ", " - ", " = ", ": "])
        lines = [cells[0] + mark + ", ".join(cells[1:]) for cells in rows]
    return "\n".join(([title + ":"] if draw.chance(0.4) else []) + lines)


def lookup(draw: Draw) -> dict:
    title, name_head, value_head, name_maker, value_maker, forward, backward = draw.pick(BANK.tables)
    taken: list[str] = []
    rows: list[list[str]] = []
    for _ in range(draw.number(4, draw.pick([6, 8, 12]))):
        name = fresh_value(draw, name_maker, {}, taken)
        value = fresh_value(draw, value_maker, {"name": name} if name_maker == "person" else {}, taken)
        if name.lower() in taken or value.lower() in taken:
            continue
        taken += [name.lower(), value.lower()]
        rows.append([name, value])
    heads = [name_head, value_head]
    if draw.chance(0.25):
        heads.append("Day")
        rows = [[*cells, draw.pick(WEEKDAYS)] for cells in rows]
    table, (name, value, *_) = show_table(draw, title, heads, rows), draw.pick(rows)
    if draw.chance(0.08):
        absent = fresh_value(draw, name_maker, {}, taken)
        question, answer = draw.wording(forward).format(n=absent), "The list does not say."
    elif draw.chance(0.65):
        question, answer = draw.wording(forward).format(n=name), value
    else:
        question, answer = draw.wording(backward).format(v=value, av=a(value)), name
    question, lead = careless(draw, question), draw.wording(BANK.table_leads)
    if draw.chance(0.15):
        system = f"{lead or 'Answer from this list.'}\n\n{table}"
        return row("lookup", question, answer, system=system, answers=[answer], text=table)
    parts = draw.pick(
        [[lead, table, question], [lead, table, "Question: " + question], [question, table], [lead, question, table]]
    )
    return row("lookup", "\n\n".join(part for part in parts if part), answer, answers=[answer], text=table)


def position(draw: Draw) -> dict:
    one, many, maker = draw.pick(BANK.series)
    things: list[str] = []
    for _ in range(draw.number(3, 9)):
        value = fresh_value(draw, maker, {}, [thing.lower() for thing in things])
        if value not in things:
            things.append(value)
    where = draw.number(0, len(things) - 1)
    how = draw.pick(["place"] * 5 + ["last", "last", "count", "next", "before"])
    if how == "next" and where == len(things) - 1 or how == "before" and where == 0:
        how = "place"
    question, answer = position_question(draw, how, things, where, one, many)
    shape = draw.number(1, 6)
    shown = {
        1: ", ".join(things),
        2: "\n".join(f"- {thing}" for thing in things),
        3: "\n".join(f"{i}. {thing}" for i, thing in enumerate(things, 1)),
        4: "\n".join(things),
        5: join_and(things),
        6: "; ".join(things),
    }[shape]
    intro = draw.pick(["", "", f"{many.capitalize()}: ", f"Here are some {many}: ", "List: ", f"My list of {many}: "])
    if shape in (2, 3, 4) and intro:
        intro = intro.rstrip() + "\n"
    question = careless(draw, question)
    parts = [intro + shown, question] if draw.chance(0.5) else [question, intro + shown]
    return row("position", draw.pick(["\n\n", "\n\n", "\n"]).join(parts), answer, answers=[answer], text=shown)


def position_question(draw: Draw, how: str, things: list[str], where: int, one: str, many: str) -> tuple[str, str]:
    if how == "place":
        return draw.wording(BANK.position_asks).format(o=ORDINALS[where], t=one), things[where]
    if how == "last":
        return draw.wording(BANK.position_asks).format(o="last", t=one), things[-1]
    if how == "count":
        return draw.wording(BANK.count_asks).format(ts=many), str(len(things))
    if how == "next":
        return draw.wording(BANK.next_asks).format(t=one, x=things[where]), things[where + 1]
    return draw.wording(BANK.before_asks).format(t=one, x=things[where]), things[where - 1]
