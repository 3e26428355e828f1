"""The parts of an evaluation: a set of cases, and the measures of its replies. No command of its own; evaluate.py uses it."""
import random
from dataclasses import dataclass, field
from typing import Callable

from client import Case, Reply

SEED = 2026                      # of the choice of rows, the generators and the requests
ANSWER_TOKENS, TEXT_TOKENS = 40, 200


@dataclass
class Measure:
    name: str
    values: list[float]
    goal: float | None = None
    at_most: bool = False
    baselines: dict[str, float] = field(default_factory=dict)
    scale: int = 1


@dataclass
class Set:
    name: str
    area: str
    build: Callable[["Data", int], list[Case]]
    score: Callable[["Data", list[Case], list[list[Reply]]], list[Measure]]
    sources: tuple[str, ...] = ()   # files of dev/ that it needs
    learns: tuple[str, ...] = ()    # files of train/ that it needs


@dataclass
class Result:
    set: Set
    rows: int
    replies: list[Reply]
    measures: list[Measure]


def sample(rows: list, count: int, name: str) -> list:
    """Returns at most `count` of the rows in their order; the same ones for the same name."""
    chosen = random.Random(f"{SEED}/{name}").sample(range(len(rows)), min(count, len(rows)))
    return [rows[i] for i in sorted(chosen)]


def texts(replies: list[list[Reply]]) -> list[str]:
    return [talk[-1].text for talk in replies]
