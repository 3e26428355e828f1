"""The building blocks of the evaluation: the data folder, sets of cases, and measures of the replies."""

import collections
import json
import random
import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from generate.handwritten import read_records

from . import score
from .client import Case, Reply

SEED = 2026  # seeds the choice of rows and the generators
ANSWER_TOKENS, TEXT_TOKENS = 40, 200
WORD_LIST_CHARACTERS = 1_500_000  # per source
JSON_MARKS = re.compile(r'\\u[0-9a-f]{4}|\\.|"(?:source|task|messages|role|content|meta|text)"')


@dataclass
class Measure:
    name: str
    values: list[float]  # one for each row, or several, as `values_of_rows` says
    goal: float | None = None
    at_most: bool = False
    baselines: dict[str, float] = field(default_factory=dict)
    scale: int = 1
    values_of_rows: list[int] = field(default_factory=list)

    def mean_and_error(self) -> tuple[float, float]:
        mean, error = score.mean_and_error(self.values, self.values_of_rows)
        return mean * self.scale, error * self.scale


@dataclass
class Set:
    """A set of cases and its scoring. `sources` are the files of dev/ that it needs, `learns` those of train/."""

    name: str
    area: str
    build: Callable[["Data", int], list[Case]]
    score: Callable[["Data", list[Case], list[list[Reply]]], list[Measure]]
    sources: tuple[str, ...] = ()
    learns: tuple[str, ...] = ()


@dataclass
class Result:
    set: Set
    rows: int
    replies: list[Reply]
    measures: list[Measure]


class Data:
    """The rows of the data folder, read on first use."""

    def __init__(self, folder: Path | None, chosen: list[Set]):
        if folder is None:
            raise SystemExit("Name the data folder with --data DATA.")
        missing = [name for name in ("train", "dev") if not (folder / name).is_dir()]
        if not missing:
            wanted = [("dev", name) for one in chosen for name in one.sources]
            wanted += [("train", name) for one in chosen for name in one.learns]
            files = [f"{part}/{name}.jsonl.zst" for part, name in wanted]
            missing = [file for file in files if not (folder / file).is_file()]
        if missing:
            raise SystemExit(f"The data folder {folder} is incomplete: {missing[0]} is missing.")
        self.folder = folder
        self._bayes: dict[str, score.NaiveBayes] = {}
        self._words: set[str] = set()

    def rows(self, part: str, source: str) -> list[dict]:
        return [json.loads(line) for line in unpack(self.folder / part / f"{source}.jsonl.zst").split("\n") if line]

    def sample(self, source: str, count: int) -> list[dict]:
        """Returns `count` rows of the dev part, the same ones each time."""
        return sample(self.rows("dev", source), count, source)

    def bayes(self, source: str) -> score.NaiveBayes:
        if source not in self._bayes:
            rows = self.rows("train", source)
            self._bayes[source] = score.NaiveBayes((text_of(row), row["meta"]["label"]) for row in rows)
        return self._bayes[source]

    def words(self) -> set[str]:
        """Returns the words that occur at least twice in the training texts, in lower case."""
        if not self._words:
            counts: collections.Counter = collections.Counter()
            for path in sorted((self.folder / "train").glob("*.jsonl.zst")):
                text = unpack(path)[:WORD_LIST_CHARACTERS]
                counts.update(score.WORD.findall(JSON_MARKS.sub(" ", text).lower().replace("’", "'")))
            self._words = {word for word, count in counts.items() if count > 1}
        return self._words


def unpack(path: Path) -> str:
    try:
        return subprocess.run(["zstd", "-dcq", str(path)], capture_output=True, check=True).stdout.decode()
    except FileNotFoundError:
        raise SystemExit("The program zstd is missing. Install it to read the data folder.") from None
    except (subprocess.CalledProcessError, UnicodeDecodeError):
        raise SystemExit(f"{path} is not a readable .zst file.") from None


def text_of(row: dict) -> str:
    return row["meta"].get("text") or row["messages"][0]["content"].split("\n\n", 1)[-1]


def reference(case: Case) -> str:
    return case.row["messages"][-1]["content"]


def cases_of(rows: Iterable[dict], max_tokens: int) -> list[Case]:
    return [Case(row["messages"][:-1], max_tokens, row) for row in rows]


def sample(rows: list, count: int, name: str) -> list:
    """Returns at most `count` of the rows, in their order. The same name always selects the same rows."""
    chosen = random.Random(f"{SEED}/{name}").sample(range(len(rows)), min(count, len(rows)))
    return [rows[i] for i in sorted(chosen)]


def label_set(labels: list[str]) -> frozenset[str]:
    return frozenset(map(score.normal_form, labels))


def trained_label_sets(data: Data) -> set[frozenset[str]]:
    """Returns the label sets of the hand-written records of the training."""
    return {label_set(record["labels"]) for record in read_records(data.folder).by_kind["labels"]}


def apart(
    one: Measure,
    known: list[bool],
    subject: str,
    unit: str = "row",
    baselines: Callable[[list[int]], dict[str, float]] = lambda rows: {},
) -> list[Measure]:
    """Splits a measure into the values that are known from the training and the others.

    `baselines` gets the indices of the rows of a part and returns the part's baselines.
    """
    made = []
    for wanted, state in ((True, "stands in the training"), (False, "is new")):
        rows = [i for i, is_known in enumerate(known) if is_known == wanted]
        if rows:
            count = f"{len(rows)} {unit}" + ("s" if len(rows) > 1 else "")
            name = f"{one.name}, where {subject} {state} ({count})"
            made.append(Measure(name, [one.values[i] for i in rows], baselines=baselines(rows)))
    return made


def texts(replies: list[list[Reply]]) -> list[str]:
    """Returns the last reply of each conversation."""
    return [talk[-1].text for talk in replies]
