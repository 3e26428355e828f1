"""Data folder -> cleaned conversations and prose -> tokenizer -> token files.

    python3 prepare.py mini --data DATA --out out        # about two minutes on two cores

DATA holds MANIFEST.json, train/*.jsonl.zst and dev/*.jsonl.zst; each line is {source, task, messages | text}.
OUT receives tokenizer.json, sources.md (the table for the model card) and, for each mix,
<mix>.tokens.npy, <mix>.answer.npy (1 where the assistant speaks) and <mix>.starts.npy (where each text begins).
"""
import argparse
import collections
import fnmatch
import json
import os
import random
import re
import subprocess
from pathlib import Path

import numpy as np

from generate import extraction_from_page, generate_conversations
from settings import Settings, load_settings
from tokenizer import CONTROL_TOKENS, END_OF_TEXT, Tokenizer, split_words, train_tokenizer

# source pattern -> most conversations used. Trivia, WordNet and small talk would otherwise drown the rest.
CHAT_ROWS = {
    "personality_chat": 9000, "chatterbot": 900, "oasst100": 282, "sgd": 1200, "qmsum": 60, "scitldr": 700,
    "sentence_polarity": 5000, "snips": 2500, "clinc150": 5000, "banking77": 3500, "hwu64": 3000, "goemotions": 3500,
    "opentrivia": 5000, "wordnet": 4000, "factbook": 2500, "openstax_*": 450, "wikisplit": 2500, "e2e_nlg": 2500,
}
RUDE = re.compile(r"\b(?:fuck\w*|shit\w*|bitch\w*|cunt\w*|nigg\w*|fag\w*|whore\w*|dick|cock|porn\w*|rape[ds]?|slut\w*|retard\w*|asshole\w*)\b", re.I)
PROSE_SOURCES = ["african_storybook", "pratham_books", "onestop", "factbook", "se_*", "openstax_*"]
CHARACTERS_PER_PROSE_SOURCE = 420_000
NOT_PROSE = ("openstax_microbiology", "openstax_writing-guide", "openstax_chemistry-bundle")   # formulas and markup
DEV_ROWS = 40
LONGEST_CONVERSATION = 6000   # characters
FOREIGN_IDENTITY = re.compile(r"vicuna|lmsys|chatgpt|openai|open assistant|openassistant|laion|\bALICE\b|chatterbot|gunther|robot|artificial", re.I)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("config", nargs="?", default="mini")
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent / "out")
    given = arguments.parse_args()
    settings = load_settings(given.config)
    if not ((given.data / "train").is_dir() and (given.data / "dev").is_dir() and (given.data / "MANIFEST.json").is_file()):
        raise SystemExit(f"There is no data folder with train/, dev/ and MANIFEST.json at {given.data}.")
    prepare(settings, given.data, given.out)


