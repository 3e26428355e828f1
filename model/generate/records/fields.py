"""Fields to extract from a text."""

import json

from ..banks import load_bank
from ..draw import Draw, row
from .texts import text_of_records

BANK = load_bank("records/fields")


def extract(draw: Draw) -> dict:
    """Asks for one to four fields: for one value as it is in the text, or for several as JSON or as lines."""
    for _ in range(100):
        _, records, text = text_of_records(draw, most=1)
        record = records[0]
        slots = [slot for slot in record if slot in BANK.slot_names and record[slot] in text]
        if len(slots) < 2:
            continue
        count = draw.rng.choices([1, 2, 3, 4], [4, 3, 3, 1])[0]
        chosen = draw.sample(slots, min(count, len(slots)))
        fields = [(draw.pick(BANK.slot_names[slot]), record[slot]) for slot in chosen]
        asked, answer = request_and_answer(draw, fields)
        form = draw.pick(["{asked}\n\n{text}", "{text}\n\n{asked}", "{asked}\n\nText: {text}", '{asked}\n\n"{text}"'])
        meta = {"slots": {slot: record[slot] for slot in chosen}}
        return row("extraction", form.format(asked=asked, text=text), answer, **meta)
    raise SystemExit("No kind of text gives slots to extract.")


def request_and_answer(draw: Draw, fields: list[tuple[str, str]]) -> tuple[str, str]:
    names = [name for name, _ in fields]
    if len(fields) == 1:
        return draw.wording(BANK.extract_one).format(names[0]), fields[0][1]
    if draw.chance(0.45):
        asked = draw.wording(BANK.extract_json).format(", ".join(names))
        return asked, json.dumps(dict(fields), ensure_ascii=False)
    asked = draw.wording(BANK.extract_lines).format(", ".join(names[:-1]) + " and " + names[-1])
    return asked, "\n".join(f"{name[0].upper() + name[1:]}: {value}" for name, value in fields)
