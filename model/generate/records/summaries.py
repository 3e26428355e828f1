"""Summaries, headlines and key points."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import KINDS
from .texts import fill, text_of_records

BANK = load_bank("records/summaries")
FIELDS = load_bank("records/fields")


def summary_form(draw: Draw, ask: str, text: str) -> str:
    return draw.pick(
        ["{ask}\n\n{text}", "{text}\n\n{ask}", "{ask}\n\nText: {text}", '{ask}\n\n"{text}"', "{ask} {text}"]
    ).format(ask=ask, text=text)


def summary(draw: Draw) -> dict:
    kind, records, text = text_of_records(draw, most=1)
    template = KINDS[kind].summaries[0]
    names = re.findall(r"\{(\w+?)_?\}", template.replace("a_", ""))
    slots = {name: records[0][name] for name in names if name.islower() and name in records[0]}
    prompt = summary_form(draw, draw.wording(BANK.summary_asks), text)
    return row("summary", prompt, fill(template, records[0]), slots=slots)


def headline(draw: Draw) -> dict:
    kind, records, text = text_of_records(draw, most=1)
    prompt = summary_form(draw, draw.wording(BANK.headline_asks), text)
    return row("headline", prompt, fill(KINDS[kind].headlines[0], records[0]))


def key_points(draw: Draw) -> dict:
    kind, records, text = text_of_records(draw, most=1)
    record = records[0]
    points = [
        f"- {name[0].upper() + name[1:]}: {record[slot]}"
        for slot, name in ((s, FIELDS.slot_names[s][0]) for s in record if s in FIELDS.slot_names)
        if record[slot] in text
    ][: draw.number(4, 5)]
    return row(
        "key_points",
        summary_form(draw, draw.wording(BANK.point_asks), text),
        "\n".join(points),
        slots={str(i): p.split(": ", 1)[1] for i, p in enumerate(points)},
    )
