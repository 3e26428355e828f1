"""Generators: seeded programs that write the kinds of conversation that the public data lacks.

python3 -m generate 20                     # shows 20 rows as in training
python3 -m generate 20 --held-out          # as in evaluation
python3 -m generate 5 --task sums
"""

from . import chat, everyday, labels, reading, records, sums, writing
from .draw import Draw

# Shares of the generated rows.
SHARES = [
    (reading, 0.14),
    (records, 0.15),
    (labels, 0.25),
    (everyday, 0.18),
    (chat, 0.14),
    (writing, 0.09),
    (sums, 0.05),
]


def generate_rows(count: int, seed: int | str, held_out: bool = False, tasks: list[str] | None = None) -> list[dict]:
    """Returns `count` rows. With `tasks`, only rows whose task begins with one of them.

    Fails if the generators make too few rows of these tasks.
    """
    draw = Draw(seed, held_out)
    modules, shares = zip(*SHARES)
    rows: list[dict] = []
    for _ in range(200 * count + 10_000 if tasks else count):
        generators, weights = zip(*draw.rng.choices(modules, shares)[0].GENERATORS)
        made = draw.rng.choices(generators, weights)[0](draw)
        if not tasks or made["task"].startswith(tuple(tasks)):
            rows.append(made)
        if len(rows) == count:
            return rows
    raise SystemExit(f"No generator makes enough rows of the task {' or '.join(tasks or [])}.")


def rows_of(generators: list[tuple], draw: Draw, count: int) -> list[dict]:
    """Returns `count` rows of a module's GENERATORS, drawn by their weights."""
    functions, weights = zip(*generators)
    return [function(draw) for function in draw.rng.choices(functions, weights, k=count)]
