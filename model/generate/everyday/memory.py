"""Facts that the user mentions, and later questions about them."""

from ..banks import load_bank
from ..chat.users import slots
from ..draw import Draw, row
from ..text import fill, mend
from .facts import easy_question
from .requests import ask

BANK = load_bank("everyday/memory")


def memory(draw: Draw) -> dict:
    """Mentions one or two facts, perhaps asks something else, then asks about the facts."""
    given = slots(draw)
    chosen = draw.sample(BANK.facts, draw.pick([1, 2, 2]))
    turns = []
    for tells, replies, _, _ in chosen:
        turns += [ask(draw, tells, given), mend(fill(draw.pick(replies), given))]
    for _ in range(draw.pick([0, 1, 1, 2])):
        turns += easy_question(draw)[:2]
    for _, _, asks, answers in draw.sample(chosen, draw.number(1, len(chosen))):
        turns += [ask(draw, asks, given), mend(fill(answers[0], given))]
    return row("memory", *turns)
