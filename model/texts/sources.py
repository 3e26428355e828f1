"""Reads and cleans the data folder's rows, and turns them into the conversations and prose that mixes.py draws from."""

import json
import re
import subprocess
from pathlib import Path

from evaluation.score import rouge_l
from generate.draw import Draw
from generate.handwritten.labels import GENERIC, sentiment, session
from generate.places import place, renamed
from tokenizer import CONTROL_TOKENS

LONGEST_CONVERSATION = 6000  # characters
RUDE = re.compile(
    r"\b(?:fuck\w*|shit\w*|bitch\w*|cunt\w*|nigg\w*|fag\w*|whore\w*|dick|cock|porn\w*|rape[ds]?|slut\w*|retard\w*|"
    r"asshole\w*)\b",
    re.I,
)
OTHER_IDENTITY = re.compile(
    r"vicuna|lmsys|chatgpt|openai|open assistant|openassistant|laion|\bALICE\b|chatterbot|gunther|robot|artificial",
    re.I,
)
# The generators answer these questions consistently. The five personas of personality_chat would contradict them.
OWN_QUESTIONS = re.compile(
    r"\bname\b|who (?:made|created|built|are you)|(?:are|r) (?:you|u) (?:a |an )?(?:robot|human|real|bot|person|"
    r"machine|ai)|how old|your age|what are you\b",
    re.I,
)
PLAIN_CHARACTERS = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "\u00a0": " ",
        "\u00ad": None,
        "\r": " ",
        "\u2028": "\n",
        "\ufeff": None,
        "…": "...",
    }
)


def check_data_folder(data: Path) -> None:
    missing = [name for name in ("train", "dev", "MANIFEST.json") if not (data / name).exists()]
    if missing:
        raise SystemExit(
            f"There is no data folder with train/, dev/ and MANIFEST.json at {data}: {missing[0]} is missing."
        )
    for entry in json.loads((data / "MANIFEST.json").read_text()):
        for half in ("train", "dev"):
            if entry.get(half) and not (data / half / f"{entry['name']}.jsonl.zst").is_file():
                raise SystemExit(
                    f"The data folder {data} is incomplete: MANIFEST.json lists {half}/{entry['name']}.jsonl.zst, "
                    f"which is missing."
                )


def read_rows(path: Path) -> list[dict]:
    try:
        unpacked = subprocess.run(["zstd", "-dcq", str(path)], capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise SystemExit("The program zstd is missing; install it to read the data folder.") from None
    except subprocess.CalledProcessError:
        raise SystemExit(f"{path} is not a readable .zst file.") from None
    return [json.loads(line) for line in unpacked.decode().split("\n") if line]


def clean_text(text: str, plain: bool = True) -> str:
    """Removes control tokens and extra white space. `plain` also replaces curly quotes and similar characters."""
    if plain:
        text = text.translate(PLAIN_CHARACTERS)
    for token in CONTROL_TOKENS:
        text = text.replace(token, "")
    text = re.sub(r"[ \t]+", " ", text)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r" ?\n ?", "\n", text)).strip()


# --- conversations ----------------------------------------------------------------------------------------------


def conversations_of(row: dict, draw: Draw) -> list[list[dict]]:
    """Returns the row's conversations for the training: usually one, none for an unwanted row."""
    if "messages" not in row:
        return []
    plain = draw.chance(0.7)
    chat = [
        {"role": m["role"], "content": clean_text(m["content"], plain or m["role"] == "assistant")}
        for m in row["messages"]
    ]
    source, meta = row["source"], row.get("meta", {})
    if source == "personality_chat":
        if meta["persona"] in ("professional", "friendly"):
            chat = chat[1:]
        elif not draw.chance(0.3):
            return []
        if OWN_QUESTIONS.search(" ".join(m["content"] for m in chat)):
            return []
    if source in ("chatterbot", "oasst100") and OTHER_IDENTITY.search(" ".join(m["content"] for m in chat)):
        return []
    while chat and chat[-1]["role"] != "assistant":
        chat.pop()
    if not chat or not all(m["content"] for m in chat) or sum(len(m["content"]) for m in chat) > LONGEST_CONVERSATION:
        return []
    if any(RUDE.search(m["content"]) for m in chat):
        return []
    if source == "e2e_nlg":
        return [description(chat, meta["mr"], draw)]
    if source == "scitldr":
        return abstract_summary(chat, draw)
    if source == "sgd" and meta.get("slots") and draw.chance(0.5):
        return [dialogue_summary(row, chat, draw)]
    if source == "sentence_polarity" and draw.chance(0.08):
        return [sentiment(draw, labelled(row, draw))]
    if "label" in meta and draw.chance(0.25):
        return [session(draw, draw.pick(GENERIC), fewer(labelled(row, draw), draw), {}, [labelled(row, draw)], [])]
    if "label" in meta and draw.chance(0.6):
        return [other_wording(labelled(row, draw), draw)]
    return [chat]


