"""A tiny data folder for the tests."""

import json
import subprocess
from pathlib import Path


def make_data_folder(data: Path) -> None:
    weather = [
        chat(
            "snips",
            f"What is the intent? Options: get weather, play music.\n\nMessage: will it rain on day {i}",
            "get weather",
            {"label": "get weather", "options": ["get weather", "play music"], "text": f"will it rain on day {i}"},
        )
        for i in range(40)
    ]
    stories = [
        {
            "source": "pratham_books",
            "task": "story",
            "meta": {"title": f"Tale {i}"},
            "text": (
                f"Once there was a small bird called Pip. It lived in tree number {i} and sang every day. "
                f"In 19{i + 10} it flew to Oslo. Nobody knew why. "
            )
            * 4,
        }
        for i in range(12)
    ]
    facts = [chat("factbook", f"What is the capital of country {i}?", f"City {i}") for i in range(40)]
    write(data / "train", {"snips": weather, "pratham_books": stories, "factbook": facts})
    write(data / "dev", {"snips": weather[:5]})
    manifest = [
        {"name": name, "repo": "https://example.org", "commit": "0" * 40, "licence": "CC0", "train": {"rows": 1}}
        for name in ("snips", "pratham_books", "factbook")
    ]
    (data / "MANIFEST.json").write_text(json.dumps(manifest))
    make_handwritten(data / "handwritten")


def make_handwritten(folder: Path) -> None:
    text = (
        "Dear Ms Olin, the pump costs 45 euros and comes on 3 May. Call Vera Tarn on 555-0180. We also need two keys."
    )
    qa = [{"q": "What does the pump cost?", "a": "45 euros"}, {"q": "Who should be called?", "a": "Vera Tarn"}]
    common = {
        "text": text,
        "title": "A pump for Ms Olin",
        "summary": "The pump comes on 3 May.",
        "qa": qa,
        "unanswerable": "Who built the pump?",
    }
    kinds = {
        "labels": label_records(),
        "messages": [
            {
                **common,
                "kind": "e-mail",
                "record": {"price": 45, "phone": "555-0180", "urgent": False},
                "ask_record": "price, phone, urgent",
                "bullets": ["45 euros", "3 May"],
                "reply": "Thanks.",
            }
        ]
        * 4,
        "prose": [
            {
                **common,
                "topic": "news",
                "first_sentence_is_summary": True,
                "true_statement": "It comes in May.",
                "false_statement": "It is free.",
                "keywords": ["pump", "May"],
                "simple": "A pump comes.",
            }
        ]
        * 4,
        "extract": [
            {
                "text": text,
                "asks": [{"ask": "price?", "value": "45 euros"}],
                "fields": {"price": 45, "caller": "Vera Tarn"},
                "ask_fields": "price, caller as JSON",
                "missing": "colour",
            }
        ]
        * 4,
        "chat": [
            {
                "kind": "everyday",
                "messages": [{"role": "user", "content": "hey"}, {"role": "assistant", "content": "Hello."}],
            }
        ]
        * 4,
        "writing": [
            {"kind": "haiku", "user": "haiku on rain", "assistant": "Rain on the roof.\nI stay in bed.\nIt can wait."}
        ]
        * 4,
        "facts": [
            {"q": f"What is number {i} called?", "alt_q": f"Name number {i}.", "a": f"Name {i}."} for i in range(4)
        ],
    }
    folder.mkdir()
    for kind, records in kinds.items():
        for part in ("train", "dev"):
            (folder / f"{kind}.{part}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


def label_records() -> list[dict]:
    names = ["broken", "late", "wrong size", "too loud"]
    return [
        {
            "instruction": f"Which fault does customer {i} report?",
            "labels": names,
            "hints": {name: f"it is {name}" for name in names} if i % 2 else {},
            "items": [{"text": f"The thing {i} that I got is {name}.", "label": name} for name in names],
        }
        for i in range(10)
    ] + [
        {
            "instruction": "Good or bad?",
            "labels": ["good", "bad"],
            "hints": {},
            "items": [{"text": "A lovely day.", "label": "good"}, {"text": "An awful day.", "label": "bad"}],
        }
    ]


def chat(source: str, question: str, answer: str, meta: dict | None = None) -> dict:
    messages = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    return {"source": source, "task": "test", "messages": messages, "meta": meta or {}}


def write(folder: Path, rows_of: dict[str, list]) -> None:
    folder.mkdir(parents=True)
    for name, rows in rows_of.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        subprocess.run(["zstd", "-q", "-o", str(folder / f"{name}.jsonl.zst")], input=lines.encode(), check=True)
