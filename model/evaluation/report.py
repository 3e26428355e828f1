"""The report of an evaluation, RESULTS.md."""

import collections
import datetime
from dataclasses import replace

from . import score
from .chat_sets import case_of
from .client import Case, Reply, Service
from .generated_sets import GENERATED
from .handwritten_sets import AREA as HAND_WRITTEN
from .handwritten_sets import FIRST
from .questions import QUESTIONS
from .sets import TEXT_TOKENS, Data, Measure, Result, cases_of

SAMPLE_QUESTIONS = [i * 10 // 3 for i in range(30)]


SAMPLE_ROWS = [
    ("sentence_polarity", 40),
    ("snips", 200),
    ("clinc150", 900),
    ("banking77", 700),
    ("goemotions", 300),
    ("xquad_en", 60),
    ("xquad_en", 400),
    ("scitldr", 30),
    ("e2e_nlg", 1200),
    ("wikisplit", 500),
]


NOTES = {
    "Labels": "Exact match in lower case, without a final full stop. Naive Bayes is trained on the train part of the "
    "same set alone, and chooses among the row's options.",
    "Public texts": "XQuAD: SQuAD's normal form. ROUGE-L: the best of the references if a row has several. E2E: one "
    'row of each record. A slot is said if its value is in the reply as whole words ("3/5" is "3 out of 5"; family '
    "friendly goes by the words family, child, kid and their negation), and invented if another value of the dev set's "
    'vocabulary is, except "restaurant". "People" are the set\'s own writers, by the same rule.',
    GENERATED: "From `generate/`, with wordings, templates and label names that its generators never draw for the "
    "training; the hand-written records have some of the label names, and a few of the label sets. Banks of "
    "fewer than four entries and a few small label families, such as seasons, are shared; people and places are drawn "
    "from the same lists. A slot counts if it is in the reply word for word, by the rule for E2E.",
    "Length": "The same questions at each size, on a short text inside a page of prose from the dev part. 6,000 "
    "characters are about 1,500 tokens.",
    "Chat": "The conversations and their criteria are in `evaluation/questions.toml`: the user's messages are fixed, "
    "the model writes every reply. A conversation counts if it meets every criterion that applies to it. A message "
    "stands in the training if it is in the hand-written records or in a sample of the other rows, whatever its case "
    "and punctuation. chat_default sends no temperature, so the service's default of 0.7 applies.",
    HAND_WRITTEN: "From the dev part of the hand-written records, which are never trained on. None of their texts is "
    "in the training, but some of their label sets and short questions are, in the same words. Labels, facts, limits, "
    "doable requests and rules are also counted apart by that, as in the chat. Answers by exact match as above; JSON "
    "is requested with a schema in `response_format`, and a field counts if its value is the record's. A rule counts "
    "if a pattern in `evaluation/rules.py` can check it. Sets that end in _default send no temperature.",
    FIRST: "First requests of a new user; `evaluation/questions.toml` has the criteria of their replies.",
}


def write_report(
    results: list[Result], samples: list, service: Service, file_hash: str | None, rows: int, seconds: float
) -> str:
    everything = [reply for result in results for reply in result.replies]
    model = (
        f"Model `{service.model}`, fingerprint `{service.fingerprint}`"
        + (f", file sha256 `{file_hash}`" if file_hash else "")
        + "."
    )
    lines = [
        "# What the model can do, measured",
        "",
        f"`npm run eval -- --rows {rows}` on {datetime.date.today():%d %B %Y}: {len(everything):,} replies over HTTP "
        f"in {seconds / 60:.0f} minutes, temperature 0, each reply counted once.",
        "",
        model,
        "± is one standard error over the rows, 0 if all of them agree. Baselines are measured on the same rows. "
        + share_of_runaways(everything),
    ]
    for area in dict.fromkeys(result.set.area for result in results):
        lines += [
            "",
            f"## {area}",
            "",
            NOTES[area],
            "",
            "| Set | Rows | Measure | This model | Goal | Baselines | Met? |",
            "|---" * 7 + "|",
        ]
        lines += [table_row(result, one) for result in results if result.set.area == area for one in result.measures]
    if samples:
        lines += [
            "",
            "## Sample dialogues",
            "",
            f"{len(samples)} dialogues, unedited, at the service's defaults: {len(SAMPLE_QUESTIONS)} conversations of "
            f"`evaluation/questions.toml`, then {len(SAMPLE_ROWS)} rows of the dev part, chosen by the fixed indices "
            f"in `evaluation/report.py`.",
        ]
        lines += [line for i, (case, replies) in enumerate(samples, 1) for line in dialogue(i, case, replies)]
    return "\n".join(lines) + "\n"


def share_of_runaways(replies: list[Reply]) -> str:
    counts = collections.Counter(reply.finish for reply in replies)
    loops = sum(score.loops(reply.text) for reply in replies)
    stopped = counts["stop"] / max(1, len(replies))
    shares = f"Of all replies {stopped:.1%} stopped, {counts['length']} reached max_tokens, {loops} looped"
    return shares + (
        f", {counts['prompt too long']} prompts did not fit the context." if counts["prompt too long"] else "."
    )


def table_row(result: Result, one: Measure) -> str:
    mean, error = one.mean_and_error()
    digits = 3 if one.scale == 1 and abs(mean) < 10 else 1
    goal = "" if one.goal is None else f"{'≤' if one.at_most else '≥'} {one.goal:g}"
    met = "" if one.goal is None else "yes" if (mean <= one.goal if one.at_most else mean >= one.goal) else "**no**"
    baselines = ", ".join(f"{name} {value:.{3 if value < 10 else 1}f}" for name, value in one.baselines.items())
    value = f"{mean:.{digits}f} ± {error:.{digits}f}"
    return f"| {result.set.name} | {result.rows} | {one.name} | {value} | {goal} | {baselines} | {met} |"


def dialogue(number: int, case: Case, replies: list[Reply]) -> list[str]:
    about = case.row["question"].kind if "question" in case.row else case.row["source"]
    messages = [(m["role"], m["content"]) for m in case.messages]
    for i, reply in enumerate(replies):
        messages.append(("svc" if reply.finish == "stop" else f"svc ({reply.finish})", reply.text))
        messages += [("user", says) for says in case.then[i : i + 1]]
    return ["", f"### {number}. {about}", "", "~~~~text", *(f"{role}: {text}" for role, text in messages), "~~~~"]


def sample_dialogues(data: Data, service: Service, parallel: int) -> list[tuple[Case, list[Reply]]]:
    cases = [case_of(QUESTIONS[i], None) for i in SAMPLE_QUESTIONS]
    for source, index in SAMPLE_ROWS:
        rows = data.rows("dev", source)
        cases += [replace(one, temperature=None) for one in cases_of([rows[index % len(rows)]], TEXT_TOKENS)]
    return list(zip(cases, service.talk_all(cases, parallel)))
