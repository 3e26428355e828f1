"""The wording of a request about a text."""

from ..banks import load_bank
from ..draw import Draw

BANK = load_bank("records/requests")


def request(draw: Draw, text: str, question: str) -> str:
    if draw.chance(0.3):
        return f"Read the text and answer the question.\n\n{text}\n\nQuestion: {question}"
    order, name, asked = draw.wording(BANK.orders), draw.wording(BANK.text_names), draw.wording(BANK.question_names)
    return draw.pick(
        [
            "{order}\n\n{text}\n\n{question}",
            "{question}\n\n{text}",
            "{text}\n\n{question}",
            "{name}: {text}\n{asked}: {question}\nAnswer:",
            "{name}: {text}\n\n{asked}: {question}",
            "{order}\n\n{name}: {text}\n\n{asked}: {question}",
            '"{text}"\n\n{question}',
            "{order} {question}\n\n{text}",
            '{question}\n"""\n{text}\n"""',
            "{asked}: {question}\n{name}: {text}",
            "{order}\n\n{text}\n\n{asked}: {question}",
        ]
    ).format(order=order, name=name, asked=asked, text=text, question=question)


def careless(draw: Draw, text: str) -> str:
    chance = draw.rng.random()
    if chance < 0.06:
        return text.lower()
    return text.rstrip("?.") if chance < 0.12 else text
