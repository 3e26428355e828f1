"""Frames that the hand-written records share: the place of the instruction, and careless typing."""

from ..banks import load_bank
from ..draw import Draw

BANK = load_bank("handwritten/frames")


def user(text: str) -> dict:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict:
    return {"role": "assistant", "content": text}


def system(text: str) -> dict:
    return {"role": "system", "content": text}


def place(draw: Draw, ask: str, text: str, framed: bool = True) -> str:
    """Puts an instruction and a text into one message, in either order."""
    if framed:
        text = draw.pick(BANK.text_frames).replace("{}", text)
    form = draw.pick(BANK.places)
    if form == "{ask} {text}" and ask[-1] not in ".:?!":
        ask += ":"
    return form.replace("{ask}", ask.replace("{text}", "")).replace("{text}", text)


def with_helpful_system(draw: Draw, messages: list[dict], chance: float = 0.15) -> list[dict]:
    """Sometimes adds a system message to a conversation that has none. The message asks for nothing special."""
    if messages[0]["role"] == "system" or not draw.chance(chance):
        return messages
    return [system(draw.pick(BANK.helpful)), *messages]


def careless(draw: Draw, text: str, chance: float = 0.15) -> str:
    """Sometimes imitates hurried typing: lower case, no full stop, a slip in a word.

    This is for requests only, not for texts to copy from.
    """
    if not draw.chance(chance):
        return text
    kind = draw.number(0, 3)
    if kind == 0:
        return text.lower()
    if kind == 1:
        return text.rstrip(".?!") or text
    words = text.split(" ")
    if kind == 2:
        return " ".join(draw.pick(BANK.slips[word]) if word in BANK.slips else word for word in words)
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return text
    at = draw.pick(long)
    letter = draw.number(1, len(words[at]) - 2)
    word = words[at]
    words[at] = draw.pick(
        [
            word[:letter] + word[letter + 1 :],
            word[:letter] + word[letter + 1] + word[letter] + word[letter + 2 :],
            word[:letter] + word[letter] + word[letter:],
        ]
    )
    return " ".join(words)
