"""Prepares the training: cleans the data folder's texts, trains the tokenizer, writes the token files.

    python3 prepare.py mini --data DATA --out out        # about three minutes on two cores
    python3 prepare.py mini --data DATA --out out --only language

DATA contains MANIFEST.json, train/*.jsonl.zst and dev/*.jsonl.zst, with {source, task, messages | text, meta} in each
line, and handwritten/*.train.jsonl, the records that generate/handwritten multiplies; *.dev.jsonl only measure the run.
OUT receives tokenizer.json, sources.md (the table for the model card) and, for each mix,
<mix>.tokens.npy, <mix>.answer.npy (1 where the assistant speaks) and <mix>.starts.npy (where each text begins).

With `fresh_workers`, only the tokenizer and the dev mixes are written: texts/fresh.py draws the others during the run.

The mixes for the stages of the training are `language` (prose, public conversations, drills), `copies` and `recalls`
(sequences and pairs of random tokens that recur), `main` (conversations of every kind, with the random tokens) and
`long` (a part of `main`, and texts of about 6,000 characters).
"""

import argparse
import collections
import json
import os
from pathlib import Path

import numpy as np

from generate.draw import Draw
from generate.handwritten import Records, read_records
from generate.handwritten import conversations as handwritten_conversations
from settings import Settings, load_settings
from texts.mixes import (
    SHORT_PAGE,
    Public,
    all_prose,
    drills,
    encoded,
    joined,
    language_chats,
    long_texts,
    main_parts,
    read_public,
    wanted_rows,
)
from texts.random_tokens import Text
from texts.sources import check_data_folder, conversations_of, read_rows
from tokenizer import Tokenizer, split_words, train_tokenizer

DEV_ROWS = 40


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("config", nargs="?", default="mini")
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out")
    arguments.add_argument(
        "--only", choices=["language", "main"], help="prepare only the language mix, or only the mixes after it"
    )
    given = arguments.parse_args()
    settings = load_settings(given.config)
    check_data_folder(given.data)
    prepare(settings, given.data, given.out, given.only)


def prepare(
    settings: Settings, data: Path, out: Path, only: str | None = None, tokenizer: Tokenizer | None = None
) -> None:
    """Writes the files of the mixes, with a given tokenizer or a new one."""
    handwritten = read_records(data)
    public = read_public(settings, data)
    if not public.rows:
        raise SystemExit(f"The data folder {data} has no conversation of a source that prepare.py knows.")
    out.mkdir(parents=True, exist_ok=True)
    if only != "main":
        prepare_language(settings, data, out, public, handwritten, tokenizer)
    if only != "language" and not settings.fresh_workers:
        prepare_main(settings, out, public, handwritten)
    (out / "sources.md").write_text(source_table(data, public))


def prepare_language(
    settings: Settings, data: Path, out: Path, public: Public, handwritten: Records, tokenizer: Tokenizer | None
) -> None:
    draw = Draw(f"{settings.seed}/language")
    chats = language_chats(settings, public, handwritten, draw)
    if tokenizer is None:
        counts = collections.Counter()
        for text in [m["content"] for chat in chats for m in chat] + public.prose:
            counts.update(split_words(text))
        tokenizer = train_tokenizer(
            {word: count for word, count in sorted(counts.items()) if count > 1}, settings.vocab_size
        )
    tokenizer.save(out / "tokenizer.json")
    if not settings.fresh_workers:
        chats += drills(public, draw, settings.drills, SHORT_PAGE)
        save_mix(out, "language", encoded(tokenizer, chats, all_prose(public, handwritten)))
    save_mix(out, "dev", encoded(tokenizer, read_dev(data)))
    save_mix(out, "handwritten_dev", encoded(tokenizer, read_handwritten_dev(settings, data)))


def prepare_main(settings: Settings, out: Path, public: Public, handwritten: Records) -> None:
    tokenizer, draw = Tokenizer.load(out / "tokenizer.json"), Draw(f"{settings.seed}/main")
    parts = main_parts(settings, public, handwritten, tokenizer, draw, settings.seed)
    for name, texts in parts.items():
        print(f"  {name}: {len(texts):,} texts, {sum(len(ids) for ids, _ in texts):,} tokens", flush=True)
    save_mix(out, "copies", parts["copies"])
    save_mix(out, "recalls", parts["recalls"])
    texts = [text for part in parts.values() for text in part]
    save_mix(out, "main", texts)
    save_mix(out, "long", draw.sample(texts, len(texts) // 7) + long_texts(settings, public, tokenizer, draw))


def read_dev(data: Path) -> list[list[dict]]:
    draw, chats = Draw("dev"), []
    for path in sorted((data / "dev").glob("*.jsonl.zst")):
        if wanted_rows(path.name.removesuffix(".jsonl.zst"), 0):
            rows = [row for row in read_rows(path) if "messages" in row]
            for row in draw.sample(rows, min(DEV_ROWS, len(rows))):
                chats += conversations_of(row, draw)
    return chats


def read_handwritten_dev(settings: Settings, data: Path) -> list[list[dict]]:
    """Returns conversations on the hand-written records of the dev part, which are never trained on."""
    draw, records = Draw("handwritten dev"), read_records(data, "dev")
    return [chat for kind in settings.handwritten for chat in handwritten_conversations(records, kind, DEV_ROWS, draw)]


# --- files ------------------------------------------------------------------------------------------------------


def save_mix(out: Path, mix: str, texts: list[Text]) -> None:
    """Writes the token files of a mix."""
    tokens, answer, starts = joined(texts)
    for part, array in (("tokens", tokens), ("answer", answer), ("starts", starts)):
        unfinished = out / f"{mix}.{part}.tmp.npy"
        np.save(unfinished, array)
        os.replace(unfinished, out / f"{mix}.{part}.npy")
    print(f"{mix}: {len(texts):,} texts, {len(tokens):,} tokens, {answer.sum():,} of them the assistant's", flush=True)


def source_table(data: Path, public: Public) -> str:
    manifest = {entry["name"]: entry for entry in json.loads((data / "MANIFEST.json").read_text())}
    lines = ["| Source | Rows there | Licence | Repository at commit |", "|---|---|---|---|"]
    for name in sorted(public.rows.keys() | public.prose_texts.keys()):
        entry = manifest.get(name)
        if not entry:
            raise SystemExit(f"MANIFEST.json says nothing about the source '{name}', so its licence is unknown.")
        rows = len(public.rows.get(name, [])) + public.prose_texts[name]
        lines.append(f"| {name} | {rows:,} | {entry['licence']} | {entry['repo']} `{entry['commit'][:12]}` |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
