"""Texts about one to three records of a kind."""

from ..banks import load_bank
from ..draw import Draw
from .kinds import ALL_KINDS, Record, fill, make_record, slots_in

BANK = load_bank("reading/texts")


def write_sentences(draw: Draw, record: Record, most: int) -> list[str]:
    """Writes at most `most` sentences about the record, and adds the slots they mention to the record."""
    first, *others = record.kind.sentences
    chosen = [first] + [bank for bank in others if draw.chance(0.75)][: most - 1]
    lines = []
    for bank in chosen:
        template = draw.wording(bank)
        record.used.append(template)
        record.mentioned += [slot for slot in slots_in(template) if slot in record.values]
        lines.append(fill(template, record.values))
    return lines


def write_text(draw: Draw, count: int | None = None) -> tuple[list[Record], str]:
    """Writes a text about one to three records of a kind; returns the records and the text."""
    kind = draw.pick(ALL_KINDS)
    count = count or draw.pick([1, 1, 1, 2, 2, 3])
    taken: list[str] = []
    records = [make_record(draw, kind, taken) for _ in range(count)]
    parts = [write_sentences(draw, record, {1: 6, 2: 3, 3: 2}[count]) for record in records]
    if draw.chance(0.2):
        parts[draw.number(0, count - 1)].append(draw.wording(BANK.noise))
    separator = draw.pick([" ", " ", "\n", "\n\n"]) if count > 1 else " "
    return records, separator.join(" ".join(lines) for lines in parts)
