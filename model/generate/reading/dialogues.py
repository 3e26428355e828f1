"""Conversations of two people who agree on something."""

import re
from dataclasses import dataclass

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import fill, slots_in
from .questions import answers_to
from .requests import ask_on, careless, some_system
from .values import CLEAR_NAMES, Maker, fresh_value, makers_of

BANK = load_bank("reading/dialogues")


@dataclass
class Scene:
    """The exchanges of a conversation in order, what {A} and {B} agree on, and questions about it."""

    slots: dict[str, Maker]
    exchanges: list[list[str]]
    agreed: str
    questions: dict[str, list[str]]


SCENES = [Scene(makers_of(scene.slots), scene.exchanges, scene.agreed, scene.questions) for scene in BANK.scenes]


def talk(draw: Draw) -> tuple[Scene, dict[str, str], str]:
    """Draws a scene; returns it, its values and the conversation."""
    scene = draw.pick(SCENES)
    first, second = draw.sample(CLEAR_NAMES, 2)
    values = {"A": first, "B": second}
    taken = [first.lower(), second.lower()]
    for slot, maker in scene.slots.items():
        values[slot] = fresh_value(draw, maker, values, taken)
        taken.append(values[slot].lower())
    values["X"] = first
    turns: list[tuple[str, str]] = []
    for exchange in exchanges_of(draw, scene):
        speakers = [second, first] if exchange.startswith("<") else [first, second]
        for i, part in enumerate(re.split(r"//|/", exchange.removeprefix("< "))):
            speaker, text = speakers[i % 2], fill(part.strip(), values)
            if turns and turns[-1][0] == speaker:
                turns[-1] = (speaker, f"{turns[-1][1]} {text}")
            else:
                turns.append((speaker, text))
    frame = draw.pick(["{}: {}", "{}: {}", "{} - {}", "[{}] {}"])
    return scene, values, "\n".join(frame.format(*turn) for turn in turns)


def exchanges_of(draw: Draw, scene: Scene) -> list[str]:
    """Draws a wording for each exchange; adds greetings (unless the two are strangers), chatter and farewells."""
    exchanges = [draw.wording(wordings) for wordings in scene.exchanges]
    strangers = {"restaurant", "boss", "code", "doctor", "street"} & set(scene.slots)
    greeting = [draw.wording(BANK.greetings)] if draw.chance(0.4) and not strangers else []
    chatter_at = draw.number(1, len(exchanges)) if draw.chance(0.35) else 0
    if 0 < chatter_at < len(exchanges):
        exchanges.insert(chatter_at, draw.wording(BANK.chatter))
    farewell = [draw.wording(BANK.farewells)] if draw.chance(0.4) else []
    return greeting + exchanges + farewell


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
