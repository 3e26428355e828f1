"""Trains the model on prepared token files; killed at any moment, it continues from its last checkpoint.

    python3 train.py mini --out out
    nohup nice -n 19 python3 train.py mini --out out > out/train.log 2>&1 &     # for hours, beside other work
    python3 train.py mini --out branch --decay-from out --minutes 40            # a finished model from a run that is under way

The run passes through the stages of config/<name>.json. Rates warm up, hold, then fall linearly to nothing after
`train_tokens`, or after `--minutes`. `--decay-from` takes the newest checkpoint of another folder, which it leaves as it is, and lowers the rates from
their top to nothing within `--minutes`. A killed and continued run gives the same weights as an undisturbed one, unless it is timed. The loss curve is drawn to
OUT/loss.png at every look at the dev loss (with matplotlib; `python3 plot.py` draws it later).
"""
import argparse
import ctypes
import hashlib
import os
import shutil
import time
from dataclasses import asdict
from pathlib import Path

# Must be set before torch loads. A short spin saves a wake-up in every product; a long one burns half of the time when other work takes the second core.
os.environ.setdefault("OMP_WAIT_POLICY", "ACTIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "2000")

import torch

from batches import Batches, to_batch
from model import Model
from plot import draw_curve
from settings import Settings, architecture, load_settings
from tokenizer import SPACE, Tokenizer

CPU_THREADS = 2
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4   # of glibc's mallopt
DEV_CONTEXT = 512
BRANCH = "branch-of.txt"   # in the folder of a run that only decays another one's checkpoint


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("config", nargs="?", default="mini")
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out")
    arguments.add_argument("--stop-after-steps", type=int, help="leave early, as if killed right after a checkpoint")
    arguments.add_argument("--minutes", type=float, help="minutes of training, of all its parts together, instead of train_tokens")
    arguments.add_argument("--decay-from", type=Path, metavar="OUT", help="the folder of a run that is under way; needs --minutes")
    given = arguments.parse_args()
    if given.decay_from:
        if not given.minutes:
            raise SystemExit("--decay-from needs --minutes.")
        branch_off(given.decay_from, given.out)
    train(given.config, given.out, given.stop_after_steps, minutes=given.minutes)


def train(config_name: str, out: Path, stop_after_steps: int | None = None, minutes: float | None = None) -> None:
    settings = load_settings(config_name)
    fingerprint = tokenizer_fingerprint(out)
    checkpoint_path = out / "checkpoint.pt"
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        torch.set_num_threads(CPU_THREADS)
        keep_freed_memory()
    torch.manual_seed(settings.seed)
    model = Model(settings).to(device)
    embed_alike(model.token_embd.weight, Tokenizer.load(out / "tokenizer.json").tokens)
    optimizers = [Muon(model, settings), embedding_optimizer(model, settings)]
    run = {"step": 0, "tokens": 0, "seconds": 0.0, "batches_of_stage": [0] * len(settings.stages), "loss": None, "loss_of_stage": [None] * len(settings.stages), "losses": [], "dev_losses": []}
    if checkpoint_path.is_file():
        stored = load_checkpoint(checkpoint_path, config_name, settings, fingerprint)
        model.load_state_dict(stored["model"])
        for optimizer, state in zip(optimizers, stored["optimizers"]):
            rates = [group["top_rate"] for group in optimizer.param_groups]
            optimizer.load_state_dict(state)
            for group, rate in zip(optimizer.param_groups, rates):
                group["top_rate"] = rate
        run = stored["run"]
        print(f"continuing after step {run['step']}", flush=True)
    print(f"{model.parameter_count():,} parameters, {device}", flush=True)

    batches = Batches(out, settings)
    seconds_before, started = run["seconds"], time.time()
    saved_at = dev_at = printed_at = started
    printed_tokens = run["tokens"]

    def save():
        save_checkpoint(checkpoint_path, {
            "config": config_name, "architecture": architecture(settings), "settings": asdict(settings), "tokenizer": fingerprint,
            "model": model.state_dict(), "optimizers": [o.state_dict() for o in optimizers], "run": run})

    def look_at_dev():
        run["dev_losses"].append((run["tokens"], dev_loss(model, batches, device)))
        print(f"dev loss {run['dev_losses'][-1][1]:.4f}", flush=True)
        draw_curve(run, settings, out / "loss.png")

    if (out / BRANCH).is_file() and "branched" not in run:
        run["branched"] = {"tokens": run["tokens"], "seconds": run["seconds"]}
    while (progress := progress_of(run, settings, minutes)) < 1:
        stage = stage_at(run, settings)
        ids, targets, shares = batches.next(stage, run["batches_of_stage"][stage])
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = group["top_rate"] * rate_share(run, progress, settings)
        model.train()
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = model(ids.to(device), targets.to(device), shares.to(device))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

        run["step"] += 1
        run["tokens"] += ids.numel()
        run["batches_of_stage"][stage] += 1
        run["loss"], own = (value if before is None else 0.96 * before + 0.04 * value for value, before in ((loss.item(), run["loss"]), (loss.item(), run["loss_of_stage"][stage])))
        run["loss_of_stage"][stage] = own
        now = time.time()
        run["seconds"] = seconds_before + now - started
        if run["step"] % 20 == 0 or run["step"] == 1:
            speed = (run["tokens"] - printed_tokens) / (now - printed_at)
            printed_tokens, printed_at = run["tokens"], now
            run["losses"].append((run["tokens"], run["loss"]))
            print(progress_line(run, stage, speed, progress, settings, minutes), flush=True)
        if now - dev_at > 60 * settings.dev_minutes:
            look_at_dev()
            dev_at = time.time()
        if now - saved_at > 60 * settings.checkpoint_minutes:
            save()
            saved_at = time.time()
        if stop_after_steps and run["step"] >= stop_after_steps:
            save()
            return
    look_at_dev()
    save()
    print(f"finished: {run['tokens']:,} tokens in {run['seconds'] / 60:.1f} minutes, training loss {run['loss']:.4f}", flush=True)


def keep_freed_memory() -> None:
    """Without this, glibc maps every large tensor anew and the page faults take half of a step."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(M_MMAP_MAX, 0)
        libc.mallopt(M_TRIM_THRESHOLD, 2**31 - 1)


@torch.no_grad()
def embed_alike(embedding, tokens: list[str]) -> None:
    """Lets tokens that differ only in the space before them or in case begin near each other, so that a word which is copied
    from the middle of a sentence to the beginning of a reply need not be learned twice."""
    shared: dict[str, torch.Tensor] = {}
    space, capital = torch.randn_like(embedding[:2]) * embedding.std()
    for i, token in enumerate(tokens):
        bare = token.removeprefix(SPACE)
        if bare.isalpha():
            own = embedding[i].clone()
            embedding[i] = shared.setdefault(bare.lower(), own) + 0.3 * own + space * token.startswith(SPACE) + capital * bare[0].isupper()


# --- the course of a run ----------------------------------------------------------------------------------------

def branch_off(source: Path, out: Path) -> None:
    """Lets `out` go on from the newest checkpoint of `source`, on the same token files, unless it is under way itself."""
    if not (source / "checkpoint.pt").is_file():
        raise SystemExit(f"There is no checkpoint in {source} to go on from.")
    out.mkdir(parents=True, exist_ok=True)
    if (out / "checkpoint.pt").is_file():
        return
    for path in [*source.glob("*.npy"), source / "tokenizer.json"]:
        if not (out / path.name).exists():
            os.link(path, out / path.name)
    (out / BRANCH).write_text(str(source))
    shutil.copyfile(source / "checkpoint.pt", out / "copied.tmp")
    os.replace(out / "copied.tmp", out / "checkpoint.pt")


def progress_of(run: dict, settings: Settings, minutes: float | None) -> float:
    """How much of the run is done, from 0 to 1: of the branch where it is one, of the minutes where they are given, else of the tokens."""
    begun = run.get("branched", {"tokens": 0, "seconds": 0.0})
    if minutes:
        return (run["seconds"] - begun["seconds"]) / (60 * minutes)
    return (run["tokens"] - begun["tokens"]) / max(1, settings.train_tokens - begun["tokens"])


def stage_at(run: dict, settings: Settings) -> int:
    """First the stages that name their tokens, one after the other; then the one that is furthest behind its share."""
    stages = settings.stages
    seen = [count * (settings.batch_tokens // stage["context"]) * stage["context"] for count, stage in zip(run["batches_of_stage"], stages)]
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


def progress_line(run: dict, stage: int, speed: float, progress: float, settings: Settings, minutes: float | None) -> str:
    left = minutes * (1 - progress) if minutes else (settings.train_tokens - run["tokens"]) / max(speed, 1) / 60
    return (f"step {run['step']:5d}  {settings.stages[stage]['mix']:8s}  {run['tokens'] / 1e6:6.2f}M tokens  loss {run['loss_of_stage'][stage]:.3f}  "
            f"{speed:,.0f} tokens/s  {100 * progress:.1f} %  {left:.0f} min left")


@torch.no_grad()
def dev_loss(model: Model, batches: Batches, device: str) -> float:
    """Mean loss per assistant token on the dev conversations."""
    model.eval()
    total, count = 0.0, 0
    windows = batches.windows("dev", DEV_CONTEXT, "assistant", (0,))
    for start in range(0, len(windows[0]), 8):
        ids, targets, shares = to_batch(windows, slice(start, start + 8))
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = model(ids.to(device), targets.to(device), shares.to(device)).item()
        weight = float(shares.sum())
        total, count = total + loss * weight, count + weight
    return total / count


# --- optimizers -------------------------------------------------------------------------------------------------

class Muon(torch.optim.Optimizer):
    """Momentum whose update is made orthogonal (Newton-Schulz); for the matrices inside the blocks."""

    def __init__(self, model: Model, settings: Settings):
        matrices = [weight for weight in model.blk.parameters() if weight.dim() == 2]
        super().__init__(matrices, dict(lr=settings.muon_rate, top_rate=settings.muon_rate, decay=settings.weight_decay, momentum=0.95))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                momentum = self.state[weight].setdefault("momentum", torch.zeros_like(weight))
                momentum.lerp_(weight.grad, 1 - group["momentum"])
                update = orthogonal(weight.grad.lerp(momentum, group["momentum"]))
                weight.mul_(1 - group["lr"] * group["decay"])
                weight.add_(update, alpha=-group["lr"] * max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5)


def orthogonal(matrix):
    x = matrix.bfloat16()
    x = x / (x.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.t() if tall else x
    for _ in range(5):
        square = x @ x.t()
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return (x.t() if tall else x).to(matrix.dtype)


def embedding_optimizer(model: Model, settings: Settings):
    """AdamW for the embedding and the norms."""
    rest = [model.token_embd.weight, *(weight for weight in model.parameters() if weight.dim() < 2)]
    return torch.optim.AdamW([{"params": rest, "top_rate": settings.adam_rate}], lr=settings.adam_rate, betas=(0.9, 0.95), weight_decay=0.0)


# --- checkpoints ------------------------------------------------------------------------------------------------

def tokenizer_fingerprint(out: Path) -> str:
    path = out / "tokenizer.json"
    if not path.is_file():
        raise SystemExit(f"There is no prepared data in {out}; run prepare.py first.")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def load_checkpoint(path: Path, config_name: str, settings: Settings, fingerprint: str) -> dict:
    if not path.is_file():
        raise SystemExit(f"There is no checkpoint at {path}; run train.py first.")
    try:
        stored = torch.load(path, map_location="cpu")
    except Exception as error:   # torch raises many types for a damaged file
        raise SystemExit(f"{path} is not a readable checkpoint ({type(error).__name__}).") from None
    if stored["config"] != config_name or stored["architecture"] != architecture(settings):
        raise SystemExit(f"{path} belongs to another configuration ('{stored['config']}'), so '{config_name}' leaves it alone; choose another --out.")
    if stored["tokenizer"] != fingerprint:
        raise SystemExit(f"{path} was trained with another tokenizer than the one beside it; choose another --out.")
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
