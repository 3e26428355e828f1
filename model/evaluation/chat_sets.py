"""Sets of fixed conversations, each with the criteria of questions.toml."""

import re
from functools import cache

from generate import basics, rows_of
from generate.draw import Draw
from generate.handwritten import read_records

from . import score
from .client import Case, Reply
from .generated_sets import generated
from .questions import QUESTIONS, Question
from .sets import SEED, TEXT_TOKENS, Data, Measure, Set, apart

CHAT_SOURCES, TRAINING_SAMPLE = ("personality_chat", "chatterbot", "oasst100", "factbook"), 20_000


def case_of(question: Question, temperature: float | None = 0.0) -> Case:
    messages = [{"role": "system", "content": question.system}] if question.system else []
    return Case(
        messages + [{"role": "user", "content": question.says[0]}],
        TEXT_TOKENS,
        {"question": question},
        question.says[1:],
        temperature,
    )


def criteria(question: Question, replies: list[Reply], words: set[str]) -> dict[str, bool]:
    """Returns each criterion that applies, and whether the replies meet it.

    Topic, memory and form are criteria for the last reply, the others for every reply.
    """
    last = replies[-1].text

    def found(pattern: str) -> int:
        return len({match.lower() for match in re.findall(rf"\b(?:{pattern})", last, re.I | re.S)})

    said = set(score.WORD.findall(" ".join((question.system, *question.says)).lower()))
    met = {
        "on topic": found(question.topic) >= question.times
        and not (question.wrong and found(question.wrong))
        and (question.may_decline or not score.EVASIVE.search(last))
    }
    if question.remembers:
        met["remembers"] = found(question.remembers) > 0
    if question.forms:
        name = "follows the system prompt" if question.system else "keeps the form asked for"
        met[name] = all(score.keeps_form(last, form) for form in question.forms)
    met["real words"] = all(score.words_are_real(reply.text, words | said) for reply in replies)
    met["no loop"] = not any(score.loops(reply.text) for reply in replies)
    met["stops by itself"] = all(reply.finish == "stop" for reply in replies)
    return met


@cache
def trained_messages(data: Data) -> set[str]:
    """Returns user messages of the training in normal form: those of the hand-written records and of a sample of rows.

    A conversation with none of them has new wording.
    """
    records = read_records(data.folder).by_kind
    asked = [one[name] for one in records["facts"] for name in ("q", "alt_q")]
    asked += [one["user"] for one in records["writing"]]
    rows = generated(None, TRAINING_SAMPLE, "chat", held_out=False) + rows_of(
        basics.GENERATORS, Draw(f"evaluate/{SEED}/basics"), TRAINING_SAMPLE
    )
    rows += [row for source in CHAT_SOURCES for row in data.rows("train", source) if "messages" in row]
    rows += records["chat"]
    asked += [m["content"] for row in rows for m in row["messages"] if m["role"] == "user"]
    return {score.normal_form(text) for text in asked} - {""}


def by_training(data: Data, cases: list[Case], one: Measure, unit: str = "row") -> list[Measure]:
    """Measures the cases whose last user message stands in the training, and the others."""
    trained = trained_messages(data)
    asked = [case.then[-1] if case.then else case.messages[-1]["content"] for case in cases]
    return apart(one, [score.normal_form(text) in trained for text in asked], "the user's last message", unit)


def score_chat(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    words = data.words() | {"svc"}
    met = [criteria(case.row["question"], talk, words) for case, talk in zip(cases, replies)]
    passed, runaway = (
        [float(all(one.values())) for one in met],
        [float(runs_away(reply)) for talk in replies for reply in talk],
    )
    measures = [
        Measure(f"conversations that meet all their criteria, of {len(cases)}", passed, 85, scale=len(cases)),
        Measure(f"replies that loop or run to max_tokens ({len(runaway)} replies)", runaway, 0.0, at_most=True),
    ]
    for name in dict.fromkeys(name for one in met for name in one):
        values = [float(one[name]) for one in met if name in one]
        measures.append(Measure(f"{name} ({len(values)} conversations)", values))
    measures += by_training(data, cases, Measure("all criteria", passed), "conversation")
    for kind in dict.fromkeys(question.kind for question in QUESTIONS):
        values = [value for value, case in zip(passed, cases) if case.row["question"].kind == kind]
        measures.append(Measure(f"all criteria, {kind} ({len(values)} conversations)", values))
    return measures


def score_warm_chat(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    """Scores conversations that were sent without a temperature. The goals do not apply to them."""
    whole, runaways = score_chat(data, cases, replies)[:2]
    whole.goal = runaways.goal = None
    return [whole, runaways]


def runs_away(reply: Reply) -> bool:
    return reply.finish == "length" or score.loops(reply.text)


CHAT_SETS = [
    Set("chat", "Chat", lambda _, count: [case_of(one) for one in QUESTIONS], score_chat, (), CHAT_SOURCES),
    Set(
        "chat_default",
        "Chat",
        lambda _, count: [case_of(one, None) for one in QUESTIONS],
        score_warm_chat,
        (),
        CHAT_SOURCES,
    ),
]
