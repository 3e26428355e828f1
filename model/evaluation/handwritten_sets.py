"""Sets from the hand-written dev records, DATA/handwritten/<kind>.dev.jsonl, which are never trained on.

Some of their label sets and short questions stand in the training in the same words, and are counted apart. Each set is
measured at temperature 0 and, as <name>_default, without a temperature in the request.
"""

import json
import re
import statistics
from dataclasses import replace

from . import score
from .chat_sets import CHAT_SOURCES, by_training
from .client import Case, Reply
from .questions import BEYOND_LIMITS, FIRST_REQUESTS, Question
from .rules import HONEST, NOT_SAID, REFUSES, rules_of, says_fact
from .sets import (
    ANSWER_TOKENS,
    TEXT_TOKENS,
    Data,
    Measure,
    Set,
    apart,
    label_set,
    sample,
    texts,
    trained_label_sets,
)

AREA, FIRST = "Hand-written records, dev part", "What people try first"
RECORD_TOKENS = 300
OPINION = re.compile(
    r"\b(?:sentiment|opinion on|feels?|mood|tone|thinks? of|verdict|pleased|happy|satisfied|recommend|likes?|"
    r"dislikes?|(?:dis)?approving|(?:dis)?agrees?|rude|attitude|grade|thumb|praise|enjoy\w*|hopeful|glad|view of|"
    r"positive)\b",
    re.I,
)


def read_dev(data: Data, kind: str) -> list[dict]:
    path = data.folder / "handwritten" / f"{kind}.dev.jsonl"
    if not path.is_file():
        raise SystemExit(f"The data folder {data.folder} is incomplete: handwritten/{kind}.dev.jsonl is missing.")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def case(prompt: str, max_tokens: int, **row) -> Case:
    return Case([{"role": "user", "content": prompt}], max_tokens, row)


def build_labels(data: Data, count: int) -> list[Case]:
    made = []
    for number, record in enumerate(read_dev(data, "labels")):
        ask = record["instruction"].rstrip()
        ask += "" if ask[-1] in ".:?!" else "."
        options = ", ".join(record["labels"])
        if record["hints"] and number % 2:
            options = "\n" + "\n".join(f"{label}: {record['hints'].get(label, label)}" for label in record["labels"])
        for item in record["items"]:
            form = (
                "{ask}\nLabels: {options}\n\n{text}",
                "{ask} Options: {options}\n\nText: {text}",
                "{text}\n\n{ask} Choose one of: {options}",
            )[number % 3]
            made.append(
                case(
                    form.replace("{ask}", ask).replace("{options}", options).replace("{text}", item["text"]),
                    ANSWER_TOKENS,
                    options=record["labels"],
                    label=item["label"],
                    opinion=bool(OPINION.search(ask + " " + " ".join(record["labels"]))),
                )
            )
    return sample(made, 2 * count, "handwritten_labels")


