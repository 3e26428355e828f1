"""Packs token files into training windows.

The order of the texts depends only on the seed, so a continued run sees the same windows as an uninterrupted one.
"""

import itertools
from pathlib import Path

import numpy as np
import torch

from settings import Settings

OPEN_WINDOWS = 32


class Batches:
    """Batches of packed texts. The k-th batch of a stage depends only on the seed."""

    def __init__(self, out: Path, settings: Settings):
        self._out, self._settings = out, settings
        self._packed: dict[int, tuple] = {}  # stage -> its packed epoch and the windows
        self._batches: dict[tuple, int] = {}  # epoch -> its number of batches

    def next(self, stage_index: int, position: int):
        stage = self._settings.stages[stage_index]
        per_batch = windows_per_batch(self._settings, stage)
        for epoch in itertools.count():
            key = (self._settings.seed, stage_index, epoch)
            packed = self._packed.get(stage_index)
            if (not packed or packed[0] != key) and position < self._batches.get(key, position + 1):
                self._packed.pop(stage_index, None)
                packed = self._packed[stage_index] = (
                    key,
                    self.windows(stage["mix"], stage["context"], stage["loss"], key),
                )
                self._batches[key] = len(packed[1][0]) // per_batch
            batches = self._batches[key]
            if batches == 0:
                raise SystemExit(f"The mix '{stage['mix']}' has too little text for one batch.")
            if position < batches:
                return to_batch(packed[1], slice(position * per_batch, (position + 1) * per_batch))
            position -= batches

    def close(self) -> None:
        """Does nothing. `FreshBatches` stops its processes here."""

    def windows(self, mix: str, context: int, loss: str, seed: tuple):
        """Packs a mix's texts into windows, in random order. Padding does not count in the loss.

        A text that is longer than a window is split if `loss` is "all", and left out otherwise.
        """
        parts = [self._out / f"{mix}.{part}.npy" for part in ("tokens", "answer", "starts")]
        for path in parts:
            if not path.is_file():
                raise SystemExit(f"There is no {path.name} in {self._out}; run prepare.py first.")
        return packed_windows(*(np.load(path, mmap_mode="r") for path in parts), context, loss, seed)


def windows_per_batch(settings: Settings, stage: dict) -> int:
    return max(1, settings.batch_tokens // stage["context"])


def packed_windows(tokens, answer, starts, context: int, loss: str, seed):
    """Packs texts into windows of `context` + 1 tokens. Returns the token ids and the loss weight of each."""
    length = context + 1
    spans = []
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist()):
        if end - begin <= length:
            spans.append((begin, end))
        elif loss == "all":
            spans += [(cut, min(cut + length, end)) for cut in range(begin, end, length)]
    np.random.default_rng(seed).shuffle(spans)
    packed = pack(spans, length)
    ids = np.zeros((len(packed), length), np.uint16)
    shares = np.zeros((len(packed), length), np.float16)
    for row, window in enumerate(packed):
        column = 0
        for begin, end in window:
            ids[row, column : column + end - begin] = tokens[begin:end]
            shares[row, column : column + end - begin] = SHARES[loss](answer[begin:end])
            column += end - begin
    return ids, shares


def equal_answers(is_answer: np.ndarray) -> np.ndarray:
    """Weights each token of an n-token answer by 1 / sqrt(n), so that copied pages do not outweigh short labels."""
    edges = np.flatnonzero(np.diff(is_answer, prepend=0, append=0).astype(bool))
    shares = np.zeros(len(is_answer), np.float32)
    for begin, end in zip(edges[::2], edges[1::2]):
        shares[begin:end] = (end - begin) ** -0.5
    return shares


# Maps a stage's `loss` setting to a function that turns `is_answer` into the tokens' loss weights.
SHARES = {"all": np.ones_like, "assistant": lambda is_answer: is_answer, "answers": equal_answers}


def pack(spans: list, length: int) -> list[list]:
    """Packs spans into windows by best fit, with at most OPEN_WINDOWS windows open at a time."""
    done, opened, rooms = [], [], []
    for begin, end in spans:
        size = end - begin
        fitting = [i for i, room in enumerate(rooms) if room >= size]
        if fitting:
            best = min(fitting, key=rooms.__getitem__)
            opened[best].append((begin, end))
            rooms[best] -= size
            continue
        if len(opened) == OPEN_WINDOWS:
            fullest = rooms.index(min(rooms))
            done.append(opened.pop(fullest))
            rooms.pop(fullest)
        opened.append([(begin, end)])
        rooms.append(length - size)
    return done + opened


def to_batch(windows, rows: slice):
    """Returns the token ids, the target ids (the next tokens), and the targets' loss weights."""
    ids = torch.from_numpy(windows[0][rows].astype(np.int64))
    return ids[:, :-1], ids[:, 1:], torch.from_numpy(windows[1][rows].astype(np.float32))[:, 1:]
