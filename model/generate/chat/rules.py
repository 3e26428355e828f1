"""System prompts that set a rule, and system prompts that change nothing."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import Slots, fill
from ..words import phone
from .facts import a_fact, fact, small_sum, yes_no
from .feelings import advice, feelings
from .follow_up import follow_up
from .fun import choose, riddle, treats
from .identity import identity
from .memory import memory, memory_of_others
from .small_talk import courtesy, small_talk
from .unknown import unknown
from .users import careless, slots

BANK = load_bank("chat/rules")
RULES = BANK.rules
RULE_WEIGHTS = [22, 8, 5, 9, 6, 5, 9, 5, 8, 8, 7]
HELPFUL_FORMS = [
    f"{start} {kind}.{end}" for end in BANK.helpful_ends for start in BANK.helpful_starts for kind in BANK.helpful_kinds
]
HELPFUL_CHATS = [small_talk, courtesy, identity, memory, memory_of_others, fact, unknown]
HELPFUL_CHATS += [feelings, advice, treats, riddle, choose, follow_up]


def reply_under(rule: str, values: dict, question: tuple[str, str, str]) -> str:
    """Writes the reply to a question in the form that the rule asks for."""
    _, answer, short = question
    phrase = values.get("phrase", "")
    if rule == "json":
        return f'{{"answer": "{short}"}}'
    return {
        "one word": short,
        "short": short,
        "sentence": answer,
        "capitals": answer.upper(),
        "lower": answer.lower(),
        "bullets": f"- {answer}",
        "pirate": f"Arr! {answer[:-1]}, matey!",
        "end": f"{answer} {phrase}",
        "begin": f"{phrase} {answer}",
        "call": f"{answer[:-1]}, {values['name']}.",
    }[rule]


def question_for(draw: Draw, rule: str) -> tuple[str, str, str]:
    """Draws a question with an answer that the rule allows: one word, or at most five for a short answer."""
    most = {"one word": 1, "short": 5, "json": 5}.get(rule, 99)
    while True:
        if draw.chance(0.12) and rule in ("one word", "short", "json", "sentence"):
            made = small_sum(draw)
        else:
            made = yes_no(draw) if draw.chance(0.12) else a_fact(draw)
        if len(made[2].split()) <= most and '"' not in made[2]:
            return made


def format_rule(draw: Draw) -> dict:
    """Sets a rule for the form of the answer, in the system message or beside the question."""
    rule = draw.rng.choices(list(RULES), RULE_WEIGHTS)[0]
    values = slots(draw)
    if rule in ("end", "begin"):
        values["phrase"] = fill(draw.wording(BANK.end_phrases if rule == "end" else BANK.begin_phrases), values)
    text = fill(draw.wording(RULES[rule]), values)
    questions = [question_for(draw, rule) for _ in range(draw.pick([1, 1, 1, 2, 3]))]
    replies = [reply_under(rule, values, question) for question in questions]
    if draw.chance(0.6):
        turns = [part for question, reply in zip(questions, replies) for part in (question[0], reply)]
        return row("system_prompt", *turns, system=draw.pick(BANK.leads) + text)
    question = questions[0][0]
    form = draw.pick(["{q} {r}", "{r} {q}", "{r}\n\n{q}", "{q}\n{r}", "{q}\n\n{r}", "{r}\nQuestion: {q}"])
    if question[-1] not in "?.!" and form == "{q} {r}":
        form = "{q}\n{r}"
    return row("one_word" if rule == "one word" else "format", form.format(q=question, r=text), replies[0])


def yes_no_rule(draw: Draw) -> dict:
    questions = [yes_no(draw) for _ in range(draw.pick([1, 1, 2, 3]))]
    text = draw.wording(BANK.yes_no_rules)
    if draw.chance(0.55):
        return row(
            "system_prompt", *[part for q in questions for part in (q[0], q[2])], system=draw.pick(BANK.leads) + text
        )
    question, answer, short = questions[0]
    if draw.chance(0.3):
        return row("fact", question, answer)
    request = draw.pick([f"{question}\n{text}", f"{text} {question}", f"{text}\n\n{question}"])
    return row("one_word", request, short)


def catch_rule(draw: Draw) -> dict:
    """Sets fixed replies for one or two topics; other questions get their usual answer."""
    slots(draw)  # Unused. Advances the random numbers, so that a seed keeps giving the same rows.
    rules, turns = [], []
    for topic, asked in draw.sample(BANK.topics_to_catch, draw.pick([1, 1, 2])):
        said = fill(draw.wording(BANK.catch_replies), Slots({**slots(draw), "phone": phone(draw)}))
        rules.append(fill(draw.wording(BANK.catch_rules), {"topic": topic, "said": said}))
        turns.append((careless(draw, draw.wording(asked)), said))
    turns = draw.sample(turns, draw.number(1, len(turns)))
    for _ in range(draw.pick([0, 0, 1, 1])):
        question, answer, _ = a_fact(draw)
        turns.insert(draw.number(0, len(turns)), (question, answer))
    return row(
        "system_prompt",
        *[part for turn in turns for part in turn],
        system=draw.pick(BANK.leads) + " ".join(r if r[-1] in '."!' else r + "." for r in rules),
    )


def helpful_system(draw: Draw) -> dict:
    """Adds a common system prompt, which changes nothing, to another kind of chat."""
    made = draw.rng.choices(HELPFUL_CHATS, [3, 2, 4, 2, 1, 5, 3, 2, 2, 1, 1, 1, 2])[0](draw)
    made["messages"].insert(0, {"role": "system", "content": draw.wording(HELPFUL_FORMS)})
    return made
