"""Conversations of two people who agree on something."""

import re
from dataclasses import dataclass

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import fill, slots_in
from .questions import answers_to
from .requests import ask_on, careless, some_system
from .values import CLEAR_NAMES, fresh_value

BANK = load_bank("reading/dialogues")


@dataclass
class Scene:
    """A talk of two: exchanges in order, what was agreed, and questions about it. {A} and {B} speak; {old…} is what was turned down; the second begins after "<"."""

    slots: dict[str, str]
    exchanges: list[list[str]]
    agreed: str
    questions: dict[str, list[str]]


SCENES = [
    Scene(
        {slot: maker if isinstance(maker, str) else tuple(maker) for slot, maker in scene.slots.items()},
        scene.exchanges,
        scene.agreed,
        scene.questions,
    )
    for scene in BANK.scenes
]


def talk(draw: Draw) -> tuple[Scene, dict[str, str], str]:
    """A scene, its values, and the conversation."""
    scene = draw.pick(SCENES)
    taken: list[str] = []
    first, second = draw.sample(CLEAR_NAMES, 2)
    values = {"A": first, "B": second}
    taken += [first.lower(), second.lower()]
    for slot, maker in scene.slots.items():
        values[slot] = fresh_value(draw, maker, values, taken)
        taken.append(values[slot].lower())
    values["X"] = first
    exchanges = [draw.wording(bank) for bank in scene.exchanges]
    strangers = {"restaurant", "boss", "code", "doctor", "street"} & set(scene.slots)
    asker_of = [first, second]
    lines: list[tuple[str, str]] = []

    def say(exchange: str, speakers: list[str]) -> None:
        for i, said in enumerate(part.strip() for part in re.split(r"//|/", exchange)):
            speaker, said = speakers[i % 2], fill(said, values)
            if lines and lines[-1][0] == speaker:
                lines[-1] = (speaker, f"{lines[-1][1]} {said}")
            else:
                lines.append((speaker, said))

    if draw.chance(0.4) and not strangers:
        say(draw.wording(BANK.greetings), asker_of)
    noise_at = draw.number(1, len(exchanges)) if draw.chance(0.35) else 0
    for i, exchange in enumerate(exchanges):
        if i == noise_at and i:
            say(draw.wording(BANK.chatter), asker_of)
        say(exchange.removeprefix("< "), asker_of[::-1] if exchange.startswith("<") else asker_of)
    if draw.chance(0.4):
        say(draw.wording(BANK.farewells), asker_of)
    frame = draw.pick(["{}: {}", "{}: {}", "{} - {}", "[{}] {}"])
    return scene, values, "\n".join(frame.format(*line) for line in lines)


def on_dialogue(draw: Draw, text: str, request: str) -> str:
    shown = draw.wording(BANK.dialogue_frames).format(text=text)
    return f"{request}\n\n{shown}" if draw.chance(0.6) else f"{shown}\n\n{request}"


def dialogue_summary(draw: Draw) -> dict:
    scene, values, text = talk(draw)
    slots = {slot: values[slot] for slot in slots_in(scene.agreed)}
    return row(
        "dialogue_summary",
        on_dialogue(draw, text, careless(draw, draw.wording(BANK.agreed_asks))),
        fill(scene.agreed, values),
        system=some_system(draw, 0.04),
        slots=slots,
        text=text,
    )


def dialogue_question(draw: Draw) -> dict:
    scene, values, text = talk(draw)
    slot = draw.pick(list(scene.questions))
    question = fill(draw.wording(scene.questions[slot]), values)
    request = ask_on(draw, text, question) if draw.chance(0.5) else on_dialogue(draw, text, careless(draw, question))
    return row(
        "reading_question", request, values[slot], answers=answers_to(scene.slots[slot], values[slot]), text=text
    )
