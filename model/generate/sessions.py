"""Many questions in a row on one text, one list or one page.

Each answer is another example of finding something in the same text, which the model reads only once. From single
questions, a small model learns to copy the words after a match long before it learns to find the match.
"""

from .banks import load_bank
from .draw import Draw, row
from .drills import MOST_TRIES, cloze, page
from .reading.questions import ask, question_for
from .reading.requests import ask_on, careless
from .reading.texts import write_text
from .records.lists import TABLES
from .records.requests import request
from .records.texts import clear_question, text_of_records
from .words import CITIES, FIRST_NAMES, FOODS, ITEMS, JOBS, SURNAMES, clock, code, date, full_name, phone, price

BANK = load_bank("sessions")
QUESTIONS_MOST = 8
WORDS = CITIES + FIRST_NAMES + SURNAMES + FOODS + ITEMS + JOBS


def session(draw: Draw, task: str, shown: str, asked: list[tuple[str, str]]) -> dict:
    """Puts the first question into `shown`, at {}; the other questions follow without the text."""
    (first, answer), *others = asked
    turns = [shown.replace("{}", first), answer]
    for question, answer in others:
        turns += [draw.wording(BANK.next).format(question), answer]
    return row(task, *turns)


def on_records(draw: Draw) -> dict:
    for _ in range(MOST_TRIES):
        kind, records, text = text_of_records(draw, most=3)
        asked: dict[str, str] = {}
        for _ in range(24):
            found = clear_question(draw, kind, records, text)
            if found and len(asked) < QUESTIONS_MOST:
                asked.setdefault(careless(draw, found[0]), found[1])
        if len(asked) > 2:
            return session(draw, "reading_chat", request(draw, text, "{}"), list(asked.items()))
    raise SystemExit("No kind of text gives several questions.")


def on_texts(draw: Draw) -> dict:
    for _ in range(MOST_TRIES):
        records, text = write_text(draw)
        open_slots = [
            (record, slot) for record in records for slot in record.kind.questions if slot in record.mentioned
        ]
        asked: dict[str, str] = {}
        for record, slot in draw.sample(open_slots, min(len(open_slots), QUESTIONS_MOST)):
            if template := question_for(draw, record, slot, len(records) == 1):
                asked.setdefault(ask(draw, record, template), record.values[slot])
        if len(asked) > 2 and len(text) < 1300:
            return session(draw, "reading_chat", ask_on(draw, text, "{}"), list(asked.items()))
    raise SystemExit("No kind of text gives several questions.")


def on_table(draw: Draw) -> dict:
    heading, key_maker, value_maker, of_value, of_key = draw.wording(TABLES)
    entries: dict[str, str] = {}
    for _ in range(draw.number(4, 13)):
        key, value = key_maker(draw), value_maker(draw)
        if value not in entries.values():
            entries.setdefault(key, value)
    layout = draw.pick(BANK.layouts)
    text = (f"{heading}\n" if draw.chance(0.6) else "") + "\n".join(layout.format(*entry) for entry in entries.items())
    asked = [
        (draw.pick(of_value).format(k=key), value) if draw.chance(0.65) else (draw.pick(of_key).format(v=value), key)
        for key, value in draw.sample(list(entries.items()), min(len(entries), QUESTIONS_MOST))
    ]
    return session(draw, "lookup", request(draw, text, "{}"), asked)


def on_pairs(draw: Draw) -> dict:
    """Lists pairs of unrelated things, names one of a pair and asks for the other."""
    makers = [
        lambda d: d.pick(WORDS),
        lambda d: " ".join(d.sample(WORDS, 2)),
        full_name,
        code,
        phone,
        price,
        clock,
        date,
        lambda d: str(d.number(2, 999)),
    ]
    key_maker, value_maker = draw.sample(makers, 2) if draw.chance(0.8) else makers[:2]
    entries: dict[str, str] = {}
    for _ in range(draw.number(4, 14)):
        key, value = key_maker(draw), value_maker(draw)
        if value not in entries.values() and value not in entries:
            entries.setdefault(key, value)
    layout = draw.pick(BANK.layouts + ["{} has {}.", "{} goes with {}.", "{} stands beside {}."])
    text = draw.pick(["\n", " "] if layout.endswith(".") else ["\n", "\n", "; "]).join(
        layout.format(*entry) for entry in entries.items()
    )
    backward = draw.chance(0.3)
    form = draw.wording(BANK.short_asks)
    asked = [
        (form.format(value if backward else key), key if backward else value)
        for key, value in draw.sample(list(entries.items()), min(len(entries), QUESTIONS_MOST))
    ]
    return session(
        draw,
        "lookup",
        draw.pick(["{text}\n\n{{}}", "{text}\n{{}}", "{{}}\n\n{text}"]).format(
            text=text.replace("{", "").replace("}", "")
        ),
        asked,
    )


def on_page(draw: Draw, prose: list[str], longest: int) -> dict:
    """Asks questions that are made from a page's own sentences."""
    for _ in range(MOST_TRIES):
        sentences = page(draw, prose, longest)
        asked: dict[str, str] = {}
        for _ in range(16):
            if (found := cloze(draw, sentences)) and len(asked) < QUESTIONS_MOST:
                asked.setdefault(*found)
        if len(asked) > 1:
            text = " ".join(sentences).replace("{", "").replace("}", "")
            return session(draw, "reading_question", request(draw, text, "{}"), list(asked.items()))
    raise SystemExit("The prose of the data folder does not give several questions on one page.")


GENERATORS = [(on_records, 5), (on_texts, 5), (on_table, 4), (on_pairs, 6)]
