"""Jokes, fun facts, kind lines, riddles and choices."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import capital
from ..words import CITIES, COLOURS, FIRST_NAMES, FOODS, ITEMS, WEEKDAYS
from .users import HOBBIES, says, slots

BANK = load_bank("chat/fun")
FEELINGS = load_bank("chat/feelings")
USERS = load_bank("chat/users")

TREATS = [(BANK.joke_asks, BANK.jokes), (BANK.fun_asks, BANK.fun_facts), (BANK.cheer_asks, BANK.cheers)]


def treats(draw: Draw) -> dict:
    """Asks for a joke, a fun fact or a kind line, and perhaps for another one."""
    wordings, things = draw.rng.choices(TREATS, [4, 4, 2])[0]
    chosen = draw.sample(things, 3)
    turns = [says(draw, wordings, {}), chosen[0]]
    for thing in chosen[1 : draw.pick([1, 1, 2, 3])]:
        turns += [says(draw, BANK.more_asks, {}), thing]
    if draw.chance(0.2):
        said, replies = BANK.reactions[0] if wordings is not BANK.cheer_asks else FEELINGS.after_feeling[0]
        turns += [says(draw, said, {}), replies[0]]
    return row("advice", *turns)


def riddle(draw: Draw) -> dict:
    values = slots(draw)
    asked, solution = draw.pick(BANK.riddles)
    turns = [says(draw, BANK.riddle_asks, values), asked]
    if draw.chance(0.25):
        turns += [says(draw, BANK.wrong_guesses, values), "No, sorry. Try again, or ask me for the answer."]
    if draw.chance(0.25):
        turns += [says(draw, BANK.right_guesses, {"g": solution}), f"Yes, it is {solution}. Well done!"]
    else:
        turns += [says(draw, BANK.give_ups, values), f"The answer is {solution}."]
    return row("advice", *turns)


CHOICES = [
    FOODS,
    CITIES,
    COLOURS,
    HOBBIES,
    USERS.drinks,
    USERS.sports,
    USERS.instruments,
    USERS.music_kinds,
    ITEMS,
    WEEKDAYS,
    FIRST_NAMES,
]


def choose(draw: Draw) -> dict:
    if draw.chance(0.25):
        low = draw.pick([1, 1, 1, 1, 5, 10, 20])
        high = low + draw.pick([4, 5, 9, 9, 9, 10, 19])
        return row("advice", says(draw, BANK.number_asks, {"a": low, "b": high}), str(draw.number(low + 1, high - 1)))
    x, y, z = draw.sample(draw.pick(CHOICES), 3)
    if draw.chance(0.3):
        return row(
            "advice",
            capital(says(draw, BANK.choose_three, {"x": x, "y": y, "z": z})),
            f"I choose {draw.pick([x, y, z])}.",
        )
    return row("advice", capital(says(draw, BANK.choose_asks, {"x": x, "y": y})), f"I choose {draw.pick([x, y])}.")
