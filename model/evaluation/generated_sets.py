"""Sets of held-out generated rows, and questions on pages of several lengths."""

import collections
import random
import re
import statistics
from collections.abc import Callable

from generate import generate_rows

from . import score
from .client import Case, Reply
from .public_sets import chance
from .sets import (
    ANSWER_TOKENS,
    SEED,
    TEXT_TOKENS,
    Data,
    Measure,
    Set,
    apart,
    cases_of,
    label_set,
    reference,
    texts,
    trained_label_sets,
)

GENERATED = "Generated rows, held-out seeds and wordings"


PAGE_SIZES, PAGE_ROWS = (300, 1000, 3000, 6000), 40  # sizes in characters


MEASURED_TASKS = ("classification", "reading_question", "lookup", "dialogue_summary", "data_to_text", "sums")


PROSE = ("openstax_introduction-anthropology", "se_kenneth-grahame-the-wind-in-the-willows")


def generated(tasks: list[str] | None, count: int, name: str, held_out: bool = True) -> list[dict]:
    """Returns generated rows, by default held-out ones, or [] if no generator makes rows of these tasks."""
    try:
        return generate_rows(count, f"evaluate/{SEED}/{name}", held_out=held_out, tasks=tasks)
    except SystemExit:
        return []


def expected_of(case: Case) -> list[str]:
    answers = case.row["meta"].get("answers")
    return [answers] if isinstance(answers, str) else list(answers or [reference(case)])


def slots_of(case: Case) -> list[tuple[str, str]]:
    """Returns the row's slots as (name, value) pairs. The names are empty if the row has only values."""
    slots = case.row["meta"].get("slots") or {}
    return [
        (name, str(value))
        for name, value in (slots.items() if isinstance(slots, dict) else (("", value) for value in slots))
    ]


def exact_answers(cases: list[Case], replies: list[list[Reply]]) -> list[float]:
    return [score.exact(text, expected_of(case)) for case, text in zip(cases, texts(replies))]


def slots_said(cases: list[Case], written: list[str]) -> list[float]:
    return [score.share_stated(slots_of(case), text) for case, text in zip(cases, written)]


def longest_line(case: Case) -> str:
    return max(case.messages[-1]["content"].split("\n"), key=len)


Scored = Callable[[Data, list[Case], list[list[Reply]]], list[Measure]]


def generated_set(name: str, tasks: list[str], max_tokens: int, scored: Scored, needs: str = "") -> Set:
    """Makes a set of generated rows. Rows whose meta lacks the field `needs` are left out."""

    def build(_: Data, count: int) -> list[Case]:
        return cases_of(
            [row for row in generated(tasks, count, name) if not needs or row["meta"].get(needs)], max_tokens
        )

    return Set(name, GENERATED, build, scored)


