"""Data folder -> checked GGUF, in one command that can be killed and started again at any moment.

    python3 build.py mini --data DATA                      # all of it into out/, then svc-o1-mini.gguf beside this file
    python3 build.py mini --data DATA --out out --to FILE

Runs prepare.py (once per data folder and settings), train.py (from its last checkpoint) and export_gguf.py, which replaces the GGUF only
by a file that passed its checks.
"""
import argparse
import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from train import train   # first: it sets how torch's threads wait before torch loads
from export_gguf import export
from prepare import prepare
from settings import Settings, load_settings
from sources import check_data_folder

HERE = Path(__file__).parent


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("config", nargs="?", default="mini")
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=HERE / "out")
    arguments.add_argument("--to", type=Path)
    arguments.add_argument("--minutes", type=float, help="minutes of training, of all its parts together, instead of the configuration's train_tokens")
    given = arguments.parse_args()
    settings = load_settings(given.config)
    check_data_folder(given.data)
    stamp = given.out / "prepared.json"
    wanted = what_preparing_depends_on(settings, given.data)
    if is_prepared(given.out, stamp, wanted):
        print(f"{given.out} is prepared already.", flush=True)
    elif (given.out / "checkpoint.pt").exists():
        raise SystemExit(f"{given.out} holds a checkpoint trained on other prepared files or settings; choose another --out.")
    else:
        prepare(settings, given.data, given.out)
        stamp.write_text(json.dumps({**wanted, "files": digests(given.out)}))
    train(given.config, given.out, minutes=given.minutes)
    target = given.to or HERE / f"{settings.name}.gguf"
    export(given.config, given.out, target)


def is_prepared(out: Path, stamp: Path, wanted: dict) -> bool:
    """Whether the files in `out` are those of the stamp. For a run that is under way they are what counts, and neither the programs
    that made them nor the data folder; before its first checkpoint, a changed data folder is prepared anew."""
    try:
        stored = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return False
    under_way = (out / "checkpoint.pt").exists()
    return stored.get("settings") == wanted["settings"] and (under_way or stored.get("data") == wanted["data"]) and stored.get("files") == digests(out)


def digests(out: Path) -> dict:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in [*sorted(out.glob("*.npy")), out / "tokenizer.json"] if path.is_file()}


def what_preparing_depends_on(settings: Settings, data: Path) -> dict:
    patterns = ("train/*.jsonl.zst", "dev/*.jsonl.zst", "handwritten/*.train.jsonl")
    files = {str(path.relative_to(data)): path.stat().st_size for pattern in patterns for path in sorted(data.glob(pattern))}
    names = ("seed", "vocab_size", "generated_conversations", "drills", "random_texts", "sessions", "basics", "handwritten", "matches", "prose_characters", "source_scale")
    return {"settings": {name: asdict(settings)[name] for name in names}, "data": files}


if __name__ == "__main__":
    main()
