"""Byte-level BPE: trainer, encoder, decoder. prepare.py trains it, the other scripts load it.

The pre-tokenizer is llama.cpp's `smollm`: single digits, then GPT-2's pattern. Token ids 0, 1 and 2 are the control
tokens; ordinary text never encodes to them.
"""

import collections
import heapq
import json
import os
from pathlib import Path

import regex

CONTROL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
END_OF_TEXT, MESSAGE_START, MESSAGE_END = 0, 1, 2
DIGITS_APART = regex.compile(r"\p{N}|[^\p{N}]+")
WORDS = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def _printable_bytes() -> dict[int, str]:
    """Returns GPT-2's table: a printable character for each of the 256 bytes."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {**{b: chr(b) for b in shown}, **{b: chr(256 + i) for i, b in enumerate(hidden)}}


CHARACTER_OF_BYTE = _printable_bytes()
SPACE = CHARACTER_OF_BYTE[ord(" ")]
BYTE_OF_CHARACTER = {c: b for b, c in CHARACTER_OF_BYTE.items()}


def split_words(text: str) -> list[str]:
    return [word for part in DIGITS_APART.findall(text) for word in WORDS.findall(part)]


def _characters(word: str) -> list[str]:
    return [CHARACTER_OF_BYTE[byte] for byte in word.encode()]


def train_tokenizer(word_counts: dict[str, int], vocab_size: int) -> "Tokenizer":
    """Merges the most frequent pair until the vocabulary is full. Ties go to the smaller pair: runs are reproducible.

    The merges first learn pieces without the space before a word. The last merges then add the same pieces with the
    space before them (twins), for all pieces that can begin a word. A word is therefore split at the same places after
    a space and at the start of a reply, and the model can copy it from the prompt piece by piece. With plain BPE, four
    of five words had no twin, and the first word of most answers had to be spelled out.
    """
    bare_counts: collections.Counter = collections.Counter()
    for word, count in word_counts.items():
        bare_counts[word[1:] if word[0] == " " and not word.isspace() else word] += count
    base = sorted(CHARACTER_OF_BYTE.values())
    words = [_characters(word) for word in bare_counts]
    counts = list(bare_counts.values())
    room = vocab_size - len(base) - len(CONTROL_TOKENS)
    pair_counts: collections.Counter = collections.Counter()
    words_with = collections.defaultdict(set)
    for index, word in enumerate(words):
        for pair in zip(word, word[1:]):
            pair_counts[pair] += counts[index]
            words_with[pair].add(index)
    heap = [(-count, pair) for pair, count in pair_counts.items()]
    heapq.heapify(heap)

    merges: list[tuple[str, str]] = []
    twins = [character for character in base if character.isascii() and character.isprintable() and character != SPACE]
    while heap and len(merges) + len(twins) < room:
        negative_count, best = heapq.heappop(heap)
        if pair_counts[best] != -negative_count:  # stale entry: its count has changed
            if pair_counts[best] > 0:
                heapq.heappush(heap, (-pair_counts[best], best))
            continue
        merges.append(best)
        touched = set()
        at_start = False
        for index in words_with.pop(best):
            old = words[index]
            new = words[index] = _merge(old, best)
            at_start |= new[0] == best[0] + best[1]
            for pair in zip(old, old[1:]):
                pair_counts[pair] -= counts[index]
                touched.add(pair)
            for pair in zip(new, new[1:]):
                pair_counts[pair] += counts[index]
                words_with[pair].add(index)
                touched.add(pair)
        if at_start:
            twins.append(best[0] + best[1])
        for pair in touched - {best}:
            if pair_counts[pair] > 0:
                heapq.heappush(heap, (-pair_counts[pair], pair))
    merges += [(SPACE, piece) for piece in twins[: room - len(merges)]]
    if len(merges) < room:
        raise SystemExit(f"The text is too small to train a tokenizer of {vocab_size} entries.")
    return Tokenizer(CONTROL_TOKENS + base + [a + b for a, b in merges], merges)


def _merge(word: list[str], pair: tuple[str, str]) -> list[str]:
    merged, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            merged.append(word[i] + word[i + 1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return merged


class Tokenizer:
    def __init__(self, tokens: list[str], merges: list[tuple[str, str]]):
        self.tokens, self.merges = tokens, merges
        self._id = {token: i for i, token in enumerate(tokens)}
        self._rank = {pair: i for i, pair in enumerate(merges)}
        self._word_ids: dict[str, list[int]] = {}

    def encode(self, text: str) -> list[int]:
        return [token for word in split_words(text) for token in self._encode_word(word)]

    def decode(self, ids: list[int]) -> str:
        text = "".join(self.tokens[i] for i in ids if i >= len(CONTROL_TOKENS))
        return bytes(BYTE_OF_CHARACTER[c] for c in text).decode("utf-8", "replace")

    def encode_chat(self, messages: list[dict], answer_next: bool = False) -> tuple[list[int], list[bool]]:
        """Returns ChatML ids, and for each id whether it is part of an assistant's text or the <|im_end|> after it.

        The content of a message is a text or a list of ids.
        """
        ids: list[int] = []
        is_answer: list[bool] = []
        for message in messages:
            head, content = self.encode(message["role"] + "\n"), message["content"]
            # Encoded as one text, as it is served: white space at its start can join the line end of the role.
            text = self.encode(f"{message['role']}\n{content}") if isinstance(content, str) else head + content
            shared = next((i for i, (a, b) in enumerate(zip(head, text)) if a != b), len(head))
            tail = self.encode("\n")
            ids += [MESSAGE_START, *text, MESSAGE_END, *tail]
            is_answer += [False] * (1 + shared)
            is_answer += [message["role"] == "assistant"] * (len(text) - shared + 1) + [False] * len(tail)
        if answer_next:
            head = [MESSAGE_START, *self.encode("assistant\n")]
            ids += head
            is_answer += [False] * len(head)
        return ids, is_answer

    def save(self, path: Path) -> None:
        unfinished = path.with_suffix(".tmp")
        unfinished.write_text(json.dumps({"tokens": self.tokens, "merges": self.merges}, ensure_ascii=False))
        os.replace(unfinished, path)

    @staticmethod
    def load(path: Path) -> "Tokenizer":
        if not path.is_file():
            raise SystemExit(f"There is no tokenizer at {path}; run prepare.py first.")
        stored = json.loads(path.read_text())
        return Tokenizer(stored["tokens"], [tuple(pair) for pair in stored["merges"]])

    def _encode_word(self, word: str) -> list[int]:
        if word not in self._word_ids:
            parts = _characters(word)
            while len(parts) > 1:
                pair = min(zip(parts, parts[1:]), key=lambda p: self._rank.get(p, len(self._rank)))
                if pair not in self._rank:
                    break
                parts = _merge(parts, pair)
            self._word_ids[word] = [self._id[part] for part in parts]
        return self._word_ids[word]
