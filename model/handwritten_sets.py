"""The sets of evaluate.py that ask what the hand-written dev records ask. No command of its own.

DATA/handwritten/<kind>.dev.jsonl is never trained on. Every set is measured at temperature 0 and, as <name>_default, without a temperature.
"""
import json
import re
import statistics
from dataclasses import replace

import score
from client import Case, Reply
from questions import BEYOND_LIMITS, FIRST_REQUESTS, Question
from sets import ANSWER_TOKENS, TEXT_TOKENS, Measure, Set, sample, texts

AREA, FIRST = "Hand-written records, never trained on", "What people try first"
RECORD_TOKENS = 300
NOT_SAID = re.compile(r"does(?: not|n['’]t) say|not (?:said|stated|mentioned|given|in the text)|no (?:information|mention)|(?:is|are)(?: not|n['’]t) (?:said|given|mentioned)|do(?: not|n['’]t) know", re.I)
HONEST = re.compile(r"\b(?:can(?:no|['’])t|can not|could(?: not|n['’]t)|do(?: not|n['’]t)|does(?: not|n['’]t)|never|unable|not able|not (?:connected|sure|something|reliable|enough)|beyond|no (?:internet|access|way|live|web|news|eyes)|"
                    r"should(?: not|n['’]t)|rather not|too (?:hard|big|long|large|difficult)|sorry|afraid|only (?:read|write|work|know|good|manage|have)|isn['’]t (?:something|in)|not in my|wish I could|get that wrong|"
                    r"calculator|text[- ]only|a doctor|a lawyer|pharmacist|out of (?:my )?reach)\b", re.I)
REFUSES = re.compile(r"^(?:(?:oh|no|well|sorry)[,.!]? )*(?:I['’]m (?:sorry|afraid|not able|unable|too small|only|just a)|sorry|I (?:can['’]t|cannot|can not|could not|couldn['’]t|don['’]t (?:know|have|write|do)|do not (?:know|have))|"
                     r"(?:that|this)(?: is|['’]s) (?:beyond|too|not something)|the text does(?: not|n['’]t) say|unable)", re.I)
OPINION = re.compile(r"\b(?:sentiment|opinion on|feels?|mood|tone|thinks? of|verdict|pleased|happy|satisfied|recommend|likes?|dislikes?|(?:dis)?approving|(?:dis)?agrees?|rude|attitude|grade|thumb|praise|enjoy\w*|hopeful|glad|view of|positive)\b", re.I)


def read_dev(data, kind: str) -> list[dict]:
    path = data.folder / "handwritten" / f"{kind}.dev.jsonl"
    if not path.is_file():
        raise SystemExit(f"There is no whole data folder at {data.folder}: handwritten/{kind}.dev.jsonl is missing.")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def case(prompt: str, max_tokens: int, **row) -> Case:
    return Case([{"role": "user", "content": prompt}], max_tokens, row)


# --- labels -----------------------------------------------------------------------------------------------------

def build_labels(data, count: int) -> list[Case]:
    made = []
    for number, record in enumerate(read_dev(data, "labels")):
        ask = record["instruction"].rstrip()
        ask += "" if ask[-1] in ".:?!" else "."
        options = ", ".join(record["labels"])
        if record["hints"] and number % 2:
            options = "\n" + "\n".join(f"{label}: {record['hints'].get(label, label)}" for label in record["labels"])
        for item in record["items"]:
            form = ("{ask}\nLabels: {options}\n\n{text}", "{ask} Options: {options}\n\nText: {text}", "{text}\n\n{ask} Choose one of: {options}")[number % 3]
            made.append(case(form.replace("{ask}", ask).replace("{options}", options).replace("{text}", item["text"]), ANSWER_TOKENS, options=record["labels"], label=item["label"],
                             opinion=bool(OPINION.search(ask + " " + " ".join(record["labels"])))))
    return sample(made, 2 * count, "handwritten_labels")


