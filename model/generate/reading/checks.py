"""Yes-or-no questions about a text."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import Record, fill, slots_in
from .questions import shown_key
from .requests import ask_on, some_system
from .texts import tell_all
from .values import fresh_value

BANK = load_bank("reading/checks")

PLAIN_STATEMENT = re.compile(
    r"^(?!.*(\?|!|:|;|\bI\b|\b[Mm]y\b|\b[Mm]e\b|[Pp]lease|Dear|Do not|[Aa]sk |Call|Write|Send|Ring|Go to|Expect|You |\byour?\b|They |This |These |[Ii]t |Tell |Put |More about|First |Last |Room for|Price |Use |Leave|\. ))"
)


def swapped(draw: Draw, record: Record, records: list[Record], template: str) -> dict[str, str] | None:
    """The record's values with one of those that the template names made wrong."""
    named = [slot for slot in slots_in(template) if slot in record.kind.slots and slot != record.kind.key]
    others = [one for one in records if one is not record]
    if not named:
        return None
    slot = draw.pick(named)
    taken = [value.lower() for value in record.values.values()]
    told = [one.values[slot] for one in others if slot in one.told]
    wrong = draw.pick(told) if told and draw.chance(0.6) else fresh_value(draw, record.kind.slots[slot], {}, taken)
    if (
        not isinstance(wrong, str)
        or wrong.lower() in record.values[slot].lower()
        or record.values[slot].lower() in wrong.lower()
    ):
        return None
    if record.values[slot].isdigit() != wrong.isdigit() and record.kind.slots[slot] == "few":
        return None
    return {**record.values, slot: wrong}


def reading_yes_no(draw: Draw) -> dict:
    right = draw.chance(0.5)
    while True:
        records, text = tell_all(draw)
        record = draw.pick(records)
        key = record.kind.key
        names_key = ("{k}", "{first}", "{" + key + "}")
        direct = [one for one in record.kind.checks if record.has(one) and any(name in one for name in names_key)]
        said = [
            one
            for bank in record.kind.sentences
            for one in bank
            if one not in record.used
            and record.has(one)
            and any(name in one for name in names_key)
            and PLAIN_STATEMENT.match(one)
            and "{he}" not in one
            and "{his}" not in one
        ]
        if draw.chance(0.5) and direct:
            template, statement = draw.wording(direct), False
        elif said:
            template, statement = draw.wording(said), True
        else:
            continue
        values = record.values if right else swapped(draw, record, records, template)
        if values is None or len(text) > 1300:
            continue
        sentence = fill(template, {**values, "k": shown_key(draw, record)})
        if statement:
            low = (
                sentence
                if template.startswith("{")
                and record.kind.slots.get(slots_in(template)[0], "")
                not in ("items", "hobby", "work", "winwork", "place_the", "spot", "habitat", "enemy", "pay", "few")
                else sentence[0].lower() + sentence[1:]
            )
            question = draw.wording(BANK.statement_frames).format(s=sentence, low=low.rstrip("."))
        else:
            question = sentence + draw.wording(BANK.yes_no_suffixes)
        return row(
            "reading_yes_no",
            ask_on(draw, text, question),
            "Yes" if right else "No",
            system=some_system(draw),
            answers=["Yes" if right else "No"],
            text=text,
        )
