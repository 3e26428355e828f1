"""Facts that the user mentions, and later questions about them."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import NOT_MENTIONED, Slots, capital, fill
from .users import careless, says, slots

BANK = load_bank("chat/memory")
CORRECTED_SLOTS = "name age city job petname colour food hobby month number plan item instrument other".split()


def memory(draw: Draw) -> dict:
    """Mentions one to four facts, perhaps talks about something else, and asks for one or two of the facts."""
    values, turns = slots(draw), []
    chosen = draw.sample(BANK.memories, draw.pick([1, 2, 2, 3, 4]))
    if draw.chance(0.35):
        turns += [
            " ".join(fill(draw.wording(m.tells).rstrip(".!") + ".", values) for m in chosen),
            draw.pick(["Thank you for telling me.", "Good to know!"]),
        ]
    else:
        for m in chosen:
            turns += [says(draw, m.tells, values), fill(m.acknowledges[0], values)]
    if draw.chance(0.2):
        m = draw.pick(chosen)
        again = slots(draw)
        values = Slots({**values, **{slot: again[slot] for slot in CORRECTED_SLOTS if m is memory_of(slot)}})
        turns += [
            fill(draw.wording(m.corrections), values),
            fill(draw.pick(["Thank you for the correction. " + m.answers[0]]), values),
        ]
    for said, reply in draw.sample(BANK.distractors, draw.pick([0, 0, 1, 1, 2])):
        turns += [careless(draw, said), reply]
    missing = [m for m in BANK.memories if m not in chosen]
    for m in draw.sample(chosen, draw.number(1, min(2, len(chosen)))):
        turns += [says(draw, m.questions, values), fill(m.answers[0], values)]
    if draw.chance(0.25):
        at = draw.pick([len(turns), len(turns) - 2])
        turns[at:at] = [says(draw, draw.pick(missing).questions, values), NOT_MENTIONED]
    return row("memory", *turns)


def memory_of(slot: str) -> tuple:
    """Returns the memory whose answer contains the slot."""
    return next(m for m in BANK.memories if f"{{{slot}}}" in m.answers[0] or f"{{a_{slot}}}" in m.answers[0])


def memory_of_others(draw: Draw) -> dict:
    """Mentions one or two other people and asks about them."""
    first, second = slots(draw), slots(draw)
    people = [first] if draw.chance(0.4) or first["name"] == second["name"] else [first, second]
    turns = []
    for person in people:
        turns += [capital(fill(draw.wording(BANK.tells_of_others), person)), BANK.replies_to_tells[0]]
    if len(people) == 2 and draw.chance(0.4):
        turns = [f"{turns[0]} {turns[2]}", BANK.replies_to_tells[0]]
    for wordings, answer in draw.sample(BANK.asks_about_others, draw.pick([1, 2])):
        person = draw.pick(people)
        turns += [says(draw, wordings, person), fill(answer, person)]
    if draw.chance(0.2):
        turns += [says(draw, BANK.asks_of_untold, draw.pick(people)), NOT_MENTIONED]
    return row("memory", *turns)
