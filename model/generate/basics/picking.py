"""Values to extract from a short message."""

from ..banks import load_bank
from ..draw import Draw, row
from ..everyday.requests import ask
from ..text import Slots, fill
from ..words import CITIES, FIRST_NAMES, MONTHS, WEEKDAYS, clock, code, date, email_of, full_name, phone, price, street

BANK = load_bank("basics/picking")
WANTED = {wanted.slot: wanted for wanted in BANK.wanted}


def picking(draw: Draw) -> dict:
    """Asks for one to four values from one message."""
    name = full_name(draw) if draw.chance(0.3) else draw.pick(FIRST_NAMES)
    other = draw.pick([full_name(draw), draw.pick(FIRST_NAMES)])
    when = draw.pick(
        [
            date(draw),
            date(draw),
            date(draw),
            draw.pick(WEEKDAYS),
            f"{draw.pick(WEEKDAYS)}, {draw.number(1, 28)} {draw.pick(MONTHS)}",
        ]
    )
    values = Slots(
        name=name,
        other=other,
        event=draw.pick(BANK.events),
        date=when,
        time=clock(draw),
        phone=phone(draw),
        place=draw.pick([draw.pick(CITIES), street(draw)]),
        code=code(draw),
        price=price(draw),
        mail=email_of(draw, full_name(draw)),
        n=str(draw.number(2, 9)),
    )
    note = draw.wording(BANK.notes)
    slots = [
        slot
        for slot in WANTED
        if f"{{{slot}}}" in note
        and not (slot == "name" and not note.startswith(("Hi", "Dear", "Hello", "Hey", "Good")))
    ]
    text = fill(note, values) + (f" {draw.wording(BANK.later)}" if draw.chance(0.35) else "")
    turns = []
    weights = [6 if slot == "date" else 2 for slot in slots]
    chosen = dict.fromkeys(draw.rng.choices(slots, weights, k=draw.pick([1, 1, 2, 3, 4])))
    for slot in chosen:
        _, names, questions = WANTED[slot]
        thing = draw.pick(names)
        if turns:
            turns += [ask(draw, BANK.also, {"x": thing}), values[slot]]
        elif draw.chance(0.75):
            asked = ask(draw, BANK.pick, {"x": thing})
            form = draw.pick(["{q} {t}", "{q} {t}", "{q}\n\n{t}", "{q}\n{t}", "{t}\n\n{q}", '{q} "{t}"'])
            turns += [form.format(q=asked, t=text), values[slot]]
        else:
            form = draw.pick(["{t}\n\n{q}", "{q}\n\n{t}", "{t} {q}", "{q} {t}"])
            turns += [form.format(q=draw.pick(questions), t=text), values[slot]]
    return row("extraction", *turns)
