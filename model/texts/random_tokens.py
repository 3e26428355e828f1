"""Texts of random tokens: sequences that recur, and pairs to look up.

With words, a model can guess instead of looking things up, so it learns look-ups late and badly. With random tokens it
learns them within a hundred steps (induction heads: Olsson et al., 2022; associative recall: Arora et al., Zoology,
2023).
"""

import numpy as np

from tokenizer import CONTROL_TOKENS, Tokenizer

Text = tuple[list[int], list[bool]]  # token ids, and whether each one counts in the loss

BETWEEN = [":", " -", " =", " |", ",", "", "", " is"]
AFTER_PAIR = ["\n", "\n", "\n- ", "; ", ", ", ". "]
AFTER_QUESTION = ["?", "", "", ".", " ?", ", please"]
PAIRS_MOST, ASKED_MOST = 16, 8


class RandomTokens:
    def __init__(self, tokenizer: Tokenizer, seed: int):
        self._tokenizer, self._rng = tokenizer, np.random.default_rng(seed)

    def copy(self) -> Text:
        """Makes a sequence that recurs once or twice. Only the repetitions count in the loss."""
        again = self._draw(4, 99)
        ids, is_answer = list(again), [False] * len(again)
        for _ in range(self._number(1, 2)):
            gap = self._draw(0, 11)
            ids += gap + again
            is_answer += [False] * (len(gap) + 1) + [True] * (len(again) - 1)
        return ids, is_answer

    def recall(self) -> Text:
        """Makes pairs, and a conversation that gives one half of a pair and asks for the other."""
        count, longest = self._number(2, PAIRS_MOST), self._number(1, 3)
        pairs = [(self._draw(1, longest), self._draw(1, longest)) for _ in range(count)]
        between, after = self._some(BETWEEN), self._some(AFTER_PAIR)
        noise = self._number(0, 3) if self._rng.random() < 0.4 else 0
        text = [token for one, other in pairs for token in (*self._draw(0, noise), *one, *between, *other, *after)]
        before = self._draw(0, 4) if self._rng.random() < 0.6 else []
        question_end, backward = self._some(AFTER_QUESTION), self._rng.random() < 0.25
        messages = []
        for place, pair in enumerate(self._rng.permutation(count)[:ASKED_MOST]):
            asked, answer = pairs[pair][::-1] if backward else pairs[pair]
            question = (text + self._tokenizer.encode("\n") if place == 0 else []) + before + asked + question_end
            messages += [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
        return self._tokenizer.encode_chat(messages)

    def _draw(self, fewest: int, most: int) -> list[int]:
        return self._rng.integers(len(CONTROL_TOKENS), len(self._tokenizer.tokens), self._number(fewest, most)).tolist()

    def _number(self, low: int, high: int) -> int:
        return int(self._rng.integers(low, high + 1))

    def _some(self, texts: list[str]) -> list[int]:
        return self._tokenizer.encode(texts[self._number(0, len(texts) - 1)])
