"""Drills in finding and copying text in real prose, the skill that lets a tiny model use its prompt.

Each drill takes a page of prose and asks for something that is in it word for word. Questions are made from the
page's own sentences: a question word replaces a name, a year or a number (Lewis, Denoyer, Riedel: Unsupervised
Question Answering by Cloze Translation, ACL 2019).
"""

import re

from .banks import load_bank
from .draw import Draw, row
from .records.requests import request
from .records.texts import question_and_text
from .words import (
    CITIES,
    FIRST_NAMES,
    FOODS,
    ITEMS,
    JOBS,
    SURNAMES,
    clock,
    code,
    company,
    date,
    full_name,
    phone,
    price,
    street,
)

BANK = load_bank("drills")
MOST_TRIES = 500
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[\"'(]?[A-Z0-9])")
YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-2][0-9])\b")
NUMBER = re.compile(r"\b\d[\d,.]*\d(?: (?:million|billion|percent|miles|feet|years|people|hours|days))?\b|\b\d\b")
NAME = re.compile(r"\b[A-Z][a-z]+(?:(?: of| the| and)? [A-Z][a-z]+){0,3}\b")
WORD = re.compile(r"[A-Za-z][a-z]{3,}")

VERB_NEXT = re.compile(
    r" (?:is|was|are|were|has|had|can|could|will|would|said|says|wrote|made|began|became|took|gave|held|led|used|built"
    r"|found|[a-z]+ed) "
)

FACT_QUESTION = re.compile(r"(?:What|Who|Where) (?:is|are) the (.+?) (?:of|in) (.+)\?")
NOT_NAMES = set(BANK.not_names)
NTH = [("first", 0), ("second", 1), ("third", 2), ("last", -1)]


def drill(draw: Draw, prose: list[str], longest: int) -> dict:
    """Makes one drill on a page of at most `longest` characters from one of the prose texts."""
    for _ in range(MOST_TRIES):
        kind = draw.rng.choices([question, gap, mention, following, nth, repeat], [10, 4, 4, 3, 1, 4])[0]
        made = kind(draw, page(draw, prose, longest if kind is not repeat else min(longest, 400)))
        if made:
            return made
    raise SystemExit("The prose of the data folder is too poor to drill on.")


