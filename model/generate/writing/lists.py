"""Lists of things of a kind, and work on lists of words."""

from ..banks import load_bank
from ..draw import Draw, row
from ..words import ANIMALS, CITIES, COLOURS, FIRST_NAMES, ITEMS, JOBS
from .descriptions import join_and
from .values import capital, careless

BANK = load_bank("writing/lists")
POLITE_STARTS = ("put", "sort", "remove", "make", "turn", "reverse", "count", "write", "join")
NUMBERS = ["two", "three", "four", "five", "six", "seven"]

FORMATS = {
    "bullets": lambda things: "\n".join(f"- {thing}" for thing in things),
    "numbers": lambda things: "\n".join(f"{i}. {thing}" for i, thing in enumerate(things, 1)),
    "lines": "\n".join,
    "commas": ", ".join,
}


def list_of(draw: Draw) -> dict:
    kind = draw.wording(list(BANK.lists))
    count = draw.number(2, 6)
    things = draw.sample(BANK.lists[kind], count)
    wish = draw.wording(BANK.list_wishes).format(n=draw.pick([str(count), NUMBERS[count - 2]]), x=kind)
    shape = draw.pick(list(FORMATS)) if draw.chance(0.7) else None
    wish += f", {draw.pick(BANK.format_wishes[shape])}" if shape else ""
    text = capital(wish) + ("?" if wish.startswith(("can", "which", "what")) else ".")
    return row(
        "list",
        careless(draw, text),
        FORMATS[shape or "commas"](things),
        count=count,
        kind=kind,
        shape=shape or "commas",
    )


def list_work(draw: Draw) -> dict:
    task = draw.pick(list(BANK.work))
    bank = [word for word in draw.pick([ITEMS, ANIMALS, COLOURS, FIRST_NAMES, CITIES, JOBS]) if " " not in word]
    words = draw.sample(bank, min(len(bank), draw.number(3, 9 if task == "count" else 5)))
    if task == "sentence":
        words = draw.sample(ITEMS, draw.number(2, 4))
    if task == "longest":
        longest = max(words, key=len)
        if sum(len(word) == len(longest) for word in words) > 1:
            return list_work(draw)
    # Tasks that change the layout need a list that starts in a different layout.
    separator = {"commas": "\n", "sentence": "\n- ", "bullets": ", "}.get(task) or draw.pick([", ", ", ", " ", "\n"])
    shown = list(words)
    if task == "duplicates":
        shown = words + draw.sample(words, draw.number(1, 2))
        middle = draw.sample(shown[1:], len(shown) - 1)
        shown = [shown[0]] + middle
        words = list(dict.fromkeys(shown))
    tidy = " " if separator == " " else "\n" if separator == "\n" else ", "
    answer = {
        "sort": lambda: tidy.join(sorted(words, key=str.casefold)),
        "reverse": lambda: tidy.join(words[::-1]),
        "duplicates": lambda: tidy.join(words),
        "count": lambda: str(len(words)),
        "first": lambda: words[0],
        "last": lambda: words[-1],
        "longest": lambda: max(words, key=len),
        "commas": lambda: ", ".join(words),
        "bullets": lambda: "\n".join(f"- {word}" for word in words),
        "sentence": lambda: f"We need {join_and(words)}.",
    }[task]()
    text = ("- " if task == "sentence" else "") + separator.join(shown)
    wish = draw.wording(BANK.work[task])
    ask = careless(draw, capital(wish) + ("?" if wish.startswith(("how", "what", "which")) else "."))
    if wish.startswith(POLITE_STARTS) and draw.chance(0.3):
        ask = f"Please {wish}."
    if draw.chance(0.12):
        return row("list_work", text, answer, system=ask, kind=task)
    glue = "\n" if "\n" in text else draw.pick([" ", "\n", "\n\n"])
    prompt = draw.pick(
        [
            f"{ask}{glue}{text}",
            f"{ask}{glue}{text}",
            f"{text}\n{ask}",
            f"{ask}{glue}List: {text}" if "\n" not in text else f"{ask}\nList:\n{text}",
        ]
    )
    return row("list_work", prompt, answer, kind=task)
