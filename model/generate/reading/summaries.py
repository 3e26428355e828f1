"""Summaries, headlines and key points."""

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import Record, fill, slots_in
from .requests import careless, order_on, some_system
from .texts import write_text

BANK = load_bank("reading/summaries")


def single_record(draw: Draw) -> tuple[Record, str]:
    while True:
        (record,), text = write_text(draw, 1)
        if record.mentions(record.kind.summary) and len(text) < 1300:
            return record, text


def mentioned_slots(record: Record, template: str) -> dict[str, str]:
    return {slot: record.values[slot] for slot in slots_in(template)}


def summary(draw: Draw) -> dict:
    record, text = single_record(draw)
    return row(
        "summary",
        order_on(draw, text, careless(draw, draw.wording(BANK.summary_asks))),
        fill(record.kind.summary, record.values),
        system=some_system(draw, 0.05),
        slots=mentioned_slots(record, record.kind.summary),
        text=text,
    )


def headline(draw: Draw) -> dict:
    while True:
        record, text = single_record(draw)
        if record.mentions(record.kind.headline):
            break
    return row(
        "headline",
        order_on(draw, text, careless(draw, draw.wording(BANK.headline_asks))),
        fill(record.kind.headline, record.values),
        slots=mentioned_slots(record, record.kind.headline),
        text=text,
    )


def key_points(draw: Draw) -> dict:
    while True:
        record, text = single_record(draw)
        points = [point for point in record.kind.points if record.mentions(point)]
        if len(points) > 2:
            break
    slots = {
        slot: value for point in points for slot, value in mentioned_slots(record, point).items() if slot != "first"
    }
    return row(
        "key_points",
        order_on(draw, text, careless(draw, draw.wording(BANK.point_asks))),
        "\n".join("- " + fill(point, record.values) for point in points),
        slots=slots,
        text=text,
    )
