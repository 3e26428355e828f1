"""Sets from public data: classification, questions on texts, summaries, descriptions, sentence splitting."""

import collections
import statistics
from collections.abc import Callable

from . import score
from .client import Case, Reply
from .sets import ANSWER_TOKENS, TEXT_TOKENS, Data, Measure, Set, cases_of, reference, sample, text_of, texts

# The goal of each classification set.
CLASSIFICATION = {
    "sentence_polarity": 0.79,
    "snips": 0.97,
    "clinc150": 0.95,
    "banking77": 0.92,
    "goemotions": 0.64,
    "hwu64": None,
}


def build(source: str, max_tokens: int) -> Callable[[Data, int], list[Case]]:
    """Returns a function that builds cases from a source's dev rows."""
    return lambda data, count: cases_of(data.sample(source, count), max_tokens)


def classification(source: str, goal: float | None) -> Set:
    def scored(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
        metas, bayes = [case.row["meta"] for case in cases], data.bayes(source)
        chosen = [bayes.choose(text_of(case.row), meta["options"]) for case, meta in zip(cases, metas)]
        baselines = {
            "majority": statistics.fmean(bayes.majority() == meta["label"] for meta in metas),
            "chance": chance(cases),
            "naive Bayes": statistics.fmean(label == meta["label"] for label, meta in zip(chosen, metas)),
        }
        return [
            Measure(
                "exact match",
                [score.exact(text, [meta["label"]]) for text, meta in zip(texts(replies), metas)],
                goal,
                baselines=baselines,
            ),
            Measure(
                "names one of the options",
                [score.exact(text, meta["options"]) for text, meta in zip(texts(replies), metas)],
            ),
        ]

    return Set(source, "Labels", build(source, ANSWER_TOKENS), scored, (source,), (source,))


def chance(cases: list[Case]) -> float:
    return statistics.fmean(1 / len(case.row["meta"]["options"]) for case in cases)


def score_xquad(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    answers = [case.row["meta"]["answers"] for case in cases]
    first, best = [], []
    for case, expected in zip(cases, answers):
        _, text, question = case.messages[-1]["content"].split("\n\n", 2)
        first.append(score.squad_f1(score.sentences_of(text)[0], expected))
        best.append(score.squad_f1(score.best_overlap_sentence(text, question.removeprefix("Question: ")), expected))
    baselines = {"first sentence": statistics.fmean(first), "best-overlap sentence": statistics.fmean(best)}
    return [
        Measure(
            "F1",
            [score.squad_f1(text, expected) for text, expected in zip(texts(replies), answers)],
            0.25,
            baselines=baselines,
        ),
        Measure(
            "exact match (SQuAD's)",
            [score.squad_exact(text, expected) for text, expected in zip(texts(replies), answers)],
        ),
    ]


def score_scitldr(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    references = [case.row["meta"].get("refs") or [reference(case)] for case in cases]
    leads = [score.sentences_of(case.messages[-1]["content"].split("\n\n", 1)[1])[0] for case in cases]
    lead = statistics.fmean(map(score.rouge_l, leads, references))
    return [Measure("ROUGE-L", list(map(score.rouge_l, texts(replies), references)), 0.26, baselines={"lead-1": lead})]


def score_wikisplit(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    copies = [case.messages[-1]["content"].partition(": ")[2] for case in cases]
    references = [[reference(case)] for case in cases]
    return [
        Measure(
            "ROUGE-L",
            list(map(score.rouge_l, texts(replies), references)),
            baselines={"the sentence unchanged": statistics.fmean(map(score.rouge_l, copies, references))},
        )
    ]


def build_e2e(data: Data, count: int) -> list[Case]:
    """Builds one case per record, with the descriptions of all its writers as references."""
    written = collections.defaultdict(list)
    rows = data.rows("dev", "e2e_nlg")
    for row in rows:
        written[row["meta"]["mr"]].append(row["messages"][-1]["content"])
    first = {row["meta"]["mr"]: {**row, "references": written[row["meta"]["mr"]]} for row in reversed(rows)}
    return cases_of(sample(list(first.values()), count, "e2e_nlg"), TEXT_TOKENS)


def score_e2e(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    vocabulary = score.record_vocabulary(score.record_of(row["meta"]["mr"]) for row in data.rows("dev", "e2e_nlg"))
    records, references = (
        [score.record_of(case.row["meta"]["mr"]) for case in cases],
        [case.row["references"] for case in cases],
    )
    template, people = [score.record_template(record) for record in records], [written[0] for written in references]

    def said(written: list[str]) -> list[float]:
        return list(map(score.share_stated, records, written))

    def invented(written: list[str]) -> list[float]:
        return [score.has_invented(record, text, vocabulary) for record, text in zip(records, written)]

    return [
        Measure(
            "slots said",
            said(texts(replies)),
            0.98,
            baselines={"fixed template": statistics.fmean(said(template)), "people": statistics.fmean(said(people))},
        ),
        Measure(
            "replies with an invented slot",
            invented(texts(replies)),
            0.01,
            at_most=True,
            baselines={
                "fixed template": statistics.fmean(invented(template)),
                "people": statistics.fmean(invented(people)),
            },
        ),
        Measure(
            "ROUGE-L",
            list(map(score.rouge_l, texts(replies), references)),
            baselines={"fixed template": statistics.fmean(map(score.rouge_l, template, references))},
        ),
    ]


PUBLIC_SETS = [
    *(classification(source, goal) for source, goal in CLASSIFICATION.items()),
    Set("xquad_en", "Public texts", build("xquad_en", ANSWER_TOKENS), score_xquad, ("xquad_en",)),
    Set("scitldr", "Public texts", build("scitldr", TEXT_TOKENS), score_scitldr, ("scitldr",)),
    Set("e2e_nlg", "Public texts", build_e2e, score_e2e, ("e2e_nlg",)),
    Set("wikisplit", "Public texts", build("wikisplit", TEXT_TOKENS), score_wikisplit, ("wikisplit",)),
]