def description(chat: list[dict], record: str, draw: Draw) -> list[dict]:
    """Returns a place's description: a generated one, or a human one that states all facts, often with new names."""
    told = chat[-1]["content"]
    if draw.chance(0.6) or not says_all_facts(record, told):
        return place(draw)["messages"]
    return renamed(draw, record, told)["messages"] if draw.chance(0.7) else chat


def says_all_facts(record: str, description: str) -> bool:
    """Returns whether a description states every value of an E2E record ("name[Aromi], food[Thai]")."""
    said = description.lower()
    for name, value in re.findall(r"(\w[\w ]*)\[([^\]]*)\]", record):
        if name == "familyFriendly":
            negative = re.search(r"\bn[o']t\b|\bno\b|n't|non|adult|un-?friendly|isn", said) is not None
            if not re.search(r"famil|child|kid", said) or negative != (value == "no"):
                return False
        elif not re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", said):
            return False
    return True


# --- labelled texts ---------------------------------------------------------------------------------------------

CLASSIFY_ASKS = [
    "Classify this text as one of: {}.",
    "Which label fits: {}?",
    "Choose the best label: {}.",
    "Pick one of {}.",
    "Which of these fits best? {}",
    "Label this. Options: {}.",
    "What is it about: {}?",
    "Sort the message into one of these categories: {}.",
    "Categories: {}. Which one?",
    "Assign one of the labels {}.",
    "Choose from {}.",
    "What would you call this: {}?",
    "Decide between {}.",
    "Select the right option. Options: {}.",
    "Tell me which one it is: {}.",
    "Possible labels: {}. Answer with one of them.",
]
LONG_TEXTS = ("sentence_polarity", "goemotions")  # sources whose labels depend on no single word
TEXT_FRAMES = ["{}", "{}", '"{}"', "Text: {}", "Message: {}", "Input: {}", "User says: {}"]


def with_gaps(text: str, draw: Draw) -> str:
    """Removes random words. The few thousand texts recur, so the model would memorize them otherwise."""
    share = draw.pick([0, 0.1, 0.2, 0.3])
    return " ".join(word for word in text.split() if not draw.chance(share)) or text


def labelled(row: dict, draw: Draw) -> dict:
    meta = row["meta"]
    text = (
        clean_text(meta["text"]) if "text" in meta else clean_text(row["messages"][0]["content"]).split("\n\n", 1)[-1]
    )
    return {
        "text": with_gaps(text, draw) if row["source"] in LONG_TEXTS else text,
        "options": meta["options"],
        "label": meta["label"],
    }


def fewer(example: dict, draw: Draw) -> list[str]:
    """Returns some of the options in random order, the right one among them."""
    others = [option for option in example["options"] if option != example["label"]]
    kept = [example["label"], *draw.sample(others, min(len(others), draw.number(1, 5)))]
    return draw.sample(kept, len(kept))


def other_wording(example: dict, draw: Draw) -> list[dict]:
    """Rewords a classification, sometimes with fewer labels, so that the model reads the request."""
    options = draw.sample(example["options"], len(example["options"]))
    if len(options) > 3 and draw.chance(0.4):
        others = [o for o in options if o != example["label"]][: draw.number(1, len(options) - 2)]
        options = draw.sample([example["label"], *others], len(others) + 1)
    ask = draw.pick(CLASSIFY_ASKS).format(
        draw.pick(
            [
                ", ".join(options),
                ", ".join(options[:-1]) + " or " + options[-1],
                "\n- " + "\n- ".join(options) + "\n",
                " / ".join(options),
            ]
        )
    )
    text = draw.pick(TEXT_FRAMES).format(example["text"])
    answer = {"role": "assistant", "content": example["label"]}
    if draw.chance(0.2):
        return [{"role": "system", "content": ask}, {"role": "user", "content": example["text"]}, answer]
    return [
        {"role": "user", "content": draw.pick(["{0}\n\n{1}", "{1}\n\n{0}", "{0}\n{1}", "{0} {1}"]).format(ask, text)},
        answer,
    ]


