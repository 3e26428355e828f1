"""Measures a running service by what it replies, at temperature 0, and writes RESULTS.md.

    python3 evaluate.py --data DATA                               # the service at http://127.0.0.1:8080, key in PIPIT_KEY
    python3 evaluate.py --data DATA --rows 30 --only snips chat   # a look: prints, writes nothing
    python3 evaluate.py --help

DATA is the folder that prepare.py reads. Its dev/ part, the dev files of handwritten/ and the held-out half of generate/ are the questions, its
train/ part is what naive Bayes and the word list learn from. score.py says what is counted as right, questions.py holds the chat,
handwritten_sets.py the sets of the hand-written records.
Python's standard library and the program `zstd` are all it needs. About ten minutes on two cores.
"""
import argparse
import collections
import datetime
import hashlib
import json
import os
import random
import re
import statistics
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Callable

import score
from client import Case, Reply, Service
from handwritten_sets import AREA as HAND_WRITTEN, FIRST, HANDWRITTEN_SETS
from questions import QUESTIONS, Question
from sets import ANSWER_TOKENS, SEED, TEXT_TOKENS, Measure, Result, Set, sample, texts

PAGE_SIZES, PAGE_ROWS = (300, 1000, 3000, 6000), 40   # characters
WORD_LIST_CHARACTERS = 1_500_000   # of each source
JSON_MARKS = re.compile(r'\\u[0-9a-f]{4}|\\.|"(?:source|task|messages|role|content|meta|text)"')
CLASSIFICATION = {"sentence_polarity": 0.79, "snips": 0.97, "clinc150": 0.95, "banking77": 0.92, "goemotions": 0.64, "hwu64": None}
CHAT_SOURCES, TRAINING_SAMPLE = ("personality_chat", "chatterbot", "oasst100"), 20_000
SAMPLE_QUESTIONS = [i * 10 // 3 for i in range(30)]
SAMPLE_ROWS = [("sentence_polarity", 40), ("snips", 200), ("clinc150", 900), ("banking77", 700), ("goemotions", 300), ("xquad_en", 60),
               ("xquad_en", 400), ("scitldr", 30), ("e2e_nlg", 1200), ("wikisplit", 500)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--url", default="http://127.0.0.1:8080")
    arguments.add_argument("--key", default=os.environ.get("PIPIT_KEY", ""), help="an API key; else the variable PIPIT_KEY")
    arguments.add_argument("--rows", type=int, default=300, help="rows of each set")
    arguments.add_argument("--parallel", type=int, default=4, help="requests side by side")
    arguments.add_argument("--only", nargs="+", metavar="NAME", help=f"of: {', '.join(one.name for one in SETS)}")
    arguments.add_argument("--results", type=Path, help="where to write; with --only nothing is written unless this is given")
    arguments.add_argument("--model", type=Path, help="the model's file, to note its SHA-256")
    given = arguments.parse_args()
    unknown = sorted(set(given.only or []) - {one.name for one in SETS})
    if unknown:
        raise SystemExit(f"There is no set '{unknown[0]}'; choose of: {', '.join(one.name for one in SETS)}.")
    chosen = [one for one in SETS if not given.only or one.name in given.only]
    if given.rows < 1 or given.parallel < 1:
        raise SystemExit("--rows and --parallel must be at least 1.")
    data = Data(given.data, chosen)
    if given.model and not given.model.is_file():
        raise SystemExit(f"There is no model file at {given.model}.")
    service = Service(given.url, given.key)
    file_hash = hashlib.sha256(given.model.read_bytes()).hexdigest() if given.model else None
    started = time.monotonic()
    results = [result for one in chosen if (result := measure(one, data, service, given.rows, given.parallel))]
    samples = sample_dialogues(data, service, given.parallel) if not given.only else []
    report = write_report(results, samples, service, file_hash, given, time.monotonic() - started)
    print("\n" + report.partition("\n## Sample dialogues")[0])
    if given.results or not given.only:
        path = given.results or Path(__file__).parent / "RESULTS.md"
        unfinished = path.with_name(path.name + ".unfinished")
        unfinished.write_text(report, encoding="utf-8")
        os.replace(unfinished, path)
        print(f"Written to {path}.")


# --- what is asked ----------------------------------------------------------------------------------------------

def measure(one: Set, data: "Data", service: "Service", rows: int, parallel: int) -> Result | None:
    started = time.monotonic()
    cases = one.build(data, rows)
    if not cases:
        print(f"{one.name}: no generator makes such rows, so it is left out", flush=True)
        return None
    replies = service.talk_all(cases, parallel)
    measures = one.score(data, cases, replies)
    told = ", ".join(f"{m.name} {score.mean_and_error(m.values)[0] * m.scale:.3g}" for m in measures[:3])
    print(f"{one.name}: {len(cases)} rows in {time.monotonic() - started:.0f} s: {told}", flush=True)
    return Result(one, len(cases), [reply for talk in replies for reply in talk], measures)


# --- the data folder --------------------------------------------------------------------------------------------

class Data:
    """Rows of the data folder, read when they are first needed."""

    def __init__(self, folder: Path | None, chosen: list[Set]):
        if folder is None:
            raise SystemExit("Name the data folder: --data DATA.")
        missing = [name for name in ("train", "dev") if not (folder / name).is_dir()]
        missing += [f"{part}/{name}.jsonl.zst" for one in chosen for part, names in (("dev", one.sources), ("train", one.learns)) for name in names
                    if not missing and not (folder / part / f"{name}.jsonl.zst").is_file()]
        if missing:
            raise SystemExit(f"There is no whole data folder at {folder}: {missing[0]} is missing.")
        self.folder = folder
        self._bayes: dict[str, score.NaiveBayes] = {}
        self._words: set[str] = set()

    def rows(self, part: str, source: str) -> list[dict]:
        return [json.loads(line) for line in unpack(self.folder / part / f"{source}.jsonl.zst").split("\n") if line]

    def some(self, source: str, count: int) -> list[dict]:
        """`count` rows of the dev part, always the same."""
        return sample(self.rows("dev", source), count, source)

    def bayes(self, source: str) -> score.NaiveBayes:
        if source not in self._bayes:
            self._bayes[source] = score.NaiveBayes((text_of(row), row["meta"]["label"]) for row in self.rows("train", source))
        return self._bayes[source]

    def words(self) -> set[str]:
        """The words that stand at least twice in the training texts, in lower case."""
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
        raise SystemExit("The program zstd is missing; install it to read the data folder.") from None
    except (subprocess.CalledProcessError, UnicodeDecodeError):
        raise SystemExit(f"{path} is not a readable .zst file.") from None


def text_of(row: dict) -> str:
    return row["meta"].get("text") or row["messages"][0]["content"].split("\n\n", 1)[-1]


def reference(case: Case) -> str:
    return case.row["messages"][-1]["content"]


def cases_of(rows: list[dict], max_tokens: int) -> list[Case]:
    return [Case(row["messages"][:-1], max_tokens, row) for row in rows]


# --- public sets ------------------------------------------------------------------------------------------------

def classification(source: str, goal: float | None) -> Set:
    def scored(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
        metas, bayes = [case.row["meta"] for case in cases], data.bayes(source)
        chosen = [bayes.choose(text_of(case.row), meta["options"]) for case, meta in zip(cases, metas)]
        baselines = {"majority": statistics.fmean(bayes.majority() == meta["label"] for meta in metas), "chance": chance(cases),
                     "naive Bayes": statistics.fmean(label == meta["label"] for label, meta in zip(chosen, metas))}
        return [Measure("exact match", [score.exact(text, [meta["label"]]) for text, meta in zip(texts(replies), metas)], goal, baselines=baselines),
                Measure("names one of the options", [score.exact(text, meta["options"]) for text, meta in zip(texts(replies), metas)])]
    return Set(source, "Labels", lambda data, count: cases_of(data.some(source, count), ANSWER_TOKENS), scored, (source,), (source,))


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
    return [Measure("F1", [score.squad_f1(text, expected) for text, expected in zip(texts(replies), answers)], 0.25, baselines=baselines),
            Measure("exact match (SQuAD's)", [score.squad_exact(text, expected) for text, expected in zip(texts(replies), answers)])]


def score_scitldr(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    references = [case.row["meta"].get("refs") or [reference(case)] for case in cases]
    leads = [score.sentences_of(case.messages[-1]["content"].split("\n\n", 1)[1])[0] for case in cases]
    lead = statistics.fmean(map(score.rouge_l, leads, references))
    return [Measure("ROUGE-L", list(map(score.rouge_l, texts(replies), references)), 0.26, baselines={"lead-1": lead})]


def score_wikisplit(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    copies = [case.messages[-1]["content"].partition(": ")[2] for case in cases]
    references = [[reference(case)] for case in cases]
    return [Measure("ROUGE-L", list(map(score.rouge_l, texts(replies), references)),
                    baselines={"the sentence unchanged": statistics.fmean(map(score.rouge_l, copies, references))})]


def build_e2e(data: Data, count: int) -> list[Case]:
    """One row of each record, with what all of its writers wrote."""
    written = collections.defaultdict(list)
    rows = data.rows("dev", "e2e_nlg")
    for row in rows:
        written[row["meta"]["mr"]].append(row["messages"][-1]["content"])
    first = {row["meta"]["mr"]: {**row, "references": written[row["meta"]["mr"]]} for row in reversed(rows)}
    return cases_of(sample(list(first.values()), count, "e2e_nlg"), TEXT_TOKENS)


def score_e2e(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    vocabulary = score.record_vocabulary(score.record_of(row["meta"]["mr"]) for row in data.rows("dev", "e2e_nlg"))
    records, references = [score.record_of(case.row["meta"]["mr"]) for case in cases], [case.row["references"] for case in cases]
    template, people = [score.record_template(record) for record in records], [written[0] for written in references]

    def said(written: list[str]) -> list[float]:
        return list(map(score.record_said, records, written))

    def invented(written: list[str]) -> list[float]:
        return [score.record_invented(record, text, vocabulary) for record, text in zip(records, written)]

    return [Measure("slots said", said(texts(replies)), 0.98,
                    baselines={"fixed template": statistics.fmean(said(template)), "people": statistics.fmean(said(people))}),
            Measure("replies with an invented slot", invented(texts(replies)), 0.01, at_most=True,
                    baselines={"fixed template": statistics.fmean(invented(template)), "people": statistics.fmean(invented(people))}),
            Measure("ROUGE-L", list(map(score.rouge_l, texts(replies), references)),
                    baselines={"fixed template": statistics.fmean(map(score.rouge_l, template, references))})]


# --- held-out generators ----------------------------------------------------------------------------------------

GENERATED = "Generated rows, held-out seeds and wordings"


def generated(tasks: list[str] | None, count: int, name: str, held_out: bool = True) -> list[dict]:
    """Rows of the generators, by default of their held-out side; none when no generator makes such."""
    from generate import generate_rows   # here, because the other sets need no generator
    try:
        return generate_rows(count, f"evaluate/{SEED}/{name}", held_out=held_out, tasks=tasks)
    except SystemExit:
        return []


def expected_of(case: Case) -> list[str]:
    answers = case.row["meta"].get("answers")
    return [answers] if isinstance(answers, str) else list(answers or [reference(case)])


def slots_of(case: Case) -> list[tuple[str, str]]:
    """Pairs of name and value; the names are empty where the row has none."""
    slots = case.row["meta"].get("slots") or {}
    return [(name, str(value)) for name, value in (slots.items() if isinstance(slots, dict) else (("", value) for value in slots))]


def exact_answers(cases: list[Case], replies: list[list[Reply]]) -> list[float]:
    return [score.exact(text, expected_of(case)) for case, text in zip(cases, texts(replies))]


def slots_said(cases: list[Case], written: list[str]) -> list[float]:
    return [score.record_said(slots_of(case), text) for case, text in zip(cases, written)]


def longest_line(case: Case) -> str:
    return max(case.messages[-1]["content"].split("\n"), key=len)


Scored = Callable[[list[Case], list[list[Reply]]], list[Measure]]


def generated_set(name: str, tasks: list[str], max_tokens: int, scored: Scored, needs: str = "") -> Set:
    """`needs` names what a row's meta must hold to be scored."""
    def build(_: Data, count: int) -> list[Case]:
        return cases_of([row for row in generated(tasks, count, name) if not needs or row["meta"].get(needs)], max_tokens)
    return Set(name, GENERATED, build, lambda _, cases, replies: scored(cases, replies))


def score_unseen_labels(cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    values = [score.exact(text, [reference(case)]) for case, text in zip(cases, texts(replies))]
    return [Measure("accuracy", values, 0.85, baselines={"chance": chance(cases)})]


def score_texts(cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("exact match", exact_answers(cases, replies), 0.90)]


def score_dialogues(cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    longest = slots_said(cases, [longest_line(case) for case in cases])
    return [Measure("slot recall", slots_said(cases, texts(replies)), 0.85, baselines={"longest line": statistics.fmean(longest)}),
            Measure("words in a summary", [float(len(text.split())) for text in texts(replies)],
                    baselines={"reference": statistics.fmean(len(reference(case).split()) for case in cases)})]


def score_descriptions(cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    ceiling = slots_said(cases, [reference(case) for case in cases])
    return [Measure("slots said", slots_said(cases, texts(replies)), baselines={"reference": statistics.fmean(ceiling)})]


def score_sums(cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("the right number last", [score.same_number(text, reference(case)) for case, text in zip(cases, texts(replies))])]


def score_rest(_: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    """By task: the slots said where rows name slots, and else exact match."""
    by_task: dict[tuple[str, str], list[float]] = collections.defaultdict(list)
    for case, text, said in zip(cases, texts(replies), exact_answers(cases, replies)):
        if slots_of(case):
            by_task[case.row["task"], "slots said"].append(score.record_said(slots_of(case), text))
        else:
            by_task[case.row["task"], "exact match"].append(said)
    return [Measure(f"{task}, {told} ({len(values)} rows)", values) for (task, told), values in sorted(by_task.items())]


MEASURED_TASKS = ("classification", "reading_question", "lookup", "dialogue_summary", "data_to_text", "sums")


def build_rest(_: Data, count: int) -> list[Case]:
    rows = generated(None, 4 * count, "rest")
    return cases_of([row for row in rows if not row["task"].startswith(MEASURED_TASKS)][:2 * count], TEXT_TOKENS)


# --- length -----------------------------------------------------------------------------------------------------

PROSE = ("openstax_introduction-anthropology", "se_kenneth-grahame-the-wind-in-the-willows")


def build_pages(data: Data, count: int) -> list[Case]:
    """Generated reading questions, each text at a random place of a page of prose. All sizes ask the same questions."""
    prose = [" ".join(row["text"].split()) for source in PROSE for row in data.rows("dev", source) if len(row.get("text", "")) > 2 * PAGE_SIZES[0]]
    prose = [text for text in prose if len(text) > PAGE_SIZES[-1]] or prose
    rows = [row for row in generated(["reading_question"], 3 * PAGE_ROWS, "pages") if 20 < len(reading_text(row)) <= PAGE_SIZES[0]]
    rows = rows[:min(count, PAGE_ROWS)]
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
    """The text of a reading question: what the generator names so, or the longest paragraph of the prompt."""
    prompt = row["messages"][-2]["content"]
    named = row["meta"].get("text")
    return named if named and named in prompt else max(re.split(r"\n+", prompt), key=len)


def hide(text: str, prose: str, size: int, rng: random.Random) -> str:
    """The text between whole sentences of the prose, about `size` characters in all."""
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
    return [Measure(f"exact match, page of {size:,} characters", said) for size, said in by_size.items()]


# --- chat -------------------------------------------------------------------------------------------------------

def case_of(question: Question, temperature: float | None = 0.0) -> Case:
    messages = [{"role": "system", "content": question.system}] if question.system else []
    return Case(messages + [{"role": "user", "content": question.says[0]}], TEXT_TOKENS, {"question": question}, question.says[1:], temperature)


def criteria(question: Question, replies: list[Reply], words: set[str]) -> dict[str, bool]:
    """The criteria that apply, and whether they are met. Topic, memory and form are asked of the last reply, the others of every one."""
    last = replies[-1].text

    def found(pattern: str) -> int:
        return len({match.lower() for match in re.findall(rf"\b(?:{pattern})", last, re.I | re.S)})

    said = set(score.WORD.findall(" ".join((question.system, *question.says)).lower()))
    met = {"on topic": found(question.topic) >= question.times and not (question.wrong and found(question.wrong))
           and (question.may_decline or not score.EVASIVE.search(last))}
    if question.remembers:
        met["remembers"] = found(question.remembers) > 0
    if question.forms:
        name = "follows the system prompt" if question.system else "keeps the form asked for"
        met[name] = all(score.keeps_form(last, form) for form in question.forms)
    met["real words"] = all(score.words_are_real(reply.text, words | said) for reply in replies)
    met["no loop"] = not any(score.loops(reply.text) for reply in replies)
    met["stops by itself"] = all(reply.finish == "stop" for reply in replies)
    return met


def trained_messages(data: Data) -> set[str]:
    """What users say in a sample of the training rows, so that conversations which are new in their wording can be told apart."""
    from generate import basics, rows_of
    from generate.draw import Draw
    rows = generated(None, TRAINING_SAMPLE, "chat", held_out=False) + rows_of(basics.GENERATORS, Draw(f"evaluate/{SEED}/basics"), TRAINING_SAMPLE)
    rows += [row for source in CHAT_SOURCES for row in data.rows("train", source)]
    return {score.plain(m["content"]) for row in rows for m in row["messages"] if m["role"] == "user"}


def score_chat(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    words = data.words() | {"svc"}
    met = [criteria(case.row["question"], talk, words) for case, talk in zip(cases, replies)]
    passed, runaway = [float(all(one.values())) for one in met], [float(runs_away(reply)) for talk in replies for reply in talk]
    measures = [Measure(f"conversations that meet all their criteria, of {len(cases)}", passed, 85, scale=len(cases)),
                Measure(f"replies that loop or run to max_tokens ({len(runaway)} replies)", runaway, 0.0, at_most=True)]
    for name in dict.fromkeys(name for one in met for name in one):
        values = [float(one[name]) for one in met if name in one]
        measures.append(Measure(f"{name} ({len(values)} conversations)", values))
    trained = trained_messages(data)
    for known, told in ((True, "stands in a sample of the training rows too"), (False, "does not stand there")):
        values = [value for value, case in zip(passed, cases) if (score.plain(case.row["question"].says[-1]) in trained) == known]
        if values:
            measures.append(Measure(f"all criteria, where the user's last message {told} ({len(values)} conversations)", values))
    for kind in dict.fromkeys(question.kind for question in QUESTIONS):
        values = [value for value, case in zip(passed, cases) if case.row["question"].kind == kind]
        measures.append(Measure(f"all criteria, {kind} ({len(values)} conversations)", values))
    return measures


def score_warm_chat(data: Data, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    """The same conversations as a caller gets them who sets no temperature; the goals are of temperature 0."""
    whole, runaways = score_chat(data, cases, replies)[:2]
    whole.goal = runaways.goal = None
    return [whole, runaways]


def runs_away(reply: Reply) -> bool:
    return reply.finish == "length" or score.loops(reply.text)


def sample_dialogues(data: Data, service: Service, parallel: int) -> list[tuple[Case, list[Reply]]]:
    cases = [case_of(QUESTIONS[i], None) for i in SAMPLE_QUESTIONS]
    for source, index in SAMPLE_ROWS:
        rows = data.rows("dev", source)
        cases += [replace(one, temperature=None) for one in cases_of([rows[index % len(rows)]], TEXT_TOKENS)]
    return list(zip(cases, service.talk_all(cases, parallel)))


SETS = [
    *(classification(source, goal) for source, goal in CLASSIFICATION.items()),
    Set("xquad_en", "Public texts", lambda data, count: cases_of(data.some("xquad_en", count), ANSWER_TOKENS), score_xquad, ("xquad_en",)),
    Set("scitldr", "Public texts", lambda data, count: cases_of(data.some("scitldr", count), TEXT_TOKENS), score_scitldr, ("scitldr",)),
    Set("e2e_nlg", "Public texts", build_e2e, score_e2e, ("e2e_nlg",)),
    Set("wikisplit", "Public texts", lambda data, count: cases_of(data.some("wikisplit", count), TEXT_TOKENS), score_wikisplit, ("wikisplit",)),
    generated_set("unseen_labels", ["classification_"], ANSWER_TOKENS, score_unseen_labels, "options"),
    generated_set("generated_texts", ["reading_question", "lookup"], ANSWER_TOKENS, score_texts),
    generated_set("dialogue_summary", ["dialogue_summary"], TEXT_TOKENS, score_dialogues, "slots"),
    generated_set("data_to_text", ["data_to_text"], TEXT_TOKENS, score_descriptions, "slots"),
    generated_set("sums", ["sums"], ANSWER_TOKENS, score_sums),
    Set("rest", GENERATED, build_rest, score_rest),
    Set("length", "Length", build_pages, score_pages, PROSE),
    Set("chat", "Chat", lambda _, count: [case_of(question) for question in QUESTIONS], score_chat, (), CHAT_SOURCES),
    Set("chat_default", "Chat", lambda _, count: [case_of(question, None) for question in QUESTIONS], score_warm_chat, (), CHAT_SOURCES),
    *HANDWRITTEN_SETS,
]


# --- the report -------------------------------------------------------------------------------------------------

NOTES = {
    "Labels": "Exact match after lower case and without a final full stop. Naive Bayes is trained on the train part of the same set "
              "alone, and chooses among the row's options.",
    "Public texts": "XQuAD: SQuAD's normal form. ROUGE-L: the best over the references where a row has several. E2E: one row of each "
                    "record; a slot is said when its value stands in the reply as whole words (\"3/5\" is \"3 out of 5\"; family "
                    "friendly goes by the words family, child, kid and their negation), and invented when another value of the dev "
                    "set's vocabulary does, \"restaurant\" apart. \"People\" are the set's own writers, by the same rule.",
    GENERATED: "From `generate/`, with wordings, templates and label names that training never draws (banks of fewer than four entries and "
               "a few small label families, such as seasons, are shared; people and places are drawn anew from the same lists). A slot counts when it stands in the "
               "reply word for word, by the rule for E2E.",
    "Length": "The same questions on each size, about a short text that stands somewhere in a page of prose from the dev part. "
              "6,000 characters are about 1,500 tokens.",
    "Chat": "The conversations and their criteria are in `questions.py`: the user's messages are fixed, every reply is the model's. "
            "A conversation counts when it meets every criterion that applies to it. chat_default is the same without a temperature in "
            "the request, which means the service's default of 0.7.",
    HAND_WRITTEN: "From the dev part of the hand-written records: no label set, text or question of theirs was trained on. Answers by exact match as above; "
                  "JSON is asked for with a schema in `response_format`, and a field counts when its value is the record's. A rule counts where a pattern in "
                  "`handwritten_sets.py` can check it. Sets that end in _default set no temperature.",
    FIRST: "Requests of a new user, and what their replies must match, are in `questions.py`.",
}


def write_report(results: list[Result], samples: list, service: Service, file_hash: str | None, given: argparse.Namespace, seconds: float) -> str:
    everything = [reply for result in results for reply in result.replies]
    model = f"Model `{service.model}`, fingerprint `{service.fingerprint}`" + (f", file sha256 `{file_hash}`" if file_hash else "") + "."
    lines = ["# What the model can do, measured", "",
             f"`python3 model/evaluate.py --rows {given.rows}` on {datetime.date.today():%d %B %Y}: {len(everything):,} replies over HTTP "
             f"in {seconds / 60:.0f} minutes, temperature 0, each counted as it came.", "", model,
             f"± is one standard error over the rows, 0 where all of them agree. Baselines are measured on the same rows. "
             + share_of_runaways(everything)]
    for area in dict.fromkeys(result.set.area for result in results):
        lines += ["", f"## {area}", "", NOTES[area], "", "| Set | Rows | Measure | This model | Goal | Baselines | Met? |", "|---" * 7 + "|"]
        lines += [table_row(result, one) for result in results if result.set.area == area for one in result.measures]
    if samples:
        lines += ["", "## Sample dialogues", "",
                  f"{len(samples)} dialogues, unedited, at the service's defaults: {len(SAMPLE_QUESTIONS)} conversations of `questions.py`, then "
                  f"{len(SAMPLE_ROWS)} rows of the dev part, chosen by the fixed indices in `evaluate.py`."]
        lines += [line for i, (case, replies) in enumerate(samples, 1) for line in dialogue(i, case, replies)]
    return "\n".join(lines) + "\n"


def share_of_runaways(replies: list[Reply]) -> str:
    counts = collections.Counter(reply.finish for reply in replies)
    loops = sum(score.loops(reply.text) for reply in replies)
    told = f"Of all replies {counts['stop'] / max(1, len(replies)):.1%} ended by themselves, {counts['length']} ran to the limit, {loops} looped"
    return told + (f", {counts['prompt too long']} prompts did not fit the context." if counts["prompt too long"] else ".")


def table_row(result: Result, one: Measure) -> str:
    mean, error = (value * one.scale for value in score.mean_and_error(one.values))
    digits = 3 if one.scale == 1 and abs(mean) < 10 else 1
    goal = "" if one.goal is None else f"{'≤' if one.at_most else '≥'} {one.goal:g}"
    met = "" if one.goal is None else "yes" if (mean <= one.goal if one.at_most else mean >= one.goal) else "**no**"
    baselines = ", ".join(f"{name} {value:.{3 if value < 10 else 1}f}" for name, value in one.baselines.items())
    return f"| {result.set.name} | {result.rows} | {one.name} | {mean:.{digits}f} ± {error:.{digits}f} | {goal} | {baselines} | {met} |"


def dialogue(number: int, case: Case, replies: list[Reply]) -> list[str]:
    about = case.row["question"].kind if "question" in case.row else case.row["source"]
    messages = [(m["role"], m["content"]) for m in case.messages]
    for i, reply in enumerate(replies):
        messages.append(("svc" if reply.finish == "stop" else f"svc ({reply.finish})", reply.text))
        messages += [("user", says) for says in case.then[i:i + 1]]
    return ["", f"### {number}. {about}", "", "~~~~text", *(f"{role}: {text}" for role, text in messages), "~~~~"]


if __name__ == "__main__":
    main()