def score_labels(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    right = [score.exact(text, [one.row["label"]]) for one, text in zip(cases, texts(replies))]
    chance = lambda chosen: statistics.fmean(1 / len(one.row["options"]) for one in chosen)
    about = [i for i, one in enumerate(cases) if one.row["opinion"]]
    measures = [Measure("accuracy", right, 0.70, baselines={"chance": chance(cases)}),
                Measure("names one of the options", [score.exact(text, one.row["options"]) for one, text in zip(cases, texts(replies))])]
    if about:
        measures.insert(1, Measure(f"accuracy, sentiment and opinion ({len(about)} rows)", [right[i] for i in about], 0.80, baselines={"chance": chance([cases[i] for i in about])}))
    return measures


# --- answers out of texts ----------------------------------------------------------------------------------------

def build_extracts(data, count: int) -> list[Case]:
    made = [case(f"{one['ask']}\n\n{record['text']}", ANSWER_TOKENS, answer=one["value"], text=record["text"], ask=one["ask"]) for record in read_dev(data, "extract") for one in record["asks"]]
    return sample(made, count, "handwritten_extracts")


def build_questions(kind: str):
    def build(data, count: int) -> list[Case]:
        made = [case(f"{record['text']}\n\n{one['q']}", ANSWER_TOKENS, answer=one["a"], text=record["text"], ask=one["q"]) for record in read_dev(data, kind) for one in record["qa"]]
        return sample(made, count, f"handwritten_{kind}")
    return build


def score_answers(exact_goal: float | None, f1_goal: float | None):
    def scored(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
        said = texts(replies)
        overlap = [score.best_overlap_sentence(one.row["text"], one.row["ask"]) for one in cases]
        return [Measure("exact match", [score.exact(text, [one.row["answer"]]) for one, text in zip(cases, said)], exact_goal),
                Measure("F1", [score.squad_f1(text, [one.row["answer"]]) for one, text in zip(cases, said)], f1_goal,
                        baselines={"best-overlap sentence": statistics.fmean(score.squad_f1(sentence, [one.row["answer"]]) for one, sentence in zip(cases, overlap))}),
                Measure("refused although answerable", [float(bool(NOT_SAID.search(text))) for text in said], 0.10, at_most=True)]
    return scored


def build_unanswerable(data, count: int) -> list[Case]:
    made = [case(f"{record['text']}\n\n{record['unanswerable']}", ANSWER_TOKENS) for kind in ("messages", "prose") for record in read_dev(data, kind)]
    made += [case(f"What is the {record['missing']}?\n\n{record['text']}", ANSWER_TOKENS) for record in read_dev(data, "extract")]
    return sample(made, count, "handwritten_unanswerable")


def score_unanswerable(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("says that the text does not say", [float(bool(NOT_SAID.search(text))) for text in texts(replies)], 0.70)]


# --- records -----------------------------------------------------------------------------------------------------

def build_records(data, count: int) -> list[Case]:
    made = []
    for kind, fields, ask in (("extract", "fields", "ask_fields"), ("messages", "record", "ask_record")):
        for record in read_dev(data, kind):
            if record[fields]:
                wanted = record[ask] if "json" in record[ask].lower() else f"Extract as JSON: {record[ask]}"
                schema = {"type": "object", "properties": {key: schema_of(value) for key, value in record[fields].items()}, "required": list(record[fields]), "additionalProperties": False}
                one = case(f"{wanted}\n\n{record['text']}", RECORD_TOKENS, wanted=record[fields])
                made.append(replace(one, response_format={"type": "json_schema", "json_schema": {"name": "record", "schema": schema}}))
    return sample(made, count, "handwritten_records")


def schema_of(value) -> dict:
    if value is None:
        return {"type": ["string", "null"]}
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, list):
        return {"type": "array", "items": schema_of(value[0]) if value else {"type": "string"}}
    if isinstance(value, dict):
        return {"type": "object", "properties": {key: schema_of(one) for key, one in value.items()}, "required": list(value), "additionalProperties": False}
    return {"type": "integer" if isinstance(value, int) else "number" if isinstance(value, float) else "string"}


def score_records(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    right, parses = [], []
    for one, text in zip(cases, texts(replies)):
        found = parsed(text)
        parses.append(float(found is not None))
        right += [float(found is not None and same_value(found.get(key), value)) for key, value in one.row["wanted"].items()]
    return [Measure(f"fields exact ({len(right)} fields)", right, 0.80), Measure("parses", parses, 1.0)]


def parsed(text: str) -> dict | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def same_value(found, wanted) -> bool:
    """Strings as in exact match; numbers by value; lists entry by entry."""
    if isinstance(wanted, str) and isinstance(found, str):
        return bool(score.exact(found, [wanted]))
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(same_value, found, wanted))
    kinds = (int, float) if type(wanted) in (int, float) else (type(wanted),)   # True is not 1
    return type(found) in kinds and found == wanted


# --- facts -------------------------------------------------------------------------------------------------------

FUNCTION_WORDS = set("a an the is are was were it its it's they he she we you i to of in on at by for from with as and or that this there's there mostly about usually so do does did can no yes".split())


def build_facts(data, count: int) -> list[Case]:
    return sample([case(record["q"], ANSWER_TOKENS, answer=record["a"], ask=record["q"]) for record in read_dev(data, "facts")], count, "handwritten_facts")


def score_facts(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("right", [float(says_fact(text, one.row["answer"], one.row["ask"])) for one, text in zip(cases, texts(replies))], 0.60)]


def says_fact(reply: str, answer: str, question: str) -> bool:
    """Returns true when the reply says what the answer adds to the question, in at most twelve words more than the answer. Of three such words or more,
    half are enough; a yes or no must agree."""
    words = lambda text: [word.removesuffix("s") if len(word) > 3 else word for word in re.findall(r"[\w']+", text.lower())]
    first = words(answer)[:1]
    if first in (["yes"], ["no"]):
        return words(reply)[:1] == first
    asked, said = set(words(question)), words(reply)
    new = [word for word in words(answer) if word not in FUNCTION_WORDS and word not in asked] or [word for word in words(answer) if word not in FUNCTION_WORDS]
    found = sum(word in said or any(word in spelled and set(spelled) & set(said) for spelled in SPELLED) for word in new)
    return len(said) <= len(words(answer)) + 12 and found >= (len(new) if len(new) < 3 else (len(new) + 1) // 2) > 0


SPELLED = [(str(i), name) for i, name in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())] + [("20", "twenty"), ("30", "thirty"), ("60", "sixty"), ("100", "hundred")]


# --- limits and rules ----------------------------------------------------------------------------------------------

def build_limits(data, count: int) -> list[Case]:
    made = [Case([m for m in record["messages"][:2 if record["messages"][0]["role"] == "system" else 1]], TEXT_TOKENS) for record in read_dev(data, "chat") if record["kind"] == "limits"]
    return made + [case(asked, TEXT_TOKENS) for asked in BEYOND_LIMITS]


def score_limits(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("replies with an honest limit", [float(bool(HONEST.search(text))) for text in texts(replies)], 0.90)]


def build_doable(data, count: int) -> list[Case]:
    made = [case(record["user"], TEXT_TOKENS) for record in read_dev(data, "writing")]
    for record in read_dev(data, "chat"):
        messages = record["messages"][:2 if record["messages"][0]["role"] == "system" else 1]
        answer = record["messages"][len(messages)]["content"]
        if record["kind"] in ("format", "everyday", "text", "first", "steps", "service") and not HONEST.search(answer):
            made.append(Case(messages, TEXT_TOKENS))
    made += [case(f"Summarise this in one sentence.\n\n{record['text']}", TEXT_TOKENS) for kind in ("messages", "prose") for record in read_dev(data, kind)[::3]]
    return sample(made, count, "handwritten_doable")


def score_doable(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("doable requests refused", [float(bool(REFUSES.search(text.strip()))) for text in texts(replies)], 0.05, at_most=True)]


NUMBERS = {name: i for i, name in enumerate("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split())}
COUNT = r"(\d+|" + "|".join(NUMBERS) + ")"
# a rule in the words of a request -> whether a reply keeps it
RULES = [
    (re.compile(r"\b(?:one[- ]word|single word|one word only|in a word)\b", re.I), lambda reply, _: len(reply.split()) == 1),
    (re.compile(rf"(?:no|not|never use) more than {COUNT} words|at most {COUNT} words|\b{COUNT} words or (?:less|fewer)|up to {COUNT} words", re.I), lambda reply, found: 0 < len(reply.split()) <= number_of(found)),
    (re.compile(rf"\bin (?:exactly )?{COUNT} words", re.I), lambda reply, found: len(reply.split()) == number_of(found)),
    (re.compile(r"\b(?:all|in|only|use) (?:capitals|capital letters|upper ?case)|\bshout it|\bcaps\b", re.I), lambda reply, _: reply == reply.upper() and reply != reply.lower()),
    (re.compile(r"\blower[- ]?case", re.I), lambda reply, _: reply == reply.lower() and reply != reply.upper()),
    (re.compile(r"(?:start|begin) (?:\w+ ){0,3}?with [\"“'](.+?)[\"”']", re.I), lambda reply, found: reply.lower().startswith(found[1].lower())),
    (re.compile(r"(?:finish|end) (?:\w+ ){0,3}?with [\"“'](.+?)[\"”']", re.I), lambda reply, found: reply.rstrip(" .!").lower().endswith(found[1].rstrip(" .!").lower())),
    (re.compile(r"(?:never|not|without) us(?:e|ing) the word [\"“'](.+?)[\"”']", re.I), lambda reply, found: not re.search(rf"\b{re.escape(found[1])}\b", reply, re.I)),
    (re.compile(r"\bin brackets\b", re.I), lambda reply, _: reply[:1] in "([" and reply[-1:] in ")]"),
    (re.compile(r"\bjson\b", re.I), lambda reply, _: parsed(reply) is not None),
    (re.compile(r"(?:only|just)? ?(?:answer|reply)?(?: with| only)? ?\byes or no\b", re.I), lambda reply, _: score.plain(reply).rstrip("!") in ("yes", "no")),
    (re.compile(r"\b(?:one|a single) sentence\b", re.I), lambda reply, _: len(score.sentences_of(reply)) == 1),
    (re.compile(r"\btwo sentences\b", re.I), lambda reply, _: len(score.sentences_of(reply)) == 2),
    (re.compile(rf"\b(?:list|name|give(?: me)?) {COUNT} ", re.I), lambda reply, found: len(score.items_of(reply)) == number_of(found)),
]
FORBIDS = re.compile(r"\b(?:do not|don't|never|refuse|only)\b", re.I)


def number_of(found: re.Match) -> int:
    number = next(group for group in found.groups() if group).lower()
    return NUMBERS[number] if number in NUMBERS else int(number)


def build_rules(data, count: int) -> list[Case]:
    made = []
    for record in read_dev(data, "chat"):
        messages = record["messages"]
        system = messages[0]["content"] if messages[0]["role"] == "system" else ""
        if rules_of(record) and record["kind"] in ("system", "format", "service"):
            start = 2 if system else 1
            made.append(Case(messages[:start], TEXT_TOKENS, {"record": record}, tuple(m["content"] for m in messages[start + 1:] if m["role"] == "user")))
    return sample(made, count, "handwritten_rules")


def rules_of(record: dict) -> list:
    """Returns functions of a reply: the rules that can be checked, of the system prompt or else of the request."""
    messages = record["messages"]
    system = messages[0]["content"] if messages[0]["role"] == "system" else ""
    asked, answer = messages[-2]["content"], messages[-1]["content"]
    rules = [lambda reply, holds=holds, found=found: holds(reply.strip(), found) for pattern, holds in RULES if (found := pattern.search(system or messages[0]["content"]))]
    rules = [rule for rule in rules if rule(answer)]     # a rule that the author's answer breaks was read wrongly
    if system and FORBIDS.search(system) and HONEST.search(answer):
        rules.append(lambda reply: bool(HONEST.search(reply)))
    elif system:
        facts = [word for word in re.findall(r"\d[\d:.,]*\d|\d|[\w.]+@[\w.]+|(?<=[a-z,] )[A-Z][a-z]+", system) if word in answer and word not in asked]
        if facts:
            rules.append(lambda reply: any(fact in reply for fact in facts))
    return rules


def score_rules(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure("keeps the rule of the system prompt or request", [float(all(rule(talk[-1].text) for rule in rules_of(one.row["record"]))) for one, talk in zip(cases, replies)], 0.75)]


# --- what people try first -------------------------------------------------------------------------------------------

def build_first(data, count: int) -> list[Case]:
    return [Case([*([{"role": "system", "content": question.system}] if question.system else []), {"role": "user", "content": question.says[0]}], TEXT_TOKENS, {"question": question}, question.says[1:])
            for question in FIRST_REQUESTS]


def score_first(_, cases: list[Case], replies: list[list[Reply]]) -> list[Measure]:
    return [Measure(f"requests met, of {len(cases)}", [float(meets(one.row["question"], text)) for one, text in zip(cases, texts(replies))], 18, scale=len(cases))]


def meets(question: Question, reply: str) -> bool:
    """Returns true when the topic matches at the beginning of a word, as often as wanted, nothing wrong does, and the forms are kept."""
    found = lambda pattern: {match.group().lower() for match in re.finditer(rf"(?<!\w)(?:{pattern})", reply, re.I)}
    return (len(found(question.topic)) >= question.times and not (question.wrong and found(question.wrong)) and not score.loops(reply)
            and all(score.keeps_form(reply, form) for form in question.forms))


def both(name: str, area: str, build, scored) -> list[Set]:
    """Returns the set at temperature 0, and at the service's default, where the goals hold as well."""
    warm = lambda data, count: [replace(one, temperature=None) for one in build(data, count)]
    return [Set(name, area, build, scored), Set(f"{name}_default", area, warm, scored)]


HANDWRITTEN_SETS = [
    *both("hand_labels", AREA, build_labels, score_labels),
    *both("hand_extracts", AREA, build_extracts, score_answers(0.80, None)),
    *both("hand_records", AREA, build_records, score_records),
    *both("hand_messages", AREA, build_questions("messages"), score_answers(0.70, None)),
    *both("hand_prose", AREA, build_questions("prose"), score_answers(None, 0.50)),
    *both("hand_unanswerable", AREA, build_unanswerable, score_unanswerable),
    *both("hand_limits", AREA, build_limits, score_limits),
    *both("hand_doable", AREA, build_doable, score_doable),
    *both("hand_rules", AREA, build_rules, score_rules),
    *both("hand_facts", AREA, build_facts, score_facts),
    *both("first_requests", FIRST, build_first, score_first),
]
