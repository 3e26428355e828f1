"""E-mails."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from ..words import FIRST_NAMES, a
from .values import articles, capital, polite, slots_of, values

BANK = load_bank("writing/mails")
SLOTS = "name name2 day clock company n item job city colour food animal price month".split()


def email(draw: Draw) -> dict:
    kind, wishes, bodies = draw.pick(BANK.mails)
    filling = {key: draw.pick(bank) for key, bank in BANK.mail_slots.items()}
    base = values(draw, *SLOTS)
    base["job"] = a(base["job"]) if kind == "application" else base["job"]
    base["n"] = str(draw.number(5, 50)) if kind == "late" else base["n"]
    filling = {key: articles(text.format(**base)) for key, text in filling.items()} | base
    wish, body = draw.pick(wishes), draw.pick(bodies)
    if kind == "application":
        wish = wish.replace("the job of {job}", "a job as {job}")
        body = body.replace("the job of {job}", "the job as {job}").replace("the post of {job}", "the post as {job}")
        body = body.replace("the position of {job}", "a position as {job}")
    noun = wish.startswith(("a ", "an ", "congratulations"))
    request = draw.wording(BANK.noun_wishes if noun else BANK.mail_wishes).format(
        x=re.sub(r"\byour\b", "the", wish.format(**filling)).replace("calling you back", "calling back")
    )
    sender = draw.pick([name for name in FIRST_NAMES if name != filling["name"]]) if draw.chance(0.5) else None
    prompt = polite(draw, request) if not request.startswith(("I ", "send")) else capital(request) + "."
    if sender:
        prompt += draw.pick(
            [f" Sign it with {sender}.", f" My name is {sender}.", f" It is from {sender}.", f" Signed: {sender}"]
        )
    formal = "{company}" in wish
    addressee = filling["company"] + " team" if formal else filling["name"]
    closing = "Kind regards" if formal else "Best wishes"
    answer = f"Dear {addressee},\n\n{capital(body.format(**filling))}\n\n{closing}"
    answer += f",\n{sender}" if sender else ""
    used = {key: filling[key] for key in slots_of(wish)}
    return row("email", prompt, answer, kind=kind, slots=used)
