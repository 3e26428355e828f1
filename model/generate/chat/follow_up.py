"""Turns that only make sense after an earlier one."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import Slots, capital, fill, mend
from ..words import COUNTRIES
from .facts import ON_TWO_CONTINENTS, a_fact
from .users import careless, says, slots

BANK = load_bank("chat/follow_up")
SMALL_TALK = load_bank("chat/small_talk")
FACTS = load_bank("chat/facts")


def follow_up(draw: Draw) -> dict:
    """Asks a question and, in one or two more turns, something that only makes sense after it."""
    kind = draw.rng.choices(["and", "repeat", "short", "why", "again"], [6, 6, 3, 4, 2])[0]
    if kind == "and":
        return chain(draw)
    if kind == "why":
        wordings, answer, reason, more = draw.pick(BANK.reasoned)
        question = careless(draw, draw.wording([w for w in wordings if not w.startswith("Why")]))
        steps = draw.sample([(BANK.why, reason), (BANK.more, more)], draw.pick([1, 1, 2]))
        return row(
            "follow_up", question, answer, *[part for asked, reply in steps for part in (says(draw, asked, {}), reply)]
        )
    question, answer, short = a_fact(draw)
    turns = [question, answer]
    if kind == "short":
        if answer.rstrip(".") == short or len(short.split()) > 3:
            return chain(draw)
        turns += [says(draw, BANK.short_asks, {}), short]
    elif kind == "again":
        values = slots(draw)
        first_exchange = draw.pick(list(SMALL_TALK.themes.values()))[0]
        remark = capital(fill(draw.wording(first_exchange.says), values))
        if draw.chance(0.5):
            quote = [draw.wording(BANK.quote_asks), f'You said: "{remark}"']
            turns = [remark, "I see. Please tell me more.", *quote]
        else:
            turns += [draw.wording(BANK.said_asks), f'You asked: "{question}"']
    else:
        asked, change = draw.pick([(BANK.repeat_asks, str), (BANK.shout_asks, str.upper)])
        turns += [says(draw, asked, {}), change(answer)]
        if draw.chance(0.25):
            asked, change = draw.pick([(BANK.repeat_asks, change), (BANK.shout_asks, str.upper)])
            turns += [says(draw, asked, {}), change(answer)]
    return row("follow_up", *turns)


def chain(draw: Draw) -> dict:
    """Asks the same question about something else: "And Germany?"."""
    if draw.chance(0.5):
        countries = draw.sample([country for country in COUNTRIES if country.name not in ON_TWO_CONTINENTS], 3)
        wordings, answer = draw.pick(
            [
                (FACTS.capital_asks, "The capital of {country} is {capital}."),
                (FACTS.continent_asks, "{Country} is in {continent}."),
                (FACTS.language_asks, "People in {country} speak {language}."),
            ]
        )
        rows = [Slots(country._asdict(), country=country.name, x=country.name) for country in countries]
    else:
        wordings, answer, known = draw.pick([facts for facts in FACTS.pair_facts if len(facts.pairs) > 12])
        rows = [Slots(x=x, y=y) for x, y in draw.sample(known, 3)]
    turns = [mend(says(draw, wordings, rows[0])), mend(fill(answer, rows[0]))]
    for values in rows[1 : draw.pick([2, 2, 3])]:
        turns += [says(draw, BANK.and_asks, values), mend(fill(answer, values))]
    return row("follow_up", *turns)
