"""Draws the texts of each mix: `language`, `main`, `long`, and the random tokens `copies` and `recalls`.

All of a mix is drawn once by prepare.py, or portions of it again and again by fresh.py.
"""

import collections
import fnmatch
import math
import re
from pathlib import Path

import numpy as np

from generate import generate_rows, rows_of
from generate.basics import GENERATORS as BASICS
from generate.basics import summary_of_prose
from generate.draw import Draw
from generate.drills import FACT_QUESTION, copy_list, drill, facts_on_a_page, glossary, hidden
from generate.handwritten import Records
from generate.handwritten import conversations as handwritten_conversations
from generate.matching import (
    SERVICES,
    Dictionary,
    gap,
    kind_of_text,
    kind_of_word,
    meaning_of_word,
    service,
    subject,
    title,
    word_of_meaning,
)
from generate.sessions import GENERATORS as SESSIONS
from generate.sessions import on_page
from settings import Settings
from texts.random_tokens import RandomTokens, Text
from texts.sources import clean_text, conversations_of, label_session, labelled, read_rows, story_request
from tokenizer import END_OF_TEXT, Tokenizer

# Source pattern -> (rows for the language mix, rows for the chat mix). A source with fewer rows repeats them in other
# wordings. Trivia, WordNet and small talk are capped, because they would outweigh the rest.
ROWS = {
    "sentence_polarity": (9600, 40000),
    "snips": (7000, 12000),
    "clinc150": (14000, 28000),
    "banking77": (9000, 26000),
    "hwu64": (6000, 8000),
    "goemotions": (16000, 32000),
    "scitldr": (1500, 3000),
    "wikisplit": (8000, 1500),
    "e2e_nlg": (4600, 26000),
    "sgd": (2000, 600),
    "qmsum": (80, 40),
    "personality_chat": (9000, 4000),
    "chatterbot": (900, 500),
    "oasst100": (280, 100),
    "opentrivia": (6000, 800),
    "wordnet": (9000, 800),
    "factbook": (3000, 600),
    "openstax_*": (450, 30),
}
# The chance that the next few labelled rows of the chat mix share one conversation, which names their options once.
SESSION_CHANCE = 0.5
PROSE_SOURCES = ["african_storybook", "pratham_books", "onestop", "factbook", "se_*", "openstax_*"]
NOT_PROSE = ("openstax_microbiology", "openstax_writing-guide", "openstax_chemistry-bundle")  # formulas and markup
SHORT_PAGE, LONG_PAGE = 900, 6000  # characters
TOKENIZER_CONVERSATIONS = 2000  # per hand-written kind


class Public:
    """The data folder's texts: rows by source, and prose."""

    def __init__(self):
        self.rows: dict[str, list[dict]] = {}
        self.prose: list[str] = []
        self.stories: list[list[dict]] = []
        self.prose_texts: collections.Counter = collections.Counter()
        self.books: dict[str, list[str]] = {}  # texts of OpenStax by subject
        self._dictionary: Dictionary | None = None
        self._service_requests: list[tuple[str, str]] | None = None

    def dictionary(self, handwritten: Records) -> Dictionary:
        if self._dictionary is None:
            known = {word for text in all_prose(self, handwritten) for word in re.findall("[a-z]{3,}", text)}
            self._dictionary = Dictionary(self.rows.get("wordnet", []), known)
        return self._dictionary

    def service_requests(self) -> list[tuple[str, str]]:
        """Returns the first messages of service dialogues, each with its service."""
        if self._service_requests is None:
            self._service_requests = [
                (clean_text(row["messages"][0]["content"]), row["meta"]["services"])
                for row in self.rows.get("sgd", [])
                if row.get("meta", {}).get("services") in SERVICES
            ]
        return self._service_requests


def read_public(settings: Settings, data: Path) -> Public:
    public, draw = Public(), Draw(f"{settings.seed}/read")
    budget = settings.prose_characters
    for path in sorted((data / "train").glob("*.jsonl.zst"), key=lambda p: (p.name.startswith("openstax"), p.name)):
        name = path.name.removesuffix(".jsonl.zst")
        is_prose = any(fnmatch.fnmatch(name, pattern) for pattern in PROSE_SOURCES) and name not in NOT_PROSE
        if not is_prose and wanted_rows(name, 0) == 0:
            continue
        rows = read_rows(path)
        draw.rng.shuffle(rows)
        conversations = [row for row in rows if "messages" in row]
        if conversations and wanted_rows(name, 0):
            public.rows[name] = conversations
        left = min(settings.prose_per_source, budget)
        for row in rows if is_prose else []:
            if row["task"] in ("text", "story") and left > 0:
                text = clean_text(row["text"])[:left]
                left -= len(text)
                budget -= len(text)
                public.prose.append(text)
                public.prose_texts[name] += 1
                if name.startswith("openstax_"):
                    subject_name = re.sub(r"openstax_(?:introduction-|principles-)?|-bundle", "", name).replace(
                        "-", " "
                    )
                    public.books.setdefault(subject_name, []).append(text)
                if row["task"] == "story":
                    public.stories.append(story_request(row, text, draw))
    return public


