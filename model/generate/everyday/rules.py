"""Rules in the system message, and bots with one topic."""

from ..banks import load_bank
from ..chat.facts import small_sum, yes_no
from ..draw import Draw, row
from ..text import capital, fill
from .facts import easy_question, kind_question
from .requests import loose

BANK = load_bank("everyday/rules")


def reply_under(rule: str, word: str, question: tuple[str, str, str]) -> str:
    """Writes the reply to a question in the form that the rule asks for."""
    _, answer, short = question
    return {
        "word": short,
        "short": short,
        "yes no": short,
        "upper": answer.upper(),
        "lower": answer.lower(),
        "begin": f"{word}! {answer}",
        "end": f"{answer} {word}!",
    }.get(rule, answer)


def question_under(draw: Draw, rule: str) -> tuple[str, str, str]:
    """Draws an easy question whose answer the rule allows."""
    words_most = {"word": 1, "short": 3}.get(rule, 99)
    while True:
        if rule == "yes no":
            made = draw.pick([yes_no, kind_question])(draw)
        elif draw.chance(0.15):
            made = small_sum(draw)
        else:
            made = yes_no(draw) if draw.chance(0.1) else easy_question(draw)
        short = made[2]
        if len(short.split()) <= words_most and (rule != "yes no" or short in ("Yes", "No")):
            return made


def rule_of(draw: Draw) -> dict:
    """Sets a rule for every reply and keeps it over one to four easy questions or courtesies."""
    rule = draw.rng.choices(list(BANK.rules), [7, 5, 2, 5, 4, 3, 5, 2, 2])[0]
    word = draw.pick(BANK.words_to_say)
    questions = []
    for _ in range(draw.pick([1, 1, 2, 2, 3, 4])):
        if draw.chance(0.15) and rule not in ("yes no", "sentence"):
            said, replies = draw.pick(BANK.small_turns)
            questions.append((draw.wording(said), replies[0], replies[0][:-1]))
            continue
        questions.append(question_under(draw, rule))
    text = fill(
        draw.wording(BANK.rules[rule]),
        {"w": draw.pick([word, word, word.lower(), word.upper()]) if rule == "end" else word},
    )
    turns = [part for question in questions for part in (question[0], reply_under(rule, word, question))]
    if draw.chance(0.12) and rule not in ("begin", "end", "plain"):
        return row(
            "one_word" if rule == "word" else "format",
            draw.pick([f"{turns[0]}\n{text}", f"{text} {capital(turns[0])}", f"{text}\n\n{capital(turns[0])}"]),
            turns[1],
        )
    return row(
        "system_prompt",
        *turns,
        system=draw.pick(BANK.rule_leads) + text + draw.pick(BANK.rule_ends) if rule != "plain" else text,
    )


def topic_rule(draw: Draw) -> dict:
    topic, known = draw.pick(BANK.subjects)
    turns = []
    for question, answer in draw.sample(known, draw.pick([1, 1, 2])):
        turns += [loose(draw, question), answer]
    if draw.chance(0.75):
        _, others = draw.pick([subject for subject in BANK.subjects if subject[0] != topic])
        at = draw.pick([0, len(turns)])
        turns[at:at] = [loose(draw, draw.pick(others)[0]), f"I'm sorry, I can only talk about {topic}."]
    return row(
        "system_prompt",
        *turns,
        system=draw.pick(BANK.rule_leads) + fill(draw.wording(BANK.topic_rules), {"topic": topic}),
    )
