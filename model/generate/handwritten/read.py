"""Reads the hand-written records, and deals them in turn."""

import json
from pathlib import Path

from ..draw import Draw

KINDS = ("labels", "messages", "prose", "extract", "chat", "writing", "facts")
OWN_RECORDS = Path(__file__).parents[2] / "handwritten"  # more records for the training, in the same form


class Records:
    """The records of one part, by kind. `deal` goes through a kind again and again, in a new random order each time."""

    def __init__(self, by_kind: dict[str, list[dict]]):
        self.by_kind = by_kind
        self._left: dict[str, list[dict]] = {}

    def deal(self, draw: Draw, kind: str, wanted=None) -> dict:
        """Returns the next record. With `wanted`, deals only records for which it returns true, in a separate order."""
        key = kind if wanted is None else f"{kind}/{wanted.__name__}"
        if not self._left.get(key):
            self._left[key] = [record for record in self.by_kind[kind] if wanted is None or wanted(record)]
            draw.rng.shuffle(self._left[key])
        return self._left[key].pop()


def read_records(data: Path, part: str = "train") -> Records:
    folder = data / "handwritten"
    missing = [kind for kind in KINDS if not (folder / f"{kind}.{part}.jsonl").is_file()]
    if missing:
        raise SystemExit(f"The data folder {data} is incomplete: handwritten/{missing[0]}.{part}.jsonl is missing.")
    records = {kind: read_lines(folder / f"{kind}.{part}.jsonl") for kind in KINDS}
    if part == "train":
        for path in sorted(OWN_RECORDS.glob("*.jsonl")):
            records[path.stem] += read_lines(path)
    return Records(records)


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
