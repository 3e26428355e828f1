"""The wording of a request about a text."""

from ..banks import load_bank
from ..draw import Draw

BANK = load_bank("reading/requests")
USUAL_FORM = "Read the text and answer the question.\n\n{text}\n\nQuestion: {question}"


def careless(draw: Draw, question: str) -> str:
    """Types about a seventh of the questions carelessly: without capitals or the last mark, or with a typo."""
    if not draw.chance(0.15):
        return question
    question = question.rstrip("?.") if draw.chance(0.6) else question
    question = question.lower() if draw.chance(0.6) else question
    wrong = [word for word in BANK.typos if f" {word} " in question]
    if wrong and draw.chance(0.4):
        word = draw.pick(wrong)
        question = question.replace(f" {word} ", f" {BANK.typos[word]} ", 1)
    return question


def ask_on(draw: Draw, text: str, question: str) -> str:
    """Writes a request with the text and the question about it."""
    question = careless(draw, question)
    if draw.chance(0.3):
        return USUAL_FORM.format(text=text, question=question)
    lead, shown = draw.wording(BANK.leads), draw.wording(BANK.text_frames).format(text=text)
    asked = draw.wording(BANK.question_frames)
    asked = asked.format(question=question[0].lower() + question[1:] if asked.startswith("So,") else question)
    parts = [lead, shown, asked]
    if not draw.chance(0.7) and not asked.endswith(":"):
        parts = draw.pick([[lead, asked, shown], [asked, shown]])
    return draw.pick(["\n\n", "\n\n", "\n"]).join(part for part in parts if part)


def some_system(draw: Draw, chance: float = 0.12) -> str | None:
    return draw.wording(BANK.systems) if draw.chance(chance) else None


def order_on(draw: Draw, text: str, request: str) -> str:
    """Puts a request before or after the text."""
    shown, between = draw.wording(BANK.text_frames).format(text=text), draw.pick(["\n\n", "\n\n", "\n"])
    if draw.chance(0.65):
        return request + between + shown
    return shown + between + request