def prepare(settings: Settings, data: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(settings.seed)
    chats, prose, used = read_sources(settings, data, rng)
    generated = generate_conversations(settings.generated_conversations, settings.seed)
    generated += page_questions(prose, rng, 800, longest=1200)
    long_generated = page_questions(prose, rng, 900, longest=12_000)
    dev = read_dev(data)
    if not chats or not dev:
        raise SystemExit(f"The data folder {data} holds no conversation of a source that prepare.py knows.")
    print(f"{len(chats):,} conversations, {len(generated):,} generated, {len(prose):,} prose texts from {len(used)} sources")

    counts = collections.Counter()
    for text in [m["content"] for chat in chats + generated for m in chat] + prose:
        counts.update(split_words(text))
    tokenizer = train_tokenizer({word: count for word, count in sorted(counts.items()) if count > 1}, settings.vocab_size)
    tokenizer.save(out / "tokenizer.json")

    chat_texts = [tokenizer.encode_chat(chat) for chat in chats + generated]
    prose_texts = [(ids, [False] * len(ids)) for ids in map(tokenizer.encode, prose)]
    save_mix(out, "language", chat_texts + prose_texts)
    save_mix(out, "chat", chat_texts)
    save_mix(out, "long", rng.sample(chat_texts, len(chat_texts) // 4) + [tokenizer.encode_chat(chat) for chat in long_generated])
    save_mix(out, "dev", [tokenizer.encode_chat(chat) for chat in dev])
    (out / "sources.md").write_text(source_table(data, used))


def read_sources(settings: Settings, data: Path, rng: random.Random):
    """Conversations, prose, and how many rows each source gave."""
    chats, prose, used = [], [], collections.Counter()
    prose_budget = settings.prose_characters
    for path in sorted((data / "train").glob("*.jsonl.zst"), key=lambda p: (p.name.startswith("openstax"), p.name)):
        name = path.name.removesuffix(".jsonl.zst")
        cap = next((rows for pattern, rows in CHAT_ROWS.items() if fnmatch.fnmatch(name, pattern)), 0)
        is_prose = any(fnmatch.fnmatch(name, pattern) for pattern in PROSE_SOURCES) and name not in NOT_PROSE
        if not cap and not is_prose:
            continue
        rows = list(read_rows(path))
        rng.shuffle(rows)
        kept = [chat for chat in (clean_chat(row, rng) for row in rows if "messages" in row) if chat][:int(cap * settings.source_scale)]
        chats += join_short_chats(kept, rng) if name == "personality_chat" else kept
        used[name] += len(kept)
        characters = min(CHARACTERS_PER_PROSE_SOURCE, prose_budget)
        for row in rows if is_prose else []:
            if row["task"] in ("text", "story") and characters > 0:
                text = clean_text(row["text"])[:characters]
                characters -= len(text)
                prose_budget -= len(text)
                prose.append(text)
                used[name] += 1
                if row["task"] == "story":
                    chats.append(story_request(row, text, rng))
        if name == "sgd":
            summed_up = [dialogue_summary(row, rng) for row in rows[-int(1200 * settings.source_scale):] if row["meta"]["slots"]]
            chats += summed_up
            used[name] += len(summed_up)
    return chats, prose, +used


def read_dev(data: Path) -> list[list[dict]]:
    rng = random.Random(0)
    chats = []
    for path in sorted((data / "dev").glob("*.jsonl.zst")):
        name = path.name.removesuffix(".jsonl.zst")
        if any(fnmatch.fnmatch(name, pattern) for pattern in CHAT_ROWS):
            rows = [row for row in read_rows(path) if "messages" in row]
            chats += [c for c in (clean_chat(row, rng) for row in rng.sample(rows, min(DEV_ROWS, len(rows)))) if c]
    return chats


def read_rows(path: Path):
    try:
        unpacked = subprocess.run(["zstd", "-dcq", str(path)], capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise SystemExit("The program zstd is missing; install it to read the data folder.") from None
    except subprocess.CalledProcessError:
        raise SystemExit(f"{path} is not a readable .zst file.") from None
    for line in unpacked.decode().split("\n"):
        if line:
            yield json.loads(line)


# --- cleaning ---------------------------------------------------------------------------------------------------

PLAIN_CHARACTERS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " ", "\u00ad": None, "\r": " ", "\u2028": "\n", "\ufeff": None, "…": "..."})


def clean_text(text: str) -> str:
    text = text.translate(PLAIN_CHARACTERS)
    for token in CONTROL_TOKENS:
        text = text.replace(token, "")
    text = re.sub(r"[ \t]+", " ", text)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r" ?\n ?", "\n", text)).strip()


def clean_chat(row: dict, rng: random.Random):
    """The conversation as it is trained on, or None when it is not wanted."""
    chat = [{"role": m["role"], "content": clean_text(m["content"])} for m in row["messages"]]
    if row["source"] == "personality_chat":
        neutral = row["meta"]["persona"] in ("professional", "friendly")
        if neutral or rng.random() < 0.3:
            chat = chat[1:] if neutral else chat
        else:
            return None
    if row["source"] in ("chatterbot", "oasst100") and FOREIGN_IDENTITY.search(" ".join(m["content"] for m in chat)):
        return None
    if any(RUDE.search(m["content"]) for m in chat):
        return None
    while chat and chat[-1]["role"] != "assistant":
        chat.pop()
    if not chat or not all(m["content"] for m in chat) or sum(len(m["content"]) for m in chat) > LONGEST_CONVERSATION:
        return None
    label = row.get("meta", {}).get("label")
    if label and rng.random() < 0.5:
        chat = other_wording(row["meta"], chat, rng)
    return chat


def other_wording(meta: dict, chat: list[dict], rng: random.Random) -> list[dict]:
    """The same classification, asked in other words, so that the model reads the question and not its form."""
    text = clean_text(meta["text"]) if "text" in meta else chat[0]["content"].split("\n\n", 1)[-1]
    options = rng.sample(meta["options"], len(meta["options"]))
    labels = ", ".join(options)
    forms = ["Classify this text as one of: {labels}.\n\n{text}", "{text}\n\nWhich label fits: {labels}?", "Labels: {labels}\nText: {text}\nLabel:",
             "Choose the best label for the message.\nMessage: {text}\nLabels: {labels}", 'Pick one of {labels}: "{text}"']
    if rng.random() < 0.2:
        asked = [{"role": "system", "content": f"Answer with one of these labels only: {labels}."}, {"role": "user", "content": text}]
    else:
        asked = [{"role": "user", "content": rng.choice(forms).format(labels=labels, text=text)}]
    return [*asked, {"role": "assistant", "content": meta["label"]}]


