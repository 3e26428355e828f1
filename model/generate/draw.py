"""What every generator draws from. No command of its own.

A generator is a function of one `Draw` that returns one row in the form of the data folder:
`{"source": "generated", "task", "messages": [{"role", "content"}, …], "meta": {…}}`, the last message the assistant's.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
HELD_OUT_EVERY, HELD_OUT_AT = 7, 3


class Draw:
    """A seeded source of choices on one side of the line between training and evaluation.

    Every seventh entry of a bank given to `wording` is held out: training never sees it, and evaluation sees no other.
    """

    def __init__(self, seed: int | str, held_out: bool = False):
        self.rng = random.Random(f"{seed}/{held_out}")
        self.held_out = held_out

    def wording(self, bank: Sequence[T]) -> T:
        """One of this side's entries of a bank of requests, label sets or names. Banks of fewer than four have one side only."""
        if len(bank) <= HELD_OUT_AT:
            return self.rng.choice(bank)
        held = bank[HELD_OUT_AT::HELD_OUT_EVERY]
        if self.held_out:
            return self.rng.choice(held)
        index = self.rng.randrange(len(bank) - len(held))
        return bank[index + (index + HELD_OUT_EVERY - 1 - HELD_OUT_AT) // (HELD_OUT_EVERY - 1)]

    def pick(self, things: Sequence[T]) -> T:
        """Any entry, on both sides of the line."""
        return self.rng.choice(things)

    def sample(self, things: Sequence[T], count: int) -> list[T]:
        """`count` different entries in random order."""
        return self.rng.sample(things, count)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def number(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return self.rng.randint(low, high)


def row(task: str, *turns: str, system: str | None = None, **meta) -> dict:
    """A conversation of alternating user and assistant texts, after a system message where there is one."""
    messages = [{"role": "system", "content": system}] if system else []
    messages += [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(turns)]
    return {"source": "generated", "task": task, "messages": messages, "meta": meta}
