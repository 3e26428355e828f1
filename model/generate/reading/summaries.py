"""Summaries, headlines and key points."""

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import Record, fill, slots_in
from .requests import careless, order_on, some_system
from .texts import tell_all

BANK = load_bank("reading/summaries")


def told_alone(draw: Draw) -> tuple[Record, str]:
    while True:
        (record,), text = tell_all(draw, 1)
        if record.has(record.kind.summary) and len(text) < 1300:
            return record, text


def told_slots(record: Record, template: str) -> dict[str, str]:
    return {slot: record.values[slot] for slot in slots_in(template)}


def summary(draw: Draw) -> dict:
    record, text = told_alone(draw)
    return row(
        "summary",
        order_on(draw, text, careless(draw, draw.wording(BANK.summary_asks))),
        fill(record.kind.summary, record.values),
        system=some_system(draw, 0.05),
        slots=told_slots(record, record.kind.summary),
        text=text,
    )


def headline(draw: Draw) -> dict:
    while True:
        record, text = told_alone(draw)
        if record.has(record.kind.headline):
            break
    return row(
        "headline",
        order_on(draw, text, careless(draw, draw.wording(BANK.headline_asks))),
        fill(record.kind.headline, record.values),
        slots=told_slots(record, record.kind.headline),
        text=text,
    )


def key_points(draw: Draw) -> dict:
    while True:
        record, text = told_alone(draw)
        points = [point for point in record.kind.points if record.has(point)]
        if len(points) > 2:
            break
    slots = {slot: value for point in points for slot, value in told_slots(record, point).items() if slot != "first"}
    return row(
        "key_points",
        order_on(draw, text, careless(draw, draw.wording(BANK.point_asks))),
        "\n".join("- " + fill(point, record.values) for point in points),
        slots=slots,
        text=text,
    )
