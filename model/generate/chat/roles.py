"""System prompts that set a role: the chatbot of a company, or a person."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import NO_INFORMATION, Slots, after, capital, fill
from ..words import FIRST_NAMES, ITEMS, WEEKDAYS, company, full_name, phone, street
from .users import says, slots

BANK = load_bank("chat/roles")
SMALL_TALK = load_bank("chat/small_talk")
IDENTITY = load_bank("chat/identity")
COMPANY_FACTS = {fact.name: fact for fact in BANK.company_facts}
PERSONA_ASKS = [(IDENTITY.identity[1].says + BANK.name_asks, "I am {name}."), *BANK.persona_asks]
ADDRESSES = ["Hi!", "Hello.", "Excuse me,", "One question:", "Good afternoon.", "Sorry,", "Just quickly:"]


def company_bot(draw: Draw) -> dict:
    """Makes the chatbot of an invented company, which knows only the facts in its system message."""
    values = company_slots(draw)
    known = draw.sample(list(COMPANY_FACTS), draw.number(2, 6))
    facts = [fill(draw.wording(COMPANY_FACTS[k].says), values) for k in known]
    lead = fill(draw.wording(BANK.company_leads), values)
    listed = draw.pick([" ".join(facts), " ".join(facts), "\n".join(facts), "\n".join(f"- {f}" for f in facts)])
    system = lead + ("\n" if "\n" in listed else " ") + listed + draw.pick(BANK.company_ends)
    turns = []
    if draw.chance(0.15):
        turns = [says(draw, SMALL_TALK.greetings[0].says, values), draw.pick(["Hello! How can I help you?"])]
    for k in draw.sample(known, draw.number(1, min(3, len(known)))):
        turns += [customer_asks(draw, COMPANY_FACTS[k].asks, values), capital(fill(COMPANY_FACTS[k].answer, values))]
    if draw.chance(0.3):
        unknown_kinds = [k for k in COMPANY_FACTS if k not in known and k != "price"]
        wordings = BANK.company_missing if draw.chance(0.5) else COMPANY_FACTS[draw.pick(unknown_kinds)].asks
        turns += [says(draw, wordings, values), NO_INFORMATION]
    return row("system_prompt", *turns, system=system)


def company_slots(draw: Draw) -> Slots:
    values = slots(draw)
    start, other = draw.sample(range(7), 2)
    item, item2 = draw.sample(ITEMS, 2)
    euros, euros2 = draw.sample(range(2, 99), 2)
    opening_hour = draw.number(6, 11)
    values.update(
        company=company(draw),
        name=full_name(draw),
        name2=draw.pick(FIRST_NAMES),
        item=item,
        item2=item2,
        euros=str(euros),
        euros2=str(euros2),
        street=street(draw),
        phone=phone(draw),
        open=f"{opening_hour}:{draw.pick(['00', '00', '30'])}",
        close=f"{draw.number(13, 21)}:{draw.pick(['00', '00', '30'])}",
        day=WEEKDAYS[min(start, other)],
        day2=WEEKDAYS[max(start, other)],
        days=str(draw.pick([7, 10, 14, 20, 21, 28, 30, 60, 90])),
        wait=str(draw.number(2, 9)),
        year=str(draw.number(1890, 2022)),
    )
    return values


def customer_asks(draw: Draw, wordings: list[str], values: dict) -> str:
    """Asks a question, now and then after a polite word."""
    text = says(draw, wordings, values)
    return after(draw.pick(ADDRESSES), text) if draw.chance(0.15) else text


def persona(draw: Draw) -> dict:
    values = slots(draw)
    turns = []
    for wordings, answer in draw.sample(PERSONA_ASKS, draw.pick([1, 2, 2, 3])):
        turns += [says(draw, wordings, values), fill(answer, values)]
    if draw.chance(0.15):
        turns += [says(draw, BANK.persona_missing, values), NO_INFORMATION]
    return row("system_prompt", *turns, system=capital(fill(draw.wording(BANK.personas), values)))
