"""Texts with slots: {slot} is a value, {Slot} is the value with a capital letter, {a_slot} with its article."""

from .banks import load_bank
from .words import a

BANK = load_bank("text")
SMALL_AFTER_COMMA = set(BANK.small_after_comma)
NO_INFORMATION = "I'm sorry, I don't have that information."
NOT_MENTIONED = "I don't know, you have not told me."


class Slots(dict):
    """Values by slot; derives {Slot} and {a_slot} from {slot}."""

    def __missing__(self, key: str) -> str:
        if key.startswith("a_"):
            return a(self[key[2:]])
        if key == key.lower():
            raise KeyError(key)
        value = self[key.lower()]
        return value[0].upper() + value[1:]


def fill(template: str, values: dict) -> str:
    return template.format_map(values if isinstance(values, Slots) else Slots(values))


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


def mend(text: str) -> str:
    """Corrects "a" before a vowel: "a elephant" becomes "an elephant"."""
    for article in (" a ", "A "):
        for vowel in "aeio":
            text = text.replace(f"{article}{vowel}", f"{article.rstrip()}n {vowel}")
    return text


def after(words: str, text: str) -> str:
    """Puts the words before the text; the text loses its capital letter after a comma or a colon."""
    if words[-1] in ",:" and text.split(" ")[0].split("'")[0].rstrip("?,") in SMALL_AFTER_COMMA:
        text = text[0].lower() + text[1:]
    return f"{words} {text}"
