"""Data folder -> checked GGUF, in one command that can be killed and started again at any moment.

    python3 build.py mini --data DATA                      # all of it into out/, then svc-o1-mini.gguf beside this file
    python3 build.py mini --data DATA --out out --to FILE

Runs prepare.py (once per data folder and settings), train.py (from its last checkpoint; twice where the configuration names
another one as its polish) and export_gguf.py, which replaces the GGUF only by a file that passed its checks.
"""
import argparse
import hashlib
import json
import os
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
    given = arguments.parse_args()
    settings = load_settings(given.config)
    check_data_folder(given.data)
    stamp = given.out / "prepared.json"
    wanted = what_preparing_depends_on(settings, given.data)
    if stamp.is_file() and stamp.read_text() == wanted:
        print(f"{given.out} is prepared already.", flush=True)
    elif (given.out / "checkpoint.pt").exists():
        raise SystemExit(f"{given.out} holds a checkpoint trained on other data, generators or settings; choose another --out.")
    else:
        prepare(settings, given.data, given.out)
        stamp.write_text(wanted)
    train(given.config, given.out)
    target = given.to or HERE / f"{settings.name}.gguf"
    if settings.polish:
        polished = polish(settings, given.out)
        export(settings.polish, polished, target, away_from=given.out / "checkpoint.pt", share=settings.polish_share)
    else:
        export(given.config, given.out, target)


def polish(settings: Settings, out: Path) -> Path:
    """A second run on the same mixes, in a folder of its own."""
    folder = out / "polish"
    folder.mkdir(exist_ok=True)
    for file in [*out.glob("*.npy"), out / "tokenizer.json"]:
        if not (folder / file.name).exists():
            os.link(file, folder / file.name)
    train(settings.polish, folder, begin_with=out / "checkpoint.pt")
    return folder


def what_preparing_depends_on(settings: Settings, data: Path) -> str:
    code = hashlib.sha256()
    for path in sorted([*HERE.glob("generate/**/*.py"), *HERE.glob("generate/**/*.toml"), *(HERE / name for name in ("prepare.py", "sources.py", "tokenizer.py"))]):
        code.update(path.read_bytes())
    files = {path.name: path.stat().st_size for folder in ("train", "dev") for path in sorted((data / folder).glob("*.jsonl.zst"))}
    names = ("seed", "vocab_size", "generated_conversations", "drills", "random_texts", "sessions", "basics", "prose_characters", "source_scale")
    return json.dumps({"code": code.hexdigest(), "settings": {name: asdict(settings)[name] for name in names}, "data": files})


if __name__ == "__main__":
    main()