def score_labels(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    trained = trained_label_sets(data)
    right = [score.exact(text, [one.row["label"]]) for one, text in zip(cases, texts(replies))]
    opinions = [i for i, one in enumerate(cases) if one.row["opinion"]]
    measures = [
        Measure("accuracy", right, 0.70, baselines={"chance": chance_of(cases)}),
        Measure(
            "names one of the options",
            [score.exact(text, one.row["options"]) for one, text in zip(cases, texts(replies))],
        ),
    ]
    if opinions:
        measures.insert(
            1,
            Measure(
                f"accuracy, sentiment and opinion ({len(opinions)} rows)",
                [right[i] for i in opinions],
                0.80,
                baselines={"chance": chance_of([cases[i] for i in opinions])},
            ),
        )
    return measures + apart(
        measures[0],
        [label_set(one.row["options"]) in trained for one in cases],
        "the label set",
        baselines=lambda rows: {"chance": chance_of([cases[i] for i in rows])},
    )


def chance_of(cases: list[Case]) -> float:
    return statistics.fmean(1 / len(one.row["options"]) for one in cases)


def build_extracts(data: Data, count: int) -> list[Case]:
    made = [
        case(
            f"{one['ask']}\n\n{record['text']}", ANSWER_TOKENS, answer=one["value"], text=record["text"], ask=one["ask"]
        )
        for record in read_dev(data, "extract")
        for one in record["asks"]
    ]
    return sample(made, count, "handwritten_extracts")


def build_questions(kind: str):
    def build(data: Data, count: int) -> list[Case]:
        made = [
            case(f"{record['text']}\n\n{one['q']}", ANSWER_TOKENS, answer=one["a"], text=record["text"], ask=one["q"])
            for record in read_dev(data, kind)
            for one in record["qa"]
        ]
        return sample(made, count, f"handwritten_{kind}")

    return build


def score_answers(exact_goal: float | None, f1_goal: float | None):
    def scored(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
        said = texts(replies)
        overlap = [score.best_overlap_sentence(one.row["text"], one.row["ask"]) for one in cases]
        return [
            Measure(
                "exact match", [score.exact(text, [one.row["answer"]]) for one, text in zip(cases, said)], exact_goal
            ),
            Measure(
                "F1",
                [score.squad_f1(text, [one.row["answer"]]) for one, text in zip(cases, said)],
                f1_goal,
                baselines={
                    "best-overlap sentence": statistics.fmean(
                        score.squad_f1(sentence, [one.row["answer"]]) for one, sentence in zip(cases, overlap)
                    )
                },
            ),
            Measure(
                "refused although answerable", [float(bool(NOT_SAID.search(text))) for text in said], 0.10, at_most=True
            ),
        ]

    return scored


def build_unanswerable(data: Data, count: int) -> list[Case]:
    made = [
        case(f"{record['text']}\n\n{record['unanswerable']}", ANSWER_TOKENS)
        for kind in ("messages", "prose")
        for record in read_dev(data, kind)
    ]
    made += [
        case(f"What is the {record['missing']}?\n\n{record['text']}", ANSWER_TOKENS)
        for record in read_dev(data, "extract")
    ]
    return sample(made, count, "handwritten_unanswerable")


def score_unanswerable(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [
        Measure(
            "says that the text does not say", [float(bool(NOT_SAID.search(text))) for text in texts(replies)], 0.70
        )
    ]


def build_records(data: Data, count: int) -> list[Case]:
    made = []
    for kind, fields, ask in (("extract", "fields", "ask_fields"), ("messages", "record", "ask_record")):
        for record in read_dev(data, kind):
            if record[fields]:
                wanted = record[ask] if "json" in record[ask].lower() else f"Extract as JSON: {record[ask]}"
                schema = {
                    "type": "object",
                    "properties": {key: schema_of(value) for key, value in record[fields].items()},
                    "required": list(record[fields]),
                    "additionalProperties": False,
                }
                one = case(f"{wanted}\n\n{record['text']}", RECORD_TOKENS, wanted=record[fields])
                made.append(
                    replace(
                        one,
                        response_format={"type": "json_schema", "json_schema": {"name": "record", "schema": schema}},
                    )
                )
    return sample(made, count, "handwritten_records")


def schema_of(value) -> dict:
    if value is None:
        return {"type": ["string", "null"]}
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, list):
        return {"type": "array", "items": schema_of(value[0]) if value else {"type": "string"}}
    if isinstance(value, dict):
        return {
            "type": "object",
            "properties": {key: schema_of(one) for key, one in value.items()},
            "required": list(value),
            "additionalProperties": False,
        }
    return {"type": "integer" if isinstance(value, int) else "number" if isinstance(value, float) else "string"}


def score_records(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    right, parses = [], []
    for one, text in zip(cases, texts(replies)):
        found = score.parsed_object(text)
        parses.append(float(found is not None))
        right += [
            float(found is not None and same_value(found.get(key), value)) for key, value in one.row["wanted"].items()
        ]
    exact = Measure(f"fields exact ({len(right)} fields)", right, 0.80)
    exact.values_of_rows = [len(one.row["wanted"]) for one in cases]
    return [exact, Measure("parses", parses, 1.0)]


def same_value(found, wanted) -> bool:
    """Compares strings as exact match does, numbers by value, and lists entry by entry."""
    if isinstance(wanted, str) and isinstance(found, str):
        return bool(score.exact(found, [wanted]))
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(same_value, found, wanted))
    kinds = (int, float) if type(wanted) in (int, float) else (type(wanted),)  # True is not 1
    return type(found) in kinds and found == wanted


def build_facts(data: Data, count: int) -> list[Case]:
    return sample(
        [case(record["q"], ANSWER_TOKENS, answer=record["a"], ask=record["q"]) for record in read_dev(data, "facts")],
        count,
        "handwritten_facts",
    )


def score_facts(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    right = Measure(
        "right",
        [float(says_fact(text, one.row["answer"], one.row["ask"])) for one, text in zip(cases, texts(replies))],
        0.60,
    )
    return [right, *by_training(data, cases, right)]


def build_limits(data: Data, count: int) -> list[Case]:
    made = [
        Case([m for m in record["messages"][: 2 if record["messages"][0]["role"] == "system" else 1]], TEXT_TOKENS)
        for record in read_dev(data, "chat")
        if record["kind"] == "limits"
    ]
    return made + [case(asked, TEXT_TOKENS) for asked in BEYOND_LIMITS]


def score_limits(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    honest = Measure(
        "replies with an honest limit", [float(bool(HONEST.search(text))) for text in texts(replies)], 0.90
    )
    return [honest, *by_training(data, cases, honest)]


def build_doable(data: Data, count: int) -> list[Case]:
    made = [case(record["user"], TEXT_TOKENS) for record in read_dev(data, "writing")]
    for record in read_dev(data, "chat"):
        messages = record["messages"][: 2 if record["messages"][0]["role"] == "system" else 1]
        answer = record["messages"][len(messages)]["content"]
        if record["kind"] in ("format", "everyday", "text", "first", "steps", "service") and not HONEST.search(answer):
            made.append(Case(messages, TEXT_TOKENS))
    made += [
        case(f"Summarise this in one sentence.\n\n{record['text']}", TEXT_TOKENS)
        for kind in ("messages", "prose")
        for record in read_dev(data, kind)[::3]
    ]
    return sample(made, count, "handwritten_doable")


def score_doable(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    refused = Measure(
        "doable requests refused",
        [float(bool(REFUSES.search(text.strip()))) for text in texts(replies)],
        0.05,
        at_most=True,
    )
    return [refused, *by_training(data, cases, refused)]


def build_rules(data: Data, count: int) -> list[Case]:
    made = []
    for record in read_dev(data, "chat"):
        messages = record["messages"]
        system = messages[0]["content"] if messages[0]["role"] == "system" else ""
        if rules_of(record) and record["kind"] in ("system", "format", "service"):
            start = 2 if system else 1
            made.append(
                Case(
                    messages[:start],
                    TEXT_TOKENS,
                    {"record": record},
                    tuple(m["content"] for m in messages[start + 1 :] if m["role"] == "user"),
                )
            )
    return sample(made, count, "handwritten_rules")


def score_rules(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    kept = Measure(
        "keeps the rule of the system prompt or request",
        [float(all(rule(talk[-1].text) for rule in rules_of(one.row["record"]))) for one, talk in zip(cases, replies)],
        0.75,
    )
    return [kept, *by_training(data, cases, kept)]


def build_first(data: Data, count: int) -> list[Case]:
    return [
        Case(
            [
                *([{"role": "system", "content": question.system}] if question.system else []),
                {"role": "user", "content": question.says[0]},
            ],
            TEXT_TOKENS,
            {"question": question},
            question.says[1:],
        )
        for question in FIRST_REQUESTS
    ]


def score_first(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [
        Measure(
            f"requests met, of {len(cases)}",
            [float(meets(one.row["question"], text)) for one, text in zip(cases, texts(replies))],
            18,
            scale=len(cases),
        )
    ]


def meets(question: Question, reply: str) -> bool:
    """Returns whether a reply meets the question.

    The reply must have enough different matches of the topic and no match of `wrong`, keep all forms, and not loop.
    """

    def found(pattern: str) -> set[str]:
        return {match.group().lower() for match in re.finditer(rf"(?<!\w)(?:{pattern})", reply, re.I)}

    return (
        len(found(question.topic)) >= question.times
        and not (question.wrong and found(question.wrong))
        and not score.loops(reply)
        and all(score.keeps_form(reply, form) for form in question.forms)
    )


def both(name: str, area: str, build, scored, learns: tuple[str, ...] = ()) -> list[Set]:
    """Makes a set at temperature 0 and one at the service's default temperature, with the same goals."""

    def build_warm(data: Data, count: int) -> list[Case]:
        return [replace(one, temperature=None) for one in build(data, count)]

    return [Set(name, area, build, scored, (), learns), Set(f"{name}_default", area, build_warm, scored, (), learns)]


HANDWRITTEN_SETS = [
    *both("hand_labels", AREA, build_labels, score_labels),
    *both("hand_extracts", AREA, build_extracts, score_answers(0.80, None)),
    *both("hand_records", AREA, build_records, score_records),
    *both("hand_messages", AREA, build_questions("messages"), score_answers(0.70, None)),
    *both("hand_prose", AREA, build_questions("prose"), score_answers(None, 0.50)),
    *both("hand_unanswerable", AREA, build_unanswerable, score_unanswerable),
    *both("hand_limits", AREA, build_limits, score_limits, CHAT_SOURCES),
    *both("hand_doable", AREA, build_doable, score_doable, CHAT_SOURCES),
    *both("hand_rules", AREA, build_rules, score_rules, CHAT_SOURCES),
    *both("hand_facts", AREA, build_facts, score_facts, CHAT_SOURCES),
    *both("first_requests", FIRST, build_first, score_first),
]