def wanted_rows(source: str, mix: int) -> int:
    return next((counts[mix] for pattern, counts in ROWS.items() if fnmatch.fnmatch(source, pattern)), 0)


def language_chats(
    settings: Settings, public: Public, handwritten: Records, draw: Draw, portion: float | None = None
) -> list[list[dict]]:
    """Returns the conversations of the language mix without its drills."""
    return public_chats(public, settings, 0, draw, portion) + [
        chat
        for kind in settings.handwritten
        for chat in handwritten_conversations(
            handwritten, kind, math.ceil(TOKENIZER_CONVERSATIONS * (portion or 1)), draw
        )
    ]


def all_prose(public: Public, handwritten: Records) -> list[str]:
    return public.prose + [record["text"] for kind in ("messages", "prose") for record in handwritten.by_kind[kind]]


def main_parts(
    settings: Settings,
    public: Public,
    handwritten: Records,
    tokenizer: Tokenizer,
    draw: Draw,
    seed: int | str,
    portion: float | None = None,
) -> dict[str, list[Text]]:
    """Returns the texts of the main mix by their kind: all of them, or a random portion of each kind."""

    def count(number: int) -> int:
        return math.ceil(number * (portion or 1))

    chats = {
        "public": public_chats(public, settings, 1, draw, portion),
        "drills": drills(public, draw, count(settings.drills), SHORT_PAGE),
    }
    for _ in range(count(settings.drills // 4) if public.prose else 0):
        chats["drills"] += [
            hidden(draw, public.prose, SHORT_PAGE)["messages"],
            copy_list(draw, public.prose)["messages"],
        ]
    chats["generated"] = [row["messages"] for row in generate_rows(count(settings.generated_conversations), seed)]
    chats["sessions"] = sessions(public, draw, count(settings.sessions))
    chats["basics"] = basics(public, draw, count(settings.basics))
    chats["matches"] = matches(public, handwritten, draw, count(settings.matches))
    for kind, number in settings.handwritten.items():
        chats[f"handwritten {kind}"] = handwritten_conversations(handwritten, kind, count(number), draw)
    random = RandomTokens(tokenizer, draw.number(0, 2**32))
    parts = {
        "copies": [random.copy() for _ in range(count(settings.random_texts))],
        "recalls": [random.recall() for _ in range(count(settings.random_texts))],
    }
    return parts | {name: encoded(tokenizer, some) for name, some in chats.items()}


def long_texts(
    settings: Settings, public: Public, tokenizer: Tokenizer, draw: Draw, portion: float | None = None
) -> list[Text]:
    chats = drills(public, draw, math.ceil(settings.long_drills * (portion or 1)), LONG_PAGE)
    for _ in range(math.ceil(settings.long_drills * 5 // 3 * (portion or 1)) if public.prose else 0):
        chats.append(hidden(draw, public.prose, LONG_PAGE)["messages"])
    return encoded(tokenizer, chats)


def encoded(tokenizer: Tokenizer, chats: list[list[dict]], prose: list[str] = ()) -> list[Text]:
    return [tokenizer.encode_chat(chat) for chat in chats] + [
        (ids, [False] * len(ids)) for ids in map(tokenizer.encode, prose)
    ]


def texts_of_mix(
    mix: str,
    settings: Settings,
    public: Public,
    handwritten: Records,
    tokenizer: Tokenizer,
    seed: str,
    portion: float,
) -> list[Text]:
    """Returns newly drawn texts of a mix, about a `portion` of those that `prepare` writes."""
    draw = Draw(seed)
    if mix == "language":
        chats = language_chats(settings, public, handwritten, draw, portion)
        chats += drills(public, draw, math.ceil(settings.drills * portion), SHORT_PAGE)
        prose = all_prose(public, handwritten)
        return encoded(tokenizer, chats, draw.sample(prose, math.ceil(len(prose) * portion)))
    parts = main_parts(settings, public, handwritten, tokenizer, draw, seed, portion / 7 if mix == "long" else portion)
    if mix in parts:
        return parts[mix]
    texts = [text for part in parts.values() for text in part]
    return texts + long_texts(settings, public, tokenizer, draw, portion) if mix == "long" else texts


def matches(public: Public, handwritten: Records, draw: Draw, count: int) -> list[list[dict]]:
    dictionary, requests = public.dictionary(handwritten), public.service_requests()
    messages, prose = handwritten.by_kind["messages"], handwritten.by_kind["prose"]
    makers = [
        (lambda: title(draw, messages + prose), 1.2),
        (lambda: kind_of_text(draw, messages, "kind"), 0.4),
        (lambda: kind_of_text(draw, prose, "topic"), 0.5),
    ]
    if len(requests) > 100:
        makers.append((lambda: service(draw, requests), 0.8))
    if len(public.books) > 4:
        makers.append((lambda: subject(draw, public.books), 1.2))
    if len(dictionary.entries) > 40:
        makers += [
            (lambda: word_of_meaning(draw, dictionary), 4),
            (lambda: meaning_of_word(draw, dictionary), 1.5),
            (lambda: kind_of_word(draw, dictionary), 3.5),
        ]
    if public.prose:
        makers.append((lambda: gap(draw, public.prose), 1.5))
    functions, weights = zip(*makers)
    return [make()["messages"] for make in draw.rng.choices(functions, weights, k=count)]


def sessions(public: Public, draw: Draw, count: int) -> list[list[dict]]:
    made = rows_of(SESSIONS, draw, count) + [
        on_page(draw, public.prose, SHORT_PAGE) for _ in range(count // 5) if public.prose
    ]
    return [row["messages"] for row in made]


def basics(public: Public, draw: Draw, count: int) -> list[list[dict]]:
    made = rows_of(BASICS, draw, count) + [
        summary_of_prose(draw, public.prose, SHORT_PAGE) for _ in range(count // 6) if public.prose
    ]
    return [row["messages"] for row in made]


def public_chats(
    public: Public, settings: Settings, mix: int, draw: Draw, portion: float | None = None
) -> list[list[dict]]:
    """Returns the conversations of the public rows. With `portion`, those of a random part of each source."""
    chats = draw.sample(public.stories, math.ceil(len(public.stories) * portion)) if portion else list(public.stories)
    for name, rows in public.rows.items():
        wanted = wanted_rows(name, mix) * settings.source_scale * (portion or 1)
        count = int(wanted) + (draw.chance(wanted % 1) if portion else 0)  # a small source has less than a row
        first = draw.number(0, len(rows) - 1) if portion else mix * 1000
        taken = [rows[(i + first) % len(rows)] for i in range(count)]
        made = []
        while taken:
            if "label" in taken[-1].get("meta", {}) and mix == 1 and draw.chance(SESSION_CHANCE):
                made.append(
                    label_session(
                        [labelled(taken.pop(), draw) for _ in range(min(len(taken), draw.number(4, 8)))], draw
                    )
                )
            else:
                made += conversations_of(taken.pop(), draw)
        chats += join_short_chats(made, draw) if name == "personality_chat" else made
    return chats


def join_short_chats(chats: list[list[dict]], draw: Draw) -> list[list[dict]]:
    """Joins some single exchanges without a system message into conversations of two to four exchanges."""
    joined, i = [], 0
    while i < len(chats):
        count = draw.pick([1, 1, 2, 3, 4])
        group = chats[i : i + count]
        if all(chat[0]["role"] == "user" for chat in group):
            joined.append([message for chat in group for message in chat])
            i += count
        else:
            joined.append(chats[i])
            i += 1
    return joined


def drills(public: Public, draw: Draw, count: int, longest: int) -> list[list[dict]]:
    """Makes drills on pages of the prose, on glossaries of WordNet and on facts of the factbook."""
    if not public.prose:
        return []
    meanings = [
        (row["messages"][0]["content"].split('"')[1], clean_text(row["messages"][1]["content"]).rstrip("."))
        for row in public.rows.get("wordnet", [])[:8000]
        if row["task"] == "qa_definition" and '"' in row["messages"][0]["content"]
    ]
    facts = collections.defaultdict(list)
    for row in public.rows.get("factbook", []):
        asked, answer = (clean_text(m["content"]) for m in row["messages"][:2])
        if (found := FACT_QUESTION.fullmatch(asked)) and len(answer) < 160:
            facts[found[2]].append((asked, answer))
    pages = [about for about in facts.values() if len(about) > 1]
    lines = longest // 100
    made = []
    for _ in range(count):
        kind = draw.rng.random()
        if kind < 0.08 and len(meanings) > 40:
            made.append(glossary(draw, draw.sample(meanings, draw.number(3, max(6, lines)))))
        elif kind < 0.18 and pages:
            about = draw.pick(pages)
            made.append(facts_on_a_page(draw, draw.sample(about, min(len(about), draw.number(2, 6)))))
        else:
            made.append(drill(draw, public.prose, longest))
    return [row["messages"] for row in made]


def joined(texts: list[Text]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns all tokens, which of them are the assistant's, and where each text starts.

    Every text ends with <|endoftext|>, which separates it from the next one.
    """
    lengths = [len(ids) + 1 for ids, _ in texts]
    tokens = np.fromiter((i for ids, _ in texts for i in (*ids, END_OF_TEXT)), np.uint16, sum(lengths))
    answer = np.fromiter((a for _, is_answer in texts for a in (*is_answer, False)), np.uint8, sum(lengths))
    return tokens, answer, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
