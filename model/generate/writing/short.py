"""Adverts, stories and poems."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from ..words import a
from .values import articles, capital, polite, slots_of, values

BANK = load_bank("writing/short")


def story_values(draw: Draw) -> dict:
    base = values(
        draw, "name", "animal", "city", "place", "item", "company", "job", "hobby", "colour", "price", "food", "day"
    )
    base["animal"] = base["animal"].lower()
    return base | {
        "a_job": a(base["job"]),
        "a_animal": a(base["animal"]),
        "A_animal": capital(a(base["animal"])),
        "Animal": base["animal"].title(),
        "Colour": capital(base["colour"]),
    }


def blurb(draw: Draw) -> dict:
    wish, texts = draw.pick(BANK.blurbs)
    base = story_values(draw)
    request = draw.wording(BANK.short_wishes).format(x=wish.format(**base))
    prompt = polite(draw, request) if not request.startswith(("I ", "let")) else capital(request) + "."
    return row(
        "blurb", prompt, articles(draw.pick(texts).format(**base)), slots={key: base[key] for key in slots_of(wish)}
    )


def story(draw: Draw) -> dict:
    base = story_values(draw)
    wish = draw.wording(BANK.story_wishes).format(**base)
    first = draw.pick(BANK.starts)
    middle = draw.pick(BANK.middles)
    if first.startswith("{name}") or "morning {name}" in first:
        middle = re.sub(r"^It\b", "The {animal}", middle)
    arrivals = ("came", "stood", "said {name}") if "{name}" in first else ()
    turns = [turn for turn in BANK.turns if not any(word in turn for word in arrivals)]
    parts = [first, middle, draw.pick(turns), draw.pick(BANK.ends)]
    prompt = polite(draw, wish) if not wish.startswith(("I ", "a ")) else capital(wish) + "."
    return row(
        "story",
        prompt,
        articles(" ".join(parts).format(**base)),
        slots={key: base[key] for key in ("name", "animal", "city")},
    )


def poem(draw: Draw) -> dict:
    subject, verses = draw.pick(BANK.poems)
    wish = draw.wording(BANK.poem_wishes).format(x=subject)
    prompt = polite(draw, wish) if not wish.startswith(("I ", "a ")) else capital(wish) + "."
    return row(
        "poem",
        prompt,
        verses[0] if any(word in wish for word in ("two", "couplet")) else "\n".join(verses),
        slots={"subject": subject},
    )