def score_unseen_labels(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    trained = trained_label_sets(data)
    values = [score.exact(text, [reference(case)]) for case, text in zip(cases, texts(replies))]
    accuracy = Measure("accuracy", values, 0.85, baselines={"chance": chance(cases)})
    return [
        accuracy,
        *apart(
            accuracy,
            [label_set(case.row["meta"]["options"]) in trained for case in cases],
            "the label set",
            baselines=lambda rows: {"chance": chance([cases[i] for i in rows])},
        ),
    ]


def score_texts(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("exact match", exact_answers(cases, replies), 0.90)]


def score_dialogues(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    longest = slots_said(cases, [longest_line(case) for case in cases])
    return [
        Measure(
            "slot recall",
            slots_said(cases, texts(replies)),
            0.85,
            baselines={"longest line": statistics.fmean(longest)},
        ),
        Measure(
            "words in a summary",
            [float(len(text.split())) for text in texts(replies)],
            baselines={"reference": statistics.fmean(len(reference(case).split()) for case in cases)},
        ),
    ]


def score_descriptions(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    ceiling = slots_said(cases, [reference(case) for case in cases])
    return [
        Measure("slots said", slots_said(cases, texts(replies)), baselines={"reference": statistics.fmean(ceiling)})
    ]


def score_sums(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [
        Measure(
            "the right number last",
            [score.same_number(text, reference(case)) for case, text in zip(cases, texts(replies))],
        )
    ]


def score_rest(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    """Measures each task: rows with slots by the share of slots that the reply states, other rows by exact match."""
    by_task: dict[tuple[str, str], list[float]] = collections.defaultdict(list)
    for case, text, matches in zip(cases, texts(replies), exact_answers(cases, replies)):
        if slots_of(case):
            by_task[case.row["task"], "slots said"].append(score.share_stated(slots_of(case), text))
        else:
            by_task[case.row["task"], "exact match"].append(matches)
    return [
        Measure(f"{task}, {measured} ({len(values)} rows)", values)
        for (task, measured), values in sorted(by_task.items())
    ]


def build_rest(_: Data, count: int) -> list[Case]:
    rows = generated(None, 4 * count, "rest")
    return cases_of([row for row in rows if not row["task"].startswith(MEASURED_TASKS)][: 2 * count], TEXT_TOKENS)


def build_pages(data: Data, count: int) -> list[Case]:
    """Builds reading questions whose text is hidden in a page of prose. All page sizes have the same questions."""
    prose = [
        " ".join(row["text"].split())
        for source in PROSE
        for row in data.rows("dev", source)
        if len(row.get("text", "")) > 2 * PAGE_SIZES[0]
    ]
    prose = [text for text in prose if len(text) > PAGE_SIZES[-1]] or prose
    rows = [
        row
        for row in generated(["reading_question"], 3 * PAGE_ROWS, "pages")
        if 20 < len(reading_text(row)) <= PAGE_SIZES[0]
    ]
    rows = rows[: min(count, PAGE_ROWS)]
    made = []
    for size in PAGE_SIZES:
        for i, row in enumerate(rows):
            rng = random.Random(f"{SEED}/page/{size}/{i}")
            text = reading_text(row)
            page = hide(text, rng.choice(prose), size, rng)
            messages = [{**m, "content": m["content"].replace(text, page)} for m in row["messages"]]
            made.append({**row, "messages": messages, "size": size})
    return cases_of(made, ANSWER_TOKENS)


def reading_text(row: dict) -> str:
    """Returns a reading question's text: `meta["text"]` if the prompt contains it, else the longest paragraph."""
    prompt = row["messages"][-2]["content"]
    named = row["meta"].get("text")
    return named if named and named in prompt else max(re.split(r"\n+", prompt), key=len)


def hide(text: str, prose: str, size: int, rng: random.Random) -> str:
    """Hides the text between whole sentences of prose. The result has up to about `size` characters."""
    sentences = score.sentences_of(prose)
    start = rng.randrange(max(1, len(sentences) - size // 100))
    page: list[str] = []
    for sentence in sentences[start:] + sentences[:start]:
        if len(text) + sum(len(s) + 1 for s in page) + len(sentence) > size:
            break
        page.append(sentence)
    page.insert(rng.randint(0, len(page)), text)
    return " ".join(page)


def score_pages(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    values = exact_answers(cases, replies)
    by_size = {size: [value for value, case in zip(values, cases) if case.row["size"] == size] for size in PAGE_SIZES}
    return [Measure(f"exact match, page of {size:,} characters", matches) for size, matches in by_size.items()]


GENERATED_SETS = [
    generated_set("unseen_labels", ["classification_"], ANSWER_TOKENS, score_unseen_labels, "options"),
    generated_set("generated_texts", ["reading_question", "lookup"], ANSWER_TOKENS, score_texts),
    generated_set("dialogue_summary", ["dialogue_summary"], TEXT_TOKENS, score_dialogues, "slots"),
    generated_set("data_to_text", ["data_to_text"], TEXT_TOKENS, score_descriptions, "slots"),
    generated_set("sums", ["sums"], ANSWER_TOKENS, score_sums),
    Set("rest", GENERATED, build_rest, score_rest),
    Set("length", "Length", build_pages, score_pages, PROSE),
]
