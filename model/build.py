"""Builds a checked GGUF from the data folder; a killed build continues when it is started again.

    python3 build.py --data DATA                           # mini, then polish: svc-o1-mini.gguf beside this file
    python3 build.py mini --data DATA --out out --to FILE
    python3 build.py polish --data DATA --out polish --from svc-o1-mini.gguf --to FILE

Runs prepare.py (once per data folder and settings), train.py (from its last checkpoint) and export_gguf.py, which
replaces the GGUF only with a file that passed its checks. With `--from`, a run begins with the weights of an exported
file and keeps its tokenizer. Of several configurations, each begins with the file of the one before.
"""

import argparse
import hashlib
import json
from dataclasses import asdict
from pathlib import Path

# train.py must be imported first: before torch loads, it sets how torch's threads wait.
from train import PREPARED, train

# isort: split
from export_gguf import export
from generate.handwritten.read import OWN_RECORDS
from prepare import prepare
from settings import Settings, architecture, load_settings
from texts.sources import check_data_folder
from tokenizer import Tokenizer
from verify import read_exported

HERE = Path(__file__).parent


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("configs", nargs="*", metavar="config", default=["mini", "polish"])
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=HERE / "out")
    arguments.add_argument("--to", type=Path)
    arguments.add_argument("--from", type=Path, dest="start", metavar="FILE", help="an exported file to train on")
    arguments.add_argument(
        "--minutes",
        type=float,
        help="minutes of training in total, instead of train_tokens, which then say how they are divided",
    )
    given = arguments.parse_args()
    check_data_folder(given.data)
    all_settings = [load_settings(config) for config in given.configs]
    all_tokens = sum(settings.train_tokens for settings in all_settings)
    start = given.start
    for number, (config, settings) in enumerate(zip(given.configs, all_settings), 1):
        out = given.out if len(given.configs) == 1 else given.out / f"{number}-{config}"
        is_last = number == len(given.configs)
        target = (given.to or HERE / f"{settings.name}.gguf") if is_last else out / "exported.gguf"
        minutes = given.minutes and given.minutes * settings.train_tokens / all_tokens
        build(config, given.data, out, target, start, minutes)
        start = target


def build(config: str, data: Path, out: Path, target: Path, start: Path | None, minutes: float | None) -> None:
    """Prepares, trains and exports one configuration."""
    settings = load_settings(config)
    weights, tokenizer = starting_point(start, settings) if start else (None, None)
    stamp = out / PREPARED
    wanted = preparation_inputs(settings, data, start)
    if is_prepared(out, stamp, wanted):
        print(f"{out} is already prepared.", flush=True)
    elif (out / "checkpoint.pt").exists():
        raise SystemExit(f"{out} holds a checkpoint of other data, prepared files or settings; choose another --out.")
    else:
        prepare(settings, data, out, tokenizer=tokenizer)
        stamp.write_text(json.dumps({**wanted, "files": digests(out)}))
    train(config, out, minutes=minutes, weights=weights, data=data)
    export(config, out, target, weights)


def starting_point(path: Path, settings: Settings) -> tuple[dict, Tokenizer]:
    """Returns the weights and the tokenizer of an exported file. Removes the export's `logit_scale` from the weights.

    The configuration must have the file's architecture, and the `logit_scale` with which the file was exported.
    """
    if not path.is_file():
        raise SystemExit(f"There is no file {path}.")
    exported, weights, tokenizer = read_exported(path)
    if architecture(exported) != architecture(settings):
        raise SystemExit(f"{path} has another architecture than the configuration. Choose its own configuration.")
    weights["output_norm.weight"] = weights["output_norm.weight"] / settings.logit_scale
    return weights, tokenizer


def is_prepared(out: Path, stamp: Path, wanted: dict) -> bool:
    """Returns whether `out` contains the files listed in its stamp, prepared with the wanted settings and data.

    Once a checkpoint exists, a changed data folder is ignored, unless the run draws its texts from it.
    """
    try:
        stored = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return False
    has_all_texts = (out / "checkpoint.pt").exists() and not wanted["settings"]["fresh_workers"]
    return (
        stored.get("settings") == wanted["settings"]
        and (has_all_texts or stored.get("data") == wanted["data"])
        and stored.get("files") == digests(out)
    )


def digests(out: Path) -> dict:
    paths = [*sorted(out.glob("*.npy")), out / "tokenizer.json"]
    return {path.name: digest(path) for path in paths if path.is_file()}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def preparation_inputs(settings: Settings, data: Path, start: Path | None) -> dict:
    patterns = ("train/*.jsonl.zst", "dev/*.jsonl.zst", "handwritten/*.jsonl")
    files = {str(path.relative_to(data)): digest(path) for pattern in patterns for path in sorted(data.glob(pattern))}
    names = (
        "seed",
        "vocab_size",
        "generated_conversations",
        "drills",
        "long_drills",
        "random_texts",
        "sessions",
        "basics",
        "handwritten",
        "matches",
        "prose_characters",
        "prose_per_source",
        "fresh_workers",
        "source_scale",
    )
    files |= {f"own {path.name}": digest(path) for path in sorted(OWN_RECORDS.glob("*.jsonl"))}
    wanted = {name: asdict(settings)[name] for name in names}
    if start:
        wanted["from"] = digest(start)
    return {"settings": wanted, "data": files}


if __name__ == "__main__":
    main()
