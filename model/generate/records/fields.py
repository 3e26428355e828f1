"""Fields to extract from a text."""

import json

from ..banks import load_bank
from ..draw import Draw, row
from .texts import text_of_records

BANK = load_bank("records/fields")


def extract(draw: Draw) -> dict:
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=1)
        record = records[0]
        slots = [s for s in record if s in BANK.slot_names and record[s] in text]
        if len(slots) < 2:
            continue
        count = draw.rng.choices([1, 2, 3, 4], [4, 3, 3, 1])[0]
        chosen = draw.sample(slots, min(count, len(slots)))
        names = [draw.pick(BANK.slot_names[s]) for s in chosen]
        if len(chosen) == 1:
            asked = draw.wording(
                [
                    "Extract the {}.",
                    "What {} is given?",
                    "Find the {} in this text.",
                    "Write down the {} only.",
                    "Give me the {}.",
                    "Pull out the {}.",
                    "Which {} does the text name?",
                    "Only the {}, please.",
                    "Return the {}.",
                    "Look for the {}.",
                    "Note the {}.",
                    "Please extract the {} from the text.",
                ]
            ).format(names[0])
            answer = record[chosen[0]]
        elif draw.chance(0.45):
            asked = draw.wording(
                [
                    "Extract {} as JSON.",
                    "Give {} as a JSON object.",
                    "Return JSON with the keys {}.",
                    "JSON with {}, please.",
                    "Answer with JSON only, keys: {}.",
                    "Turn the text into JSON with {}.",
                    "Make a JSON object of {}.",
                    "Write {} in JSON.",
                ]
            ).format(", ".join(names))
            answer = json.dumps({n: record[s] for n, s in zip(names, chosen)}, ensure_ascii=False)
        else:
            asked = draw.wording(
                [
                    "Extract {}.",
                    "List {}, one per line.",
                    "Fill in: {}.",
                    "Write down {}.",
                    "Note {} line by line.",
                    "Give {} as lines.",
                    "Make a short form with {}.",
                    "Pull out {}.",
                ]
            ).format(", ".join(names[:-1]) + " and " + names[-1])
            answer = "\n".join(f"{n[0].upper() + n[1:]}: {record[s]}" for n, s in zip(names, chosen))
        form = draw.pick(["{asked}\n\n{text}", "{text}\n\n{asked}", "{asked}\n\nText: {text}", '{asked}\n\n"{text}"'])
        return row("extraction", form.format(asked=asked, text=text), answer, slots={s: record[s] for s in chosen})
    raise SystemExit("No kind of text gives slots to extract.")
