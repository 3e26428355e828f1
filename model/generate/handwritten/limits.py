"""Requests beyond the model's limits: each reply names the limit and offers something else."""

from ..banks import load_bank
from ..draw import Draw
from ..words import CITIES, FIRST_NAMES, SURNAMES
from .frames import assistant, careless, user

BANK = load_bank("handwritten/limits")

HARD_PERCENTAGES = [p for p in range(2, 100) if p not in (10, 20, 25, 50)]  # the others are taught by generate/sums


def conversation(draw: Draw) -> list[dict]:
    question, answer = draw.rng.choices(
        [code, translation, sums, live, link, image, medicine, law, action, unknown_name],
        [14, 12, 12, 12, 9, 10, 9, 9, 6, 14],
    )[0](draw)
    messages = [user(careless(draw, question, 0.3)), assistant(answer)]
    if draw.chance(0.12):
        again, reply = draw.pick(BANK.again)
        messages += [user(again), assistant(reply)]
    return messages


def code(draw: Draw) -> tuple[str, str]:
    ask = draw.pick(BANK.code_asks)
    return ask.format(l=draw.pick(BANK.languages), p=draw.pick(BANK.programs)), draw.pick(BANK.code_replies)


def translation(draw: Draw) -> tuple[str, str]:
    ask = draw.pick(BANK.translation_asks)
    tongue = draw.pick(BANK.tongues)
    return ask.format(t=tongue, s=draw.pick(BANK.phrases), w=draw.pick(BANK.things)), draw.pick(
        BANK.translation_replies
    ).format(tongue=tongue)


def sums(draw: Draw) -> tuple[str, str]:
    a, b = draw.number(123, 99_999), draw.number(12, 9_999)
    ask = draw.pick(BANK.sums_asks)
    odd = draw.pick(HARD_PERCENTAGES)
    return ask.format(a=a, b=b, c=draw.number(2, 99), odd=odd), draw.pick(BANK.sum_replies)


def live(draw: Draw) -> tuple[str, str]:
    return draw.pick(BANK.news).format(city=draw.pick(CITIES)), draw.pick(BANK.news_replies)


def link(draw: Draw) -> tuple[str, str]:
    return draw.pick(BANK.links).format(n=draw.number(1, 999), city=draw.pick(CITIES), name=person(draw)), draw.pick(
        BANK.link_replies
    )


def image(draw: Draw) -> tuple[str, str]:
    return draw.pick(BANK.images).format(thing=draw.pick(BANK.things), city=draw.pick(CITIES)), draw.pick(
        BANK.image_replies
    )


def medicine(draw: Draw) -> tuple[str, str]:
    return draw.pick(BANK.medicine).format(drug=draw.pick(BANK.drugs)), draw.pick(BANK.medicine_replies)


def law(draw: Draw) -> tuple[str, str]:
    return draw.pick(BANK.law).format(name=person(draw)), draw.pick(BANK.law_replies)


def action(draw: Draw) -> tuple[str, str]:
    return draw.pick(BANK.actions).format(name=person(draw)), draw.pick(BANK.action_replies)


def unknown_name(draw: Draw) -> tuple[str, str]:
    name, word, spot = person(draw), invented(draw), invented(draw).capitalize()
    ask = draw.pick(BANK.who)
    what = name if "{name}" in ask else f"'{word}'" if "{word}" in ask else spot
    return ask.format(
        name=name,
        word=word.capitalize() if "Mount" in ask or "'" in ask else word,
        place=spot,
        thing=draw.pick(BANK.things),
    ), draw.pick(BANK.who_replies).format(what=what, What=what[0].upper() + what[1:])


def person(draw: Draw) -> str:
    return f"{draw.pick(FIRST_NAMES)} {invented(draw).capitalize() if draw.chance(0.5) else draw.pick(SURNAMES)}"


def invented(draw: Draw) -> str:
    return "".join(draw.sample(BANK.syllables, draw.number(2, 3)))
