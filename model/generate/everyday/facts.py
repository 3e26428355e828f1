"""Facts that children know. A question is a tuple: the question, the full answer, the short answer."""

from ..banks import load_bank
from ..chat.facts import a_fact
from ..draw import Draw, row
from ..text import Slots, capital, fill, mend
from ..words import COUNTRIES, a
from .requests import ask

BANK = load_bank("everyday/facts")
LISTS = load_bank("everyday/lists")
CLEAR = [(one, members) for one, _, members in LISTS.categories if one in BANK.clear_kinds]


def with_article(one: str, member: str) -> str:
    return member if one in BANK.no_article else a(member)


def kind_question(draw: Draw) -> tuple[str, str, str]:
    """Asks what something is."""
    (one, members), (other, others) = draw.sample(CLEAR, 2)
    member = draw.pick(members)
    it = with_article(one, member)
    kind = draw.pick(["what", "is", "is", "which"])
    if kind == "what":
        return ask(draw, BANK.what_asks, Slots(it=it, x=one)), f"{capital(it)} is {a(one)}.", capital(one)
    if kind == "which":
        third = draw.pick([members for name, members in CLEAR if name not in (one, other)])
        words = draw.sample([member, draw.pick(others), draw.pick(third)], 3)
        if len(set(words)) < 3 or sum(word in members for word in words) > 1:
            return kind_question(draw)
        return (
            ask(draw, BANK.which_asks, Slots(l=", ".join(words), x=one)),
            f"{capital(it)} is {a(one)}.",
            capital(member),
        )
    if draw.chance(0.5):
        return ask(draw, BANK.is_asks, Slots(it=it, x=one)), f"Yes, {it} is {a(one)}.", "Yes"
    if member in others:
        return kind_question(draw)
    return ask(draw, BANK.is_asks, Slots(it=it, x=other)), f"No, {it} is {a(one)}.", "No"


def child_fact(draw: Draw) -> tuple[str, str, str]:
    if draw.chance(0.12):
        country, city, _, _ = draw.pick(COUNTRIES)
        return ask(draw, BANK.capital_wordings, Slots(country=country)), f"The capital of {country} is {city}.", city
    wordings, answer, known = draw.pick(BANK.child_facts)
    x, y = draw.pick(known)
    x, _, z = x.partition("/")
    values = Slots(x=x, y=y, z=z)
    return ask(draw, wordings, values), mend(fill(answer, values)), capital(y)


def easy_question(draw: Draw) -> tuple[str, str, str]:
    return draw.rng.choices([child_fact, kind_question, a_fact], [6, 2, 3])[0](draw)


def child_facts(draw: Draw) -> dict:
    questions = [easy_question(draw) for _ in range(draw.pick([1, 1, 2, 3]))]
    return row("fact", *[part for question in questions for part in question[:2]])
