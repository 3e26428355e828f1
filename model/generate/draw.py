"""Seeded choices, and the rows that generators return.

A generator is a function of one `Draw` that returns one row in the form of the data folder: `{"source": "generated",
"task", "messages": [{"role", "content"}, …], "meta": {…}}`. The last message is the assistant's.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
HELD_OUT_EVERY, HELD_OUT_AT = 7, 3


class Draw:
    """A seeded source of choices, either for training or for evaluation.

    `wording` holds out every seventh entry of a bank: training never draws these entries, and evaluation only these.
    """

    def __init__(self, seed: int | str, held_out: bool = False):
        self.rng = random.Random(f"{seed}/{held_out}")
        self.held_out = held_out

    def wording(self, bank: Sequence[T]) -> T:
        """Draws an entry: in evaluation a held-out one, in training another. Banks of up to 3 entries hold out none."""
        if len(bank) <= HELD_OUT_AT:
            return self.rng.choice(bank)
        held = bank[HELD_OUT_AT::HELD_OUT_EVERY]
        if self.held_out:
            return self.rng.choice(held)
        index = self.rng.randrange(len(bank) - len(held))
        return bank[index + (index + HELD_OUT_EVERY - 1 - HELD_OUT_AT) // (HELD_OUT_EVERY - 1)]

    def pick(self, things: Sequence[T]) -> T:
        """Draws any entry, in training and in evaluation."""
        return self.rng.choice(things)

    def sample(self, things: Sequence[T], count: int) -> list[T]:
        """Draws `count` different entries in random order."""
        return self.rng.sample(things, count)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def number(self, low: int, high: int) -> int:
        """Draws a whole number from `low` to `high`, both included."""
        return self.rng.randint(low, high)


def row(task: str, *turns: str, system: str | None = None, **meta) -> dict:
    """Makes a row of alternating user and assistant texts, after an optional system message."""
    messages = [{"role": "system", "content": system}] if system else []
    messages += [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(turns)]
    return {"source": "generated", "task": task, "messages": messages, "meta": meta}