def join_short_chats(chats: list[list[dict]], rng: random.Random) -> list[list[dict]]:
    """Makes some single exchanges without a system message into conversations of two to four exchanges."""
    joined, i = [], 0
    while i < len(chats):
        count = rng.choice([1, 1, 2, 3, 4])
        group = chats[i:i + count]
        if all(chat[0]["role"] == "user" for chat in group):
            joined.append([message for chat in group for message in chat])
            i += count
        else:
            joined.append(chats[i])
            i += 1
    return joined


def story_request(row: dict, text: str, rng: random.Random) -> list[dict]:
    title = clean_text(row.get("meta", {}).get("title", ""))
    asked = rng.choice(["Write a story called '{}'.", "Tell me the story '{}'."]).format(title) if title else rng.choice(["Tell me a story.", "Write a short story."])
    paragraphs = text.split("\n\n")
    told = paragraphs[0]
    for paragraph in paragraphs[1:]:
        if len(told) + len(paragraph) > 900:
            break
        told += "\n\n" + paragraph
    return [{"role": "user", "content": asked}, {"role": "assistant", "content": told[:1200]}]


def page_questions(prose: list[str], rng: random.Random, count: int, longest: int) -> list[list[dict]]:
    """Questions on one sentence hidden in a page of prose; they teach to look far back."""
    pages = []
    while prose and len(pages) < count:
        text, size = rng.choice(prose), rng.randint(300, longest)
        start = rng.randrange(max(1, len(text) - size))
        pages.append(extraction_from_page(rng, text[start:start + size]))
    return pages


def dialogue_summary(row: dict, rng: random.Random) -> list[dict]:
    """Schema-Guided Dialogue names what was agreed; said in a sentence, that is a summary of the dialogue."""
    names = {"user": "User", "assistant": "Assistant"}
    spoken = "\n".join(f"{names[m['role']]}: {clean_text(m['content'])}" for m in row["messages"])[:2500]
    slots = [f"{key.replace('_', ' ')}: {value}" for key, value in list(row["meta"]["slots"].items())[:5]]
    ask = rng.choice(["Summarise this conversation.", "Summarize the dialogue in one sentence.", "What was this conversation about?"])
    told = f"The user asks for help with {row['meta']['services'].lower()} ({clean_text(', '.join(slots))})."
    return [{"role": "user", "content": rng.choice([f"{ask}\n\n{spoken}", f"{spoken}\n\n{ask}"])}, {"role": "assistant", "content": told}]


# --- files ------------------------------------------------------------------------------------------------------

def save_mix(out: Path, mix: str, texts: list[tuple[list[int], list[bool]]]) -> None:
    """Every text ends with <|endoftext|>, which parts it from its neighbour in a training window."""
    lengths = [len(ids) + 1 for ids, _ in texts]
    tokens = np.fromiter((i for ids, _ in texts for i in (*ids, END_OF_TEXT)), np.uint16, sum(lengths))
    answer = np.fromiter((a for _, is_answer in texts for a in (*is_answer, False)), np.uint8, sum(lengths))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    for part, array in (("tokens", tokens), ("answer", answer), ("starts", starts)):
        unfinished = out / f"{mix}.{part}.tmp.npy"
        np.save(unfinished, array)
        os.replace(unfinished, out / f"{mix}.{part}.npy")
    print(f"{mix}: {len(texts):,} texts, {len(tokens):,} tokens, {answer.sum():,} of them the assistant's")


def source_table(data: Path, used: dict[str, int]) -> str:
    manifest = {entry["name"]: entry for entry in json.loads((data / "MANIFEST.json").read_text())}
    lines = ["| Source | Rows used | Licence | Repository at commit |", "|---|---|---|---|"]
    for name in sorted(used):
        entry = manifest.get(name)
        if not entry:
            raise SystemExit(f"MANIFEST.json says nothing about the source '{name}', so its licence is unknown.")
        lines.append(f"| {name} | {used[name]:,} | {entry['licence']} | {entry['repo']} `{entry['commit'][:12]}` |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
