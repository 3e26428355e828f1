"""Texts whose first sentence is their summary."""

from ..banks import load_bank
from ..draw import Draw, row
from ..drills import MOST_TRIES, page
from ..everyday.requests import ask
from ..text import Slots, fill
from ..words import CITIES, FIRST_NAMES, ITEMS, MONTHS, SURNAMES, WEEKDAYS, clock, price

BANK = load_bank("basics/summaries")
SUMMARIES = load_bank("reading/summaries")
PICKING = load_bank("basics/picking")
NUMBER_WORDS = "two three four five six seven eight nine ten twelve".split()
MORE_SUMMARY_ASKS = BANK.more_summary_asks + SUMMARIES.summary_asks


def notice(draw: Draw) -> list[str]:
    """Writes a notice; its first sentence is the news."""
    news, details = draw.pick(BANK.notices)
    name, other = draw.sample(FIRST_NAMES, 2)
    n, n2 = draw.sample(NUMBER_WORDS, 2)
    city, city2 = draw.sample(CITIES, 2)
    day, day2 = draw.sample(WEEKDAYS, 2)
    values = Slots(
        name=name,
        other=other,
        full=f"{name} {draw.pick(SURNAMES)}",
        full2=f"{other} {draw.pick(SURNAMES)}",
        n=n,
        n2=n2,
        big=str(draw.number(12, 900)),
        city=city,
        city2=city2,
        day=day,
        day2=day2,
        date=f"{draw.number(1, 28)} {draw.pick(MONTHS)}",
        date2=f"{draw.number(1, 28)} {draw.pick(MONTHS)}",
        month=draw.pick(MONTHS),
        price=price(draw),
        time=clock(draw),
        street=draw.pick(["our street", "the old town", "Mill Lane", "Station Road", "High Street"]),
        season=draw.pick(["spring", "summer", "autumn", "winter"]),
        place=draw.pick(BANK.buildings),
        room=draw.pick(BANK.rooms),
        prize=draw.pick(BANK.prizes),
        pet=draw.pick(BANK.lost_pets),
        items=draw.pick(ITEMS),
        event=draw.pick(PICKING.events),
    )
    kept = [part for part in details if draw.chance(0.85)] or details[:1]
    return [fill(draw.pick(part), values) for part in [news, *kept]]


def first_sentence(draw: Draw, sentences: list[str]) -> dict:
    title = draw.chance(0.02)
    question = ask(draw, SUMMARIES.headline_asks if title else MORE_SUMMARY_ASKS, {})
    return row(
        "summary",
        draw.pick(BANK.summary_layouts).format(q=question, t=" ".join(sentences)),
        sentences[0].rstrip(".") if title else sentences[0],
    )


def summary_of_notice(draw: Draw) -> dict:
    return first_sentence(draw, notice(draw))


def summary_of_prose(draw: Draw, prose: list[str], longest: int) -> dict:
    """Takes a few sentences of prose. The first one, which is the summary, has 31 to 219 characters."""
    for _ in range(MOST_TRIES):
        sentences = page(draw, prose, longest)[: draw.number(3, 7)]
        if (
            len(sentences) > 2
            and 30 < len(sentences[0]) < 220
            and sentences[0][0].isupper()
            and sentences[0][-1] == "."
        ):
            return first_sentence(draw, sentences)
    raise SystemExit("The prose of the data folder holds no sentence that could sum up a page.")
