"""The wording of a classification request."""

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


def style(draw: Draw, labels: list[str]) -> list[str]:
    """The labels in one way of writing; ways that would make two labels alike or spoil proper names are left out."""
    chosen = draw.pick(STYLES)
    styled = [
        chosen(label.replace("'", "’") if chosen is str.title else label).replace("’S", "’s").replace("’", "'")
        for label in labels
    ]
    return styled if len(set(styled)) == len(styled) else labels


def listing(draw: Draw, labels: list[str]) -> tuple[str, list[str] | None]:
    """The labels written out, and the marks (letters or numbers) where they have them."""
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
    lead = draw.pick(BANK.text_leads).format(kind=kind, Kind=kind[:1].upper() + kind[1:])
    closing = {'"""': '"""', "<text>": "</text>", "'": "'", '"': '"', "“": "”"}.get(lead, "")
    return (lead + text + closing) if '"' not in text or lead not in ('"', "'", "“") else text


def request(
    draw: Draw, nouns: list[str], kinds: list[str], labels: list[str], descriptions: list[str]
) -> tuple[str, str, list[str] | None]:
    """The instruction without the text, the name of the text, and marks where the answer is to be the mark."""
    noun, kind = draw.pick(nouns), draw.pick(kinds)
    ask = draw.wording(BANK.asks).format(noun=noun, kind=kind)
    ask = careless(draw, ask).rstrip("?") if draw.chance(0.15) else ask
    if all(descriptions) and draw.chance(0.15):
        shown, marks = (
            "\n" + "\n".join(f"{label}: {description}" for label, description in zip(labels, descriptions)),
            None,
        )
    else:
        shown, marks = listing(draw, labels)
    parts = [
        ask,
        draw.wording(BANK.leads) + shown if not shown.startswith("\n") else draw.wording(BANK.leads).strip() + shown,
    ]
    by_mark = marks is not None and draw.chance(0.35)
    if by_mark:
        parts.append(
            f"Answer with the {'number' if marks[0] == '1' else 'letter'}" + draw.pick([".", " only.", ", please."])
        )
    elif draw.chance(0.5):
        parts.append(draw.wording(BANK.endings))
    if draw.chance(0.2):
        parts[0], parts[1] = parts[1], parts[0]
    glue = "\n" if any("\n" in part for part in parts) else draw.pick([" ", "\n"])
    if glue == " ":
        parts = [part if part.endswith((".", "?", "!", ":")) or part is parts[-1] else part + "." for part in parts]
    return glue.join(parts), kind, marks if by_mark else None


def build(
    draw: Draw, task: str, nouns: list[str], kinds: list[str], labels: list[str], descriptions: list[str], text_of
) -> dict:
    """One row from labels and a function that gives a fresh text for the label of an index."""
    instruction, kind, marks = request(draw, nouns, kinds, labels, descriptions)
    answers = marks or labels
    right = draw.number(0, len(labels) - 1)
    text = text_of(right)
    meta = {"label": answers[right], "options": labels, "text": text}
    form = draw.number(0, 99)
    if form < 12:
        rights = [right] + [draw.number(0, len(labels) - 1) for _ in range(draw.number(2, 5))]
        turns, seen = [], set()
        for i, index in enumerate(rights):
            shown = text if i == 0 else text_of(index)
            if shown not in seen:
                turns += [shown, answers[index]]
                seen.add(shown)
        if draw.chance(0.6):
            return row("classification_session", *turns, system=instruction, **meta)
        turns[0] = f"{instruction}\n{quote(draw, kind, turns[0])}"
        return row("classification_session", *turns, **meta)
    if form < 22:
        examples = [
            (text_of(index), answers[index])
            for index in [draw.number(0, len(labels) - 1) for _ in range(draw.number(2, 3))]
        ]
        examples = [pair for pair in examples if pair[0] != text]
        head, tail = draw.pick([("Text", "Label"), ("Input", "Output"), ("Q", "A"), (kind.capitalize(), "Answer")])
        shots = "\n".join(f"{head}: {shown}\n{tail}: {answer}" for shown, answer in examples)
        return row(task, f"{instruction}\n{shots}\n{head}: {text}\n{tail}:", answers[right], **meta)
    if form < 50:
        shown = text if draw.chance(0.8) else quote(draw, kind, text)
        return row(task, shown, answers[right], system=instruction, **meta)
    quoted = quote(draw, kind, text)
    glue = draw.pick(["\n\n", "\n", "\n\n", " "]) if "\n" not in instruction else draw.pick(["\n", "\n\n"])
    prompt = (
        f"{quoted}{glue if glue != ' ' else chr(10)}{instruction}"
        if draw.chance(0.3)
        else f"{instruction}{glue}{quoted}"
    )
    return row(task, prompt, answers[right], **meta)
