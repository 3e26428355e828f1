"""The wording of a classification request."""

from collections.abc import Callable
from typing import NamedTuple

from ..banks import load_bank
from ..draw import Draw, row
from .families import careless

BANK = load_bank("labels/requests")

STYLES = (
    [lambda s: s] * 6
    + [lambda s: s[:1].upper() + s[1:]] * 3
    + [str.upper] * 2
    + [lambda s: s.replace(" ", "_").replace("-", "_")] * 2
    + [lambda s: s.replace(" ", "-"), lambda s: s.upper().replace(" ", "_").replace("-", "_"), str.title]
)


class Asked(NamedTuple):
    """A classification to ask for.

    `task` is the row's task. `nouns` are names for the label, `kinds` are names for the text. `descriptions` has one
    entry per label, or "" where there is none.
    """

    task: str
    nouns: list[str]
    kinds: list[str]
    labels: list[str]
    descriptions: list[str]


def style(draw: Draw, labels: list[str]) -> list[str]:
    """Writes all labels in one style, or leaves them unchanged if the style would make two of them identical."""
    chosen = draw.pick(STYLES)
    styled = [
        chosen(label.replace("'", "’") if chosen is str.title else label).replace("’S", "’s").replace("’", "'")
        for label in labels
    ]
    return styled if len(set(styled)) == len(styled) else labels


def listing(draw: Draw, labels: list[str]) -> tuple[str, list[str] | None]:
    """Writes out the labels. Also returns their marks (letters or numbers), or None if they have none."""
    form = draw.number(0, 11)
    if form == 0:
        return "\n" + "\n".join(f"- {label}" for label in labels), None
    if form == 1:
        marks = [str(i + 1) for i in range(len(labels))]
        return "\n" + "\n".join(f"{mark}. {label}" for mark, label in zip(marks, labels)), marks
    if form == 2:
        marks = list("ABCDEFGH"[: len(labels)])
        return draw.pick(["\n", " "]).join(f"{mark}) {label}" for mark, label in zip(marks, labels)), marks
    if form == 3:
        return ", ".join(f'"{label}"' for label in labels), None
    if form == 4:
        return " / ".join(labels), None
    if form == 5:
        return " | ".join(labels), None
    if form == 6:
        return "[" + ", ".join(labels) + "]", None
    if form in (7, 8):
        return ", ".join(labels[:-1]) + " or " + labels[-1], None
    return ", ".join(labels), None


def quote(draw: Draw, kind: str, text: str) -> str:
    """Puts a lead before the text, or quotation marks around it."""
    lead = draw.pick(BANK.text_leads).format(kind=kind, Kind=kind[:1].upper() + kind[1:])
    closing = {'"""': '"""', "<text>": "</text>", "'": "'", '"': '"', "“": "”"}.get(lead, "")
    return (lead + text + closing) if '"' not in text or lead not in ('"', "'", "“") else text


def request(draw: Draw, asked: Asked) -> tuple[str, str, list[str] | None]:
    """Returns the instruction, the kind of text that it names, and the marks if the answer must be a mark."""
    noun, kind = draw.pick(asked.nouns), draw.pick(asked.kinds)
    ask = draw.wording(BANK.asks).format(noun=noun, kind=kind)
    ask = careless(draw, ask).rstrip("?") if draw.chance(0.15) else ask
    if all(asked.descriptions) and draw.chance(0.15):
        described = [f"{label}: {description}" for label, description in zip(asked.labels, asked.descriptions)]
        shown, marks = "\n" + "\n".join(described), None
    else:
        shown, marks = listing(draw, asked.labels)
    lead = draw.wording(BANK.leads)
    parts = [ask, (lead.strip() if shown.startswith("\n") else lead) + shown]
    by_mark = marks is not None and draw.chance(0.35)
    if by_mark:
        mark = "number" if marks[0] == "1" else "letter"
        parts.append(f"Answer with the {mark}" + draw.pick([".", " only.", ", please."]))
    elif draw.chance(0.5):
        parts.append(draw.wording(BANK.endings))
    if draw.chance(0.2):
        parts[0], parts[1] = parts[1], parts[0]
    glue = "\n" if any("\n" in part for part in parts) else draw.pick([" ", "\n"])
    if glue == " ":
        parts = [part if part.endswith((".", "?", "!", ":")) or part is parts[-1] else part + "." for part in parts]
    return glue.join(parts), kind, marks if by_mark else None


def build(draw: Draw, asked: Asked, text_of: Callable[[int], str]) -> dict:
    """Makes a row. `text_of` takes a label's index and writes a new text for that label."""
    instruction, kind, marks = request(draw, asked)
    answers = marks or asked.labels
    right = draw.number(0, len(answers) - 1)
    text = text_of(right)
    meta = {"label": answers[right], "options": asked.labels, "text": text}
    form = draw.number(0, 99)
    if form < 12:
        return build_session(draw, instruction, kind, answers, text_of, right, meta)
    if form < 22:
        shots = examples(draw, kind, answers, text_of, text)
        return row(asked.task, f"{instruction}\n{shots}", answers[right], **meta)
    if form < 50:
        shown = text if draw.chance(0.8) else quote(draw, kind, text)
        return row(asked.task, shown, answers[right], system=instruction, **meta)
    quoted = quote(draw, kind, text)
    glue = draw.pick(["\n\n", "\n", "\n\n", " "]) if "\n" not in instruction else draw.pick(["\n", "\n\n"])
    text_first = draw.chance(0.3)
    if text_first:
        prompt = quoted + ("\n" if glue == " " else glue) + instruction
    else:
        prompt = instruction + glue + quoted
    return row(asked.task, prompt, answers[right], **meta)


def build_session(draw: Draw, instruction: str, kind: str, answers: list[str], text_of, right: int, meta: dict) -> dict:
    """Makes a row with several texts, one after the other; the first is the one in `meta`."""
    others = [draw.number(0, len(answers) - 1) for _ in range(draw.number(2, 5))]
    turns, seen = [meta["text"], answers[right]], {meta["text"]}
    for index in others:
        text = text_of(index)
        if text not in seen:
            turns += [text, answers[index]]
            seen.add(text)
    if draw.chance(0.6):
        return row("classification_session", *turns, system=instruction, **meta)
    turns[0] = f"{instruction}\n{quote(draw, kind, turns[0])}"
    return row("classification_session", *turns, **meta)


def examples(draw: Draw, kind: str, answers: list[str], text_of, text: str) -> str:
    """Writes two or three labelled examples, and the text without its label."""
    indices = [draw.number(0, len(answers) - 1) for _ in range(draw.number(2, 3))]
    labelled = [(text_of(index), answers[index]) for index in indices]
    head, tail = draw.pick([("Text", "Label"), ("Input", "Output"), ("Q", "A"), (kind.capitalize(), "Answer")])
    shots = "\n".join(f"{head}: {shown}\n{tail}: {answer}" for shown, answer in labelled if shown != text)
    return f"{shots}\n{head}: {text}\n{tail}:"
