"""Trains the model on prepared token files. A killed run continues from its last checkpoint.

    python3 train.py tiny --out out
    python3 train.py mini --out out --data DATA                      # draws new texts while it trains
    nohup nice -n 19 python3 train.py mini --out out --data DATA > out/train.log 2>&1 &  # for days, in the background
    python3 train.py mini --out branch --data DATA --decay-from out --minutes 40  # ends an unfinished run

The run passes through the stages of config/<name>.json. Learning rates warm up, hold, then fall linearly to zero at the
end of `train_tokens` or `--minutes`. `--decay-from` copies the newest checkpoint of another folder and lowers the rates
from their top to zero within `--minutes`. A killed and continued run gives the same weights as an uninterrupted one,
unless `--minutes` ends it. The loss curve is drawn to OUT/loss.png after each measurement of the dev loss (needs
matplotlib; `python3 plot.py` draws it later).
"""

import argparse
import ctypes
import hashlib
import json
import os
import shutil
import time
from dataclasses import asdict
from pathlib import Path

# Must be set before torch loads. A short spin avoids a thread wake-up in every matrix product. A long spin wastes
# half of the time when another process uses the second core.
os.environ.setdefault("OMP_WAIT_POLICY", "ACTIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "2000")

import torch

from batches import Batches, to_batch, windows_per_batch
from model import Model
from optimizers import Muon, embedding_optimizer
from plot import draw_curve
from settings import Settings, architecture, load_settings
from texts.fresh import FreshBatches
from tokenizer import SPACE, Tokenizer

CPU_THREADS = 2
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # parameters of glibc's mallopt
DEV_CONTEXT = 512
PREPARED = "prepared.json"  # build.py's record of the settings and the data of the prepared files
COURSE = ("stages", "batch_tokens", "seed")  # settings that a continued run must keep
BRANCH = "branch-of.txt"  # marks the folder of a run that decays another run's checkpoint


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("config", nargs="?", default="mini")
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out")
    arguments.add_argument("--data", type=Path, help="the data folder, for a configuration with fresh_workers")
    arguments.add_argument("--stop-after-steps", type=int, help="stop early, as if killed right after a checkpoint")
    arguments.add_argument("--minutes", type=float, help="minutes of training in total, instead of train_tokens")
    arguments.add_argument(
        "--decay-from", type=Path, metavar="OUT", help="the folder of an unfinished run; needs --minutes"
    )
    given = arguments.parse_args()
    if given.decay_from:
        if not given.minutes:
            raise SystemExit("--decay-from needs --minutes.")
        branch_off(given.decay_from, given.out)
    train(given.config, given.out, given.stop_after_steps, minutes=given.minutes, data=given.data)


def train(
    config_name: str,
    out: Path,
    stop_after_steps: int | None = None,
    minutes: float | None = None,
    weights: dict[str, torch.Tensor] | None = None,
    data: Path | None = None,
) -> None:
    """Trains until the end of the run. A run without a checkpoint begins with `weights`, if they are given."""
    settings = load_settings(config_name)
    if settings.fresh_workers and not data:
        raise SystemExit(f"The configuration '{config_name}' draws new texts during the training and needs --data.")
    fingerprint = tokenizer_fingerprint(out)
    checkpoint_path = out / "checkpoint.pt"
    check_start(out, bool(weights) or checkpoint_path.is_file())
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = new_model(settings, out, device, weights)
    optimizers = [Muon(model, settings), embedding_optimizer(model, settings)]
    run = new_run(settings)
    if checkpoint_path.is_file():
        run = restore(load_checkpoint(checkpoint_path, config_name, settings, fingerprint), settings, model, optimizers)
    print(f"{model.parameter_count():,} parameters, {device}", flush=True)
    origin = {
        "config": config_name,
        "architecture": architecture(settings),
        "settings": asdict(settings),
        "tokenizer": fingerprint,
    }
    prepared = Batches(out, settings)
    batches = FreshBatches(settings, data, out, run["batches_of_stage"]) if settings.fresh_workers else prepared

    def save():
        state = {"model": model.state_dict(), "optimizers": [one.state_dict() for one in optimizers], "run": run}
        save_checkpoint(checkpoint_path, {**origin, **state})

    def measure_dev_loss():
        for mix, losses in (("dev", run["dev_losses"]), ("handwritten_dev", run["handwritten_dev_losses"])):
            losses.append((run["tokens"], dev_loss(model, prepared, device, mix)))
        print(
            f"dev loss {run['dev_losses'][-1][1]:.4f}, hand-written {run['handwritten_dev_losses'][-1][1]:.4f}",
            flush=True,
        )
        draw_curve(run, settings, out / "loss.png")

    try:
        stage = stage_at(run, settings)
        batches.next(stage, run["batches_of_stage"][stage])  # waits for the first texts, before the clock starts
        seconds_before, started = run["seconds"], time.time()
        saved_at = dev_at = printed_at = started
        printed_tokens = run["tokens"]
        if weights and run["step"] == 0:
            measure_dev_loss()
        if (out / BRANCH).is_file() and "branched" not in run:
            run["branched"] = {"tokens": run["tokens"], "seconds": run["seconds"]}
        while (progress := progress_of(run, settings, minutes)) < 1:
            stage = stage_at(run, settings)
            batch = batches.next(stage, run["batches_of_stage"][stage])
            set_rates(optimizers, rate_share(run, progress, settings))
            count_step(run, stage, batch[0].numel(), train_step(model, optimizers, batch, device))
            now = time.time()
            run["seconds"] = seconds_before + now - started
            if run["step"] % 20 == 0 or run["step"] == 1:
                speed = (run["tokens"] - printed_tokens) / (now - printed_at)
                printed_tokens, printed_at = run["tokens"], now
                run["losses"].append((run["tokens"], run["loss"]))
                print(progress_line(run, stage, speed, progress, settings, minutes), flush=True)
            if now - dev_at > 60 * settings.dev_minutes:
                measure_dev_loss()
                dev_at = time.time()
            if now - saved_at > 60 * settings.checkpoint_minutes:
                save()
                saved_at = time.time()
            if stop_after_steps and run["step"] >= stop_after_steps:
                save()
                return
        measure_dev_loss()
        save()
        print(
            f"finished: {run['tokens']:,} tokens in {run['seconds'] / 60:.1f} minutes, training loss {run['loss']:.4f}",
            flush=True,
        )
    finally:
        batches.close()


def new_model(settings: Settings, out: Path, device: str, weights: dict | None) -> Model:
    """Makes the model with the given weights, or with new ones drawn from the seed."""
    if device == "cpu":
        torch.set_num_threads(CPU_THREADS)
        keep_freed_memory()
    torch.manual_seed(settings.seed)
    model = Model(settings).to(device)
    embed_alike(model.token_embd.weight, Tokenizer.load(out / "tokenizer.json").tokens)
    if weights:
        model.load_state_dict(weights)
    if device == "cuda":
        model.compile_blocks()
    return model


def new_run(settings: Settings) -> dict:
    """Returns the counters and losses of a run that has not started; each checkpoint stores them."""
    stages = len(settings.stages)
    return {
        "step": 0,
        "tokens": 0,
        "seconds": 0.0,
        "batches_of_stage": [0] * stages,
        "loss": None,
        "loss_of_stage": [None] * stages,
        "losses": [],
        "dev_losses": [],
        "handwritten_dev_losses": [],
    }


def restore(stored: dict, settings: Settings, model: Model, optimizers: list) -> dict:
    """Loads a checkpoint, but keeps the top learning rates of the settings. Returns the run's counters.

    Refuses settings that would lead the run through other stages or texts.
    """
    changed = [name for name in COURSE if stored["settings"][name] != asdict(settings)[name]]
    if changed:
        raise SystemExit(
            f"The checkpoint was trained with another '{changed[0]}'. Restore that setting, or choose another --out."
        )
    model.load_state_dict(stored["model"])
    for optimizer, state in zip(optimizers, stored["optimizers"]):
        rates = [group["top_rate"] for group in optimizer.param_groups]
        optimizer.load_state_dict(state)
        for group, rate in zip(optimizer.param_groups, rates):
            group["top_rate"] = rate
    print(f"continuing after step {stored['run']['step']}", flush=True)
    return stored["run"]


def set_rates(optimizers: list, share: float) -> None:
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group["top_rate"] * share


def train_step(model: Model, optimizers: list, batch: tuple, device: str) -> float:
    """Trains on one batch and returns its loss."""
    ids, targets, shares = (part.to(device) for part in batch)
    model.train()
    with torch.autocast(device, dtype=torch.bfloat16):
        loss = model(ids, targets, shares)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return loss.item()


def count_step(run: dict, stage: int, tokens: int, loss: float) -> None:
    """Adds a step to the run's counters and to its smoothed losses."""
    run["step"] += 1
    run["tokens"] += tokens
    run["batches_of_stage"][stage] += 1
    run["loss"] = smoothed(run["loss"], loss)
    run["loss_of_stage"][stage] = smoothed(run["loss_of_stage"][stage], loss)


def smoothed(before: float | None, loss: float) -> float:
    return loss if before is None else 0.96 * before + 0.04 * loss


def keep_freed_memory() -> None:
    """Keeps freed memory in the process. Otherwise glibc maps each tensor anew, and page faults take half the time."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(M_MMAP_MAX, 0)
        libc.mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


@torch.no_grad()
def embed_alike(embedding, tokens: list[str]) -> None:
    """Gives tokens similar initial embeddings if they differ only in case or in the space before them.

    A word that is copied from the middle of a sentence to the start of a reply is then learned once, not twice.
    """
    shared: dict[str, torch.Tensor] = {}
    space, capital = torch.randn_like(embedding[:2]) * embedding.std()
    for i, token in enumerate(tokens):
        bare = token.removeprefix(SPACE)
        if bare.isalpha():
            own = embedding[i].clone()
            embedding[i] = (
                shared.setdefault(bare.lower(), own)
                + 0.3 * own
                + space * token.startswith(SPACE)
                + capital * bare[0].isupper()
            )


# --- the course of a run ----------------------------------------------------------------------------------------


def branch_off(source: Path, out: Path) -> None:
    """Copies the newest checkpoint of `source` to `out` with its prepared files, unless `out` has a checkpoint."""
    if not (source / "checkpoint.pt").is_file():
        raise SystemExit(f"There is no checkpoint in {source} to continue from.")
    out.mkdir(parents=True, exist_ok=True)
    if (out / "checkpoint.pt").is_file():
        return
    for path in [*source.glob("*.npy"), source / "tokenizer.json"]:
        if not (out / path.name).exists():
            os.link(path, out / path.name)
    if (source / PREPARED).is_file():
        shutil.copyfile(source / PREPARED, out / PREPARED)
    (out / BRANCH).write_text(str(source))
    shutil.copyfile(source / "checkpoint.pt", out / "copied.tmp")
    os.replace(out / "copied.tmp", out / "checkpoint.pt")


def progress_of(run: dict, settings: Settings, minutes: float | None) -> float:
    """Returns the finished share of the run, from 0 to 1, by minutes if they are given, otherwise by tokens.

    A branch counts from its first step.
    """
    begun = run.get("branched", {"tokens": 0, "seconds": 0.0})
    if minutes:
        return (run["seconds"] - begun["seconds"]) / (60 * minutes)
    return (run["tokens"] - begun["tokens"]) / max(1, settings.train_tokens - begun["tokens"])


def stage_at(run: dict, settings: Settings) -> int:
    """Returns the next stage: first those with `tokens`, in order, then the one furthest behind its share."""
    stages = settings.stages
    seen = [
        count * windows_per_batch(settings, stage) * stage["context"]
        for count, stage in zip(run["batches_of_stage"], stages)
    ]
    for index, stage in enumerate(stages):
        if seen[index] < stage.get("tokens", 0):
            return index
    shared = [index for index, stage in enumerate(stages) if "share" in stage]
    if not shared:
        return len(stages) - 1
    all_shares, all_seen = sum(stages[i]["share"] for i in shared), sum(seen[i] for i in shared)
    return max(shared, key=lambda i: stages[i]["share"] / all_shares * (all_seen + settings.batch_tokens) - seen[i])


def rate_share(run: dict, progress: float, settings: Settings) -> float:
    warm = min(1.0, (run["step"] + 1) / settings.warmup_steps)
    decay_from = 0.0 if "branched" in run else settings.decay_from
    return warm * min(1.0, max(0.0, 1 - progress) / (1 - decay_from))


def progress_line(
    run: dict, stage: int, speed: float, progress: float, settings: Settings, minutes: float | None
) -> str:
    left = minutes * (1 - progress) if minutes else (settings.train_tokens - run["tokens"]) / max(speed, 1) / 60
    return (
        f"step {run['step']:5d}  {settings.stages[stage]['mix']:8s}  {run['tokens'] / 1e6:6.2f}M tokens  "
        f"loss {run['loss_of_stage'][stage]:.3f}  {speed:,.0f} tokens/s  {100 * progress:.1f} %  {left:.0f} min left"
    )


@torch.no_grad()
def dev_loss(model: Model, batches: Batches, device: str, mix: str = "dev") -> float:
    """Returns the mean loss per assistant token on the public or the hand-written dev conversations."""
    model.eval()
    total, count = 0.0, 0
    windows = batches.windows(mix, DEV_CONTEXT, "assistant", (0,))
    for start in range(0, len(windows[0]), 8):
        ids, targets, shares = to_batch(windows, slice(start, start + 8))
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = model(ids.to(device), targets.to(device), shares.to(device)).item()
        weight = float(shares.sum())
        total, count = total + loss * weight, count + weight
    return total / count


# --- checkpoints ------------------------------------------------------------------------------------------------


def tokenizer_fingerprint(out: Path) -> str:
    path = out / "tokenizer.json"
    if not path.is_file():
        raise SystemExit(f"There is no prepared data in {out}; run prepare.py first.")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_start(out: Path, has_weights: bool) -> None:
    """Refuses a run that build.py prepared to begin with an exported file, if the file's weights are missing."""
    try:
        prepared = json.loads((out / PREPARED).read_text())
    except (OSError, ValueError):
        return
    if not has_weights and "from" in prepared.get("settings", {}):
        raise SystemExit(f"The run in {out} begins with an exported file. Run build.py with the same --from instead.")


def load_checkpoint(path: Path, config_name: str, settings: Settings, fingerprint: str) -> dict:
    if not path.is_file():
        raise SystemExit(f"There is no checkpoint at {path}; run train.py first.")
    try:
        stored = torch.load(path, map_location="cpu")
    except Exception as error:  # torch raises many types for a damaged file
        raise SystemExit(f"{path} is not a readable checkpoint ({type(error).__name__}).") from None
    if stored["config"] != config_name or stored["architecture"] != architecture(settings):
        raise SystemExit(
            f"{path} belongs to another configuration, '{stored['config']}'. Choose another --out for '{config_name}'."
        )
    if stored["tokenizer"] != fingerprint:
        raise SystemExit(
            f"{path} was trained with another tokenizer than {path.parent.name}/tokenizer.json. Choose another --out."
        )
    return stored


def save_checkpoint(path: Path, content: dict) -> None:
    unfinished = path.with_suffix(".tmp")
    with open(unfinished, "wb") as file:
        torch.save(content, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)


if __name__ == "__main__":
    main()
