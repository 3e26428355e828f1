"""Questions with one-word answers, questions about invented names, and first greetings."""

from ..banks import load_bank
from ..draw import Draw, row
from ..everyday.facts import child_fact, easy_question
from ..everyday.requests import ask, loose
from ..everyday.rules import question_under, reply_under
from ..text import NO_INFORMATION, Slots, capital

BANK = load_bank("basics/short_answers")
RULES = load_bank("everyday/rules")


def invented(draw: Draw) -> str:
    """Invents a word that no dictionary has."""
    word = "".join(
        draw.pick(BANK.onsets) + draw.pick(BANK.vowels) for _ in range(draw.pick([1, 2, 2, 2, 3]))
    ) + draw.pick(BANK.codas)
    return word if len(word) > 3 else word + draw.pick(["bax", "lon", "ria", "mok"])


def unknown(draw: Draw) -> dict:
    """Asks about names that do not exist, mixed with questions that have an answer."""
    turns = []
    for _ in range(draw.pick([1, 1, 2, 3])):
        if draw.chance(0.3):
            turns += easy_question(draw)[:2]
        else:
            turns += [
                ask(draw, BANK.unknown, Slots(x=capital(invented(draw)), y=capital(invented(draw)), z=invented(draw))),
                NO_INFORMATION,
            ]
    return row("unknown", *turns)


def coloured(draw: Draw) -> tuple[str, str, str]:
    thing, colour = draw.pick(BANK.coloured_things)
    return ask(draw, BANK.colour_asks, Slots(x=thing)), f"{capital(thing)} is {colour}.", capital(colour)


def one_word(draw: Draw) -> dict:
    """Asks easy questions; the system message or the user wants one-word or short answers."""
    rule = draw.rng.choices(["word", "short", "plain"], [6, 2, 2])[0]
    questions = []
    while len(questions) < draw.pick([1, 2, 3, 4, 5]):
        made = coloured(draw) if draw.chance(0.3) else question_under(draw, rule)
        if rule != "word" or len(made[2].split()) == 1:
            questions.append(made)
    text = draw.wording(RULES.rules[rule])
    turns = [part for question in questions for part in (question[0], reply_under(rule, "", question))]
    if rule == "word" and draw.chance(0.25):
        return row(
            "one_word",
            draw.pick(
                [
                    f"{turns[0]}\n{text}",
                    f"{turns[0]} {text}",
                    f"{text} {capital(turns[0])}",
                    f"{text}\n\n{capital(turns[0])}",
                ]
            ),
            turns[1],
        )
    if draw.chance(0.85) or rule != "plain":
        system = text if rule == "plain" else draw.pick(RULES.rule_leads) + text + draw.pick(RULES.rule_ends)
        return row("system_prompt", *turns, system=system)
    return row("fact", *turns)


def first_words(draw: Draw) -> dict:
    turns = []
    for said, replies in draw.sample(BANK.first_words, draw.pick([1, 2, 3])):
        turns += [loose(draw, draw.wording(said)), replies[0]]
    if draw.chance(0.4):
        turns += draw.pick([coloured, child_fact])(draw)[:2]
    return row("greeting", *turns)
