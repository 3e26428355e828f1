"""Choices among options that differ in each row: words by their meanings, kinds of things, titles, missing words.

There are only a thousand hand-written label sets, but WordNet and prose give any number of them. The model learns to
compare each option with the text, and learns the meanings of words.
"""

import re

from .banks import load_bank
from .draw import Draw, row
from .drills import page
from .handwritten.labels import session

BANK = load_bank("matching")
SERVICES = BANK.services

PLAIN_WORD = re.compile(r"\b[a-z]{4,}\b(?!['’]\w)")  # no names, no "couldn" of "couldn't"
DEFINED = re.compile(r'"([^"]+)"')


class Dictionary:
    """Words with meanings and groups, from the WordNet rows. Of the words not in `known`, keeps one in five."""

    def __init__(self, rows: list[dict], known: set[str]):
        self.entries, rare = [], 0
        for made in rows:
            found = DEFINED.search(made["messages"][0]["content"]) if made["task"] == "qa_definition" else None
            meaning = made["messages"][1]["content"].rstrip(".") if found else ""
            if found and 10 < len(meaning) < 160 and found[1].lower() not in meaning.lower():
                rare += found[1].lower() not in known
                if found[1].lower() not in known and rare % 5:
                    continue
                self.entries.append((found[1], meaning, made["meta"]["lex"], made["meta"]["pos"]))
        self.nouns = [entry for entry in self.entries if entry[3] == "noun" and entry[2] in BANK.kinds]
        self.verbs = [entry for entry in self.entries if entry[3] == "verb" and entry[2] in BANK.verb_kinds]


def word_of_meaning(draw: Draw, dictionary: Dictionary) -> dict:
    group = draw.sample(dictionary.entries, draw.number(2, 6))
    items = [
        {"text": meaning[0].lower() + meaning[1:] if draw.chance(0.5) else meaning, "label": word}
        for word, meaning, _, _ in group
    ]
    return asked(draw, draw.pick(BANK.word_asks), items)


def meaning_of_word(draw: Draw, dictionary: Dictionary) -> dict:
    group = draw.sample(dictionary.entries, draw.number(2, 4))
    word, meaning = group[0][0], group[0][1]
    return asked(
        draw, draw.pick(BANK.meaning_asks).format(word), [{"text": word, "label": meaning}], [one[1] for one in group]
    )


def kind_of_word(draw: Draw, dictionary: Dictionary) -> dict:
    """Asks for the WordNet group of several words or meanings."""
    entries, kinds = (dictionary.nouns, BANK.kinds) if draw.chance(0.75) else (dictionary.verbs, BANK.verb_kinds)
    wanted = draw.sample(list(kinds), draw.number(2, 6))
    names = {kind: draw.pick(kinds[kind]) for kind in wanted}
    items = []
    for _ in range(draw.number(1, 6)):
        found = next((entry for entry in draw.sample(entries, min(len(entries), 200)) if entry[2] in wanted), None)
        if found:
            form = draw.pick(["{0}", "{0}: {1}", "{1}", "{0} ({1})"])
            items.append({"text": form.format(found[0], found[1]), "label": names[found[2]]})
    return (
        asked(draw, draw.pick(BANK.kind_asks), items, list(names.values()))
        if items
        else word_of_meaning(draw, dictionary)
    )


def gap(draw: Draw, prose: list[str]) -> dict:
    """Asks for the missing word of a sentence, among words of other sentences."""
    sentences = page(draw, prose, 600)
    sentence = draw.pick(sentences)
    words = PLAIN_WORD.findall(sentence)
    others = sorted({word for other in page(draw, prose, 500) for word in PLAIN_WORD.findall(other)} - set(words))
    if not words or len(others) < 4:
        return gap(draw, prose)
    word = draw.pick(words)
    text = re.sub(rf"\b{word}\b", "___", sentence)
    return asked(
        draw, draw.pick(BANK.gap_asks), [{"text": text, "label": word}], [word, *draw.sample(others, draw.number(1, 4))]
    )


def title(draw: Draw, records: list[dict]) -> dict:
    group = draw.sample(records, draw.number(2, 4))
    return asked(
        draw,
        draw.pick(BANK.next_asks),
        [{"text": some_of(draw, group[0]["text"]), "label": group[0]["title"]}],
        [one["title"] for one in group],
    )


def kind_of_text(draw: Draw, records: list[dict], key: str) -> dict:
    """Asks for the kind or topic of a text."""
    asks = BANK.text_asks[key]
    kinds = draw.sample(
        sorted({one[key] for one in records}), min(len({one[key] for one in records}), draw.number(2, 7))
    )
    found = [one for one in draw.sample(records, min(len(records), 120)) if one[key] in kinds][: draw.number(1, 3)]
    if not found:
        return title(draw, records)
    return asked(
        draw, draw.pick(asks), [{"text": some_of(draw, one["text"]), "label": one[key]} for one in found], kinds
    )


def subject(draw: Draw, books: dict[str, list[str]]) -> dict:
    """Asks for the textbook that a few sentences are from."""
    names = draw.sample(sorted(books), min(len(books), draw.number(2, 6)))
    items = [
        {"text": " ".join(page(draw, books[name], 400)[:2]), "label": name}
        for name in draw.sample(names, min(len(names), draw.number(1, 3)))
    ]
    return asked(draw, draw.pick(BANK.subject_asks), items, names)


def service(draw: Draw, requests: list[tuple[str, str]]) -> dict:
    names = draw.sample(sorted({name for _, name in requests}), draw.number(2, 6))
    found = [one for one in draw.sample(requests, 60) if one[1] in names][: draw.number(1, 4)]
    names_shown = {name: draw.pick(BANK.services[name]) for name in names}
    return (
        asked(
            draw,
            draw.pick(BANK.service_asks),
            [{"text": text, "label": names_shown[name]} for text, name in found],
            list(names_shown.values()),
        )
        if found
        else service(draw, requests)
    )


def some_of(draw: Draw, text: str) -> str:
    sentences = re.split(r"(?<=[.!?])\s+", text)
    return text if draw.chance(0.4) else " ".join(sentences[: draw.number(1, 3)])


def asked(draw: Draw, instruction: str, items: list[dict], labels: list[str] | None = None) -> dict:
    labels = list(dict.fromkeys(labels or [item["label"] for item in items]))
    items = draw.sample(items, min(len(items), draw.pick([1, 2, 4, 6])))
    draw.rng.shuffle(labels)
    return {**row("classification_match"), "messages": session(draw, instruction, labels, {}, items, [])}