def label_session(examples: list[dict], draw: Draw) -> list[dict]:
    """Classifies several texts in one conversation that names the labels once."""
    options = sorted({e["label"] for e in examples})
    others = [o for e in examples for o in e["options"] if o not in options]
    options += sorted(set(draw.sample(others, min(len(others), max(0, draw.number(3, 7) - len(options))))))
    draw.rng.shuffle(options)
    ask = draw.pick(CLASSIFY_ASKS).format(", ".join(options))
    chat = [{"role": "system", "content": ask}] if draw.chance(0.6) else []
    for example in examples:
        asked = example["text"] if chat else f"{ask}\n\n{example['text']}"
        chat += [{"role": "user", "content": asked}, {"role": "assistant", "content": example["label"]}]
    return chat


# --- summaries --------------------------------------------------------------------------------------------------

SUMMARY_ASKS = [
    "Summarize this abstract in one sentence.",
    "Summarise the text in one sentence.",
    "TL;DR",
    "What is the main point of this text?",
    "Give a one-sentence summary.",
    "Sum this up in one sentence.",
    "Which sentence says it all?",
    "State the main contribution in one sentence.",
    "Summarise:",
    "In short, what is this about?",
]


def abstract_summary(chat: list[dict], draw: Draw) -> list[list[dict]]:
    """Asks for the sentence of an abstract that is nearest to the author's summary.

    A tiny model can learn to choose and copy a sentence, not to write one.
    """
    asked, _, abstract = chat[0]["content"].partition("\n\n")
    sentences = [s for s in re.split(r"(?<=[.!?])\s+", abstract) if len(s) > 25 and s[0].isupper()]
    if not sentences:
        return []
    nearness, best = max((rouge_l(s, [chat[-1]["content"]]), s) for s in sentences)
    if nearness < 0.3:
        return []
    best = re.sub(
        r"^(?:However|Therefore|Thus|Hence|Furthermore|Moreover|Finally|In addition|Specifically|In particular|"
        r"To this end|Here), (\w)",
        lambda m: m[1].upper(),
        best,
    )
    if draw.chance(0.4):
        asked = draw.pick(SUMMARY_ASKS)
    form = "{0}\n\n{1}" if draw.chance(0.8) else "{1}\n\n{0}"
    return [
        [{"role": "user", "content": form.format(asked, abstract)}, {"role": "assistant", "content": clean_text(best)}]
    ]


def dialogue_summary(row: dict, chat: list[dict], draw: Draw) -> list[dict]:
    """Summarizes a Schema-Guided Dialogue row by its slots, the values that the speakers agreed on."""
    names = draw.pick(
        [
            {"user": "User", "assistant": "Assistant"},
            {"user": "Customer", "assistant": "Agent"},
            {"user": "A", "assistant": "B"},
        ]
    )
    spoken, said = "", ""
    for message in chat:
        if len(spoken) > 1500:
            break
        spoken += f"{names[message['role']]}: {message['content']}\n"
        said += message["content"].lower() + " "
    slots = [
        f"{key.replace('_', ' ')}: {value}"
        for key, value in row["meta"]["slots"].items()
        if value.lower() in said and len(value) > 2
    ][:5]
    ask = draw.pick(
        [
            "Summarise this conversation.",
            "Summarize the dialogue in one sentence.",
            "What was this conversation about?",
            "What did they talk about?",
            "Sum up the dialogue.",
            "Give a short summary of the conversation.",
        ]
    )
    told = f"{names['user']} asks for help with {row['meta']['services'].lower()}" + (
        f" ({', '.join(slots)})." if slots else "."
    )
    return [
        {"role": "user", "content": draw.pick([f"{ask}\n\n{spoken.strip()}", f"{spoken.strip()}\n\n{ask}"])},
        {"role": "assistant", "content": clean_text(told)},
    ]


# --- prose ------------------------------------------------------------------------------------------------------


def story_request(row: dict, text: str, draw: Draw) -> list[dict]:
    title = clean_text(row.get("meta", {}).get("title", ""))
    asked = (
        draw.pick(["Write a story called '{}'.", "Tell me the story '{}'."]).format(title)
        if title
        else draw.pick(["Tell me a story.", "Write a short story."])
    )
    paragraphs = text.split("\n\n")
    told = paragraphs[0]
    for paragraph in paragraphs[1:]:
        if len(told) + len(paragraph) > 900:
            break
        told += "\n\n" + paragraph
    return [{"role": "user", "content": asked}, {"role": "assistant", "content": told[:1200]}]
