"""Draws new texts in other processes while the model trains: new conversations on the same records, other pages.

The k-th shard of a stage depends only on the seed, so a continued run sees the same texts as an uninterrupted one.
"""

import itertools
import multiprocessing
import os
import shutil
import time
from pathlib import Path

import numpy as np

from batches import packed_windows, to_batch, windows_per_batch
from generate.handwritten import Records, read_records
from settings import Settings
from texts.mixes import joined, read_public, texts_of_mix
from tokenizer import Tokenizer

BATCHES_OF_SHARD = 32
PORTION = 0.01  # share of the configuration's conversations that is drawn at a time
SHARDS_READY_MOST = 24  # unread shards of a stage
SECONDS_FOR_A_SHARD = 300


class FreshBatches:
    """Batches of texts that `settings.fresh_workers` processes draw. `close` stops the processes."""

    def __init__(self, settings: Settings, data: Path, out: Path, batches_of_stage: list[int]):
        self._settings, self._folder = settings, out / "fresh"
        self._loaded: dict[int, tuple] = {}  # stage -> number of its shard, and the windows
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        context = multiprocessing.get_context("spawn")
        first = [batches // BATCHES_OF_SHARD for batches in batches_of_stage]
        self._read, self._claimed = (context.Array("l", first) for _ in range(2))
        self._processes = [
            context.Process(target=prepare_shards, args=(settings, data, out, self._read, self._claimed), daemon=True)
            for _ in range(settings.fresh_workers)
        ]
        for process in self._processes:
            process.start()

    def next(self, stage_index: int, position: int):
        number, batch = divmod(position, BATCHES_OF_SHARD)
        if self._loaded.get(stage_index, (None,))[0] != number:
            self._loaded[stage_index] = number, self._read_shard(stage_index, number)
            self._read[stage_index] = number + 1
        per_batch = windows_per_batch(self._settings, self._settings.stages[stage_index])
        return to_batch(self._loaded[stage_index][1], slice(batch * per_batch, (batch + 1) * per_batch))

    def _read_shard(self, stage_index: int, number: int) -> tuple[np.ndarray, np.ndarray]:
        path = shard_path(self._folder, stage_index, number)
        deadline = time.time() + SECONDS_FOR_A_SHARD
        while not path.is_file():
            if not all(process.is_alive() for process in self._processes):
                raise SystemExit("A process that draws new texts has stopped; its error is printed above.")
            if time.time() > deadline:
                raise SystemExit(f"No new texts came within {SECONDS_FOR_A_SHARD} seconds.")
            time.sleep(0.01)
        with np.load(path) as stored:
            windows = stored["ids"], stored["shares"]
        path.unlink()
        return windows

    def close(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        shutil.rmtree(self._folder, ignore_errors=True)


def shard_path(folder: Path, stage_index: int, number: int) -> Path:
    return folder / f"{stage_index}.{number}.npz"


def prepare_shards(settings: Settings, data: Path, out: Path, read, claimed) -> None:
    """Prepares one shard after the other, until the training process ends."""
    parent = os.getppid()
    records, public = read_records(data).by_kind, read_public(settings, data)
    tokenizer = Tokenizer.load(out / "tokenizer.json")
    while os.getppid() == parent:
        claim = next_claim(settings, read, claimed)
        if claim is None:
            time.sleep(0.05)
            continue
        stage_index, number = claim
        seed = f"{settings.seed}/fresh/{stage_index}/{number}"
        ids, shares = windows_of_shard(settings, stage_index, seed, (public, Records(records), tokenizer))
        path = shard_path(out / "fresh", stage_index, number)
        unfinished = path.with_suffix(".unfinished")
        with open(unfinished, "wb") as file:
            np.savez(file, ids=ids, shares=shares)
        os.replace(unfinished, path)


def next_claim(settings: Settings, read, claimed) -> tuple[int, int] | None:
    """Claims the next shard of the stage with the fewest shards ahead, measured by the stage's share of the run."""
    with claimed.get_lock():
        ahead = {}
        for index, stage in enumerate(settings.stages):
            shards = -(-stage.get("tokens", 0) // (settings.batch_tokens * BATCHES_OF_SHARD))
            waiting = claimed[index] - read[index]
            if waiting < SHARDS_READY_MOST and ("share" in stage or claimed[index] < shards):
                ahead[index] = waiting / stage.get("share", 1)
        if not ahead:
            return None
        index = min(ahead, key=ahead.get)
        claimed[index] += 1
        return index, claimed[index] - 1


def windows_of_shard(settings: Settings, stage_index: int, seed: str, sources: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Draws texts until they fill the windows of a shard."""
    stage = settings.stages[stage_index]
    wanted = BATCHES_OF_SHARD * windows_per_batch(settings, stage)
    texts = []
    for part in itertools.count():
        texts += texts_of_mix(stage["mix"], settings, *sources, f"{seed}/{part}", PORTION)
        if sum(len(ids) + 1 for ids, _ in texts) < wanted * stage["context"]:
            continue
        order = list(seed.encode())
        ids, shares = packed_windows(*joined(texts), stage["context"], stage["loss"], order)
        if len(ids) >= wanted:
            return ids[:wanted], shares[:wanted]