def page(draw: Draw, prose: list[str], longest: int) -> list[str]:
    """Returns consecutive sentences of one text."""
    size = draw.number(min(150, longest // 2), longest)
    for _ in range(MOST_TRIES):
        text = draw.pick(prose)
        start = draw.number(0, max(0, len(text) - size))
        sentences = SENTENCE_END.split(text[start : start + size].replace("\n", " "))
        sentences = sentences[1 if start else 0 : -1] if len(sentences) > 2 else sentences
        sentences = [s.strip() for s in sentences if 20 < len(s) < 400]
        if sentences:
            return sentences
    raise SystemExit("The prose of the data folder holds no page of sentences.")


def ask(draw: Draw, text: str, question_text: str, answer: str, task: str) -> dict:
    form = draw.pick(
        [
            "{read}\n\n{text}\n\nQuestion: {question}",
            "{text}\n\n{question}",
            "{question}\n\n{text}",
            "Text: {text}\nQuestion: {question}\nAnswer:",
            "{read}\n\nText: {text}\n\n{question}",
            "{read}\n\n{text}\n\nQuestion: {question}",
        ]
    )
    return row(task, form.format(read=draw.pick(BANK.read), text=text, question=question_text), answer)


def question(draw: Draw, sentences: list[str]):
    found = cloze(draw, sentences)
    return found and ask(draw, " ".join(sentences), *found, "reading_question")


def cloze(draw: Draw, sentences: list[str]) -> tuple[str, str] | None:
    """Turns a sentence into a question about a name, a year or a number; returns the question and the answer."""
    sentence = draw.pick(sentences).rstrip(".!? ")
    years = [(m, draw.pick(["what year", "which year"])) for m in YEAR.finditer(sentence)]
    numbers = [
        (m, draw.pick(["what number", "how many"])) for m in NUMBER.finditer(sentence) if not YEAR.fullmatch(m.group())
    ]
    names = [
        (m, draw.pick(["what", "which name", "whom or what"]))
        for m in NAME.finditer(sentence)
        if m.group().split()[0] not in NOT_NAMES and m.start() > 1
    ]
    first = NAME.match(sentence)
    subjects = (
        [(first, draw.pick(["Who", "What", "Which"]))]
        if first and first.group().split()[0] not in NOT_NAMES and VERB_NEXT.match(sentence, first.end())
        else []
    )
    found = draw.pick([spans for spans in (years, numbers, names, subjects, subjects) if spans] or [None])
    if not found:
        return None
    span, word = draw.pick(found)
    before, after = near(draw, sentence[: span.start()], sentence[span.end() :])
    if len(before) + len(after) < 15 or span.group() in before + after:
        return None
    if word == "how many" and not re.match(r" [a-z]+s\b", after):
        word = "what number"
    asked = (before + word + after).strip(" ,;:-") + "?"
    return asked[0].upper() + asked[1:], span.group()


def near(draw: Draw, before: str, after: str) -> tuple[str, str]:
    """Shortens the text on both sides of the answer to 6 to 16 words each."""
    before_words, after_words = before.split(" "), after.split(" ")
    keep = draw.number(6, 16)
    if len(before_words) > keep:
        before = " ".join(before_words[-keep:])
    if len(after_words) > keep:
        after = " ".join(after_words[:keep])
    return before, after


def gap(draw: Draw, sentences: list[str]):
    text, sentence = " ".join(sentences), draw.pick(sentences)
    words = list(WORD.finditer(sentence))
    if len(words) < 5:
        return None
    span = draw.pick(words)
    if text.count(sentence) != 1:
        return None
    form = draw.pick(BANK.gap)
    with_gap = sentence[: span.start()] + draw.pick(["___", "____", "...", "[gap]"]) + sentence[span.end() :]
    return ask(draw, text, form.format(with_gap), span.group(), "gap")


def mention(draw: Draw, sentences: list[str]):
    text, sentence = " ".join(sentences), draw.pick(sentences)
    words = [w for w in WORD.findall(sentence) if len(w) > 4 and len(re.findall(rf"{w}", text)) == 1]
    if not words:
        return None
    return ask(draw, text, draw.pick(BANK.mentions).format(draw.pick(words)), sentence, "quote")


def following(draw: Draw, sentences: list[str]):
    text = " ".join(sentences)
    words = text.split(" ")
    if len(words) < 16:
        return None
    start, count = draw.number(0, len(words) - 12), draw.number(3, 5)
    end = start + count
    head, tail = " ".join(words[start:end]), " ".join(words[end : end + draw.number(3, 7)])
    return ask(draw, text, draw.pick(BANK.after).format(head), tail, "quote") if text.count(head) == 1 else None


def nth(draw: Draw, sentences: list[str]):
    if not 3 <= len(sentences) <= 8:
        return None
    name, index = draw.pick(NTH)
    return ask(draw, " ".join(sentences), draw.pick(BANK.nth_asks).format(name), sentences[index], "quote")


def repeat(draw: Draw, sentences: list[str]):
    text = " ".join(sentences[: draw.number(1, 3)])
    if draw.chance(0.3):
        text = " ".join(draw.rng.sample(text.split(), min(len(text.split()), draw.number(3, 14))))
    return row(
        "repeat",
        draw.pick(["{ask} {text}", "{ask}\n\n{text}", '{ask} "{text}"']).format(ask=draw.pick(BANK.repeat), text=text),
        text,
    )


def hidden(draw: Draw, prose: list[str], longest: int) -> dict:
    """Hides a short generated text in a page of prose and asks about it."""
    text, asked, answer = question_and_text(draw, most=1)
    sentences = page(draw, prose, longest)
    sentences.insert(draw.number(0, len(sentences)), text.replace("\n", " "))
    return row("reading_question", request(draw, " ".join(sentences), asked), answer)


def copy_list(draw: Draw, prose: list[str]) -> dict:
    """Asks for a copy of a list of unrelated entries, which can only be found by looking back at the list."""
    kinds = draw.sample([full_name, code, phone, price, clock, date, company, street], draw.number(1, 3))
    words = [word for sentence in page(draw, prose, 600) for word in WORD.findall(sentence)]
    words += CITIES + FIRST_NAMES + SURNAMES + FOODS + ITEMS + JOBS
    entries = [
        draw.pick(kinds)(draw) if draw.chance(0.4) else " ".join(draw.sample(words, draw.pick([1, 1, 1, 2, 3])))
        for _ in range(draw.number(3, 14))
    ]
    given = draw.pick([", ", "\n", "\n- ", "; ", " | "])
    asked, wanted = (draw.pick(BANK.list_asks), given) if draw.chance(0.6) else draw.pick(BANK.layout_asks)
    text, answer = ((mark.strip() + " " if "-" in mark else "") + mark.join(entries) for mark in (given, wanted))
    return row(
        "copy_list",
        draw.pick(["{asked}\n\n{text}", "{text}\n\n{asked}", "{asked} {text}"]).format(asked=asked, text=text),
        answer,
    )


def glossary(draw: Draw, entries: list[tuple[str, str]]) -> dict:
    """Asks for one of a few (word, meaning) pairs, in either direction."""
    word, meaning = entries[draw.number(0, len(entries) - 1)]
    layout = draw.pick(["{}: {}", "- {}: {}", "{} = {}", "{} | {}", '"{}" means: {}'])
    text = "\n".join(layout.format(*entry) for entry in entries)
    if draw.chance(0.6):
        asked = draw.pick(
            [
                "What does {} mean?",
                "What stands beside {}?",
                "Look up {}.",
                "Give the meaning of {} from the list.",
                "What does the list say about {}?",
            ]
        ).format(word)
        return ask(draw, text, asked, meaning, "lookup")
    asked = draw.pick(
        ['Which word means "{}"?', 'Which entry says "{}"?', 'What is the word for "{}"?', 'Find the word: "{}"']
    ).format(meaning)
    return ask(draw, text, asked, word, "lookup")


def facts_on_a_page(draw: Draw, facts: list[tuple[str, str]]) -> dict:
    """Turns questions and answers about one thing into a text, and asks one of the questions about that text."""
    sentences = []
    for asked, answer in facts:
        fact, thing = FACT_QUESTION.fullmatch(asked).groups()
        sentences.append(
            draw.pick(
                [
                    "The {fact} of {thing}: {answer}.",
                    "The {fact} of {thing} is {answer}.",
                    "{Fact} of {thing}: {answer}.",
                ]
            ).format(fact=fact, Fact=fact[0].upper() + fact[1:], thing=thing, answer=answer.rstrip("."))
        )
    chosen = draw.number(0, len(facts) - 1)
    answer = facts[chosen][1].rstrip(".")
    return ask(draw, " ".join(sentences), facts[chosen][0], answer, "reading_question")
