"""Hand-written conversations and short texts, with light changes to the user's messages."""

from ..banks import load_bank
from ..draw import Draw
from .frames import assistant, careless, user, with_helpful_system
from .limits import conversation as limit

BANK = load_bank("handwritten/chats")


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    if draw.chance(0.12):
        return limits(draw, handwritten, variations)
    record = handwritten.deal(draw, "chat")
    if draw.chance(0.08):
        other = handwritten.deal(draw, "chat", alone)
        if (
            record["messages"][0]["role"] != "system"
        ):  # joins two conversations, the second of which does not depend on the first
            return with_helpful_system(draw, changed(draw, record["messages"]) + changed(draw, other["messages"]))
    return with_helpful_system(draw, changed(draw, record["messages"]), 0.12)


def limits(draw: Draw, handwritten, variations) -> list[dict]:
    return with_helpful_system(draw, limit(draw), 0.3)


def alone(record: dict) -> bool:
    return record["kind"] in ("limits", "everyday", "format", "smalltalk") and record["messages"][0]["role"] == "user"


def changed(draw: Draw, messages: list[dict]) -> list[dict]:
    return [
        user(careless(draw, m["content"], 0.25)) if m["role"] == "user" and len(m["content"]) < 90 else dict(m)
        for m in messages
    ]


def writing(draw: Draw, handwritten, variations) -> list[dict]:
    messages = []
    for _ in range(draw.pick([1, 1, 1, 2, 3])):
        record = handwritten.deal(draw, "writing")
        messages += [
            user(
                draw.pick(BANK.leads)
                + (careless(draw, record["user"], 0.2) if len(record["user"]) < 60 else record["user"])
            ),
            assistant(record["assistant"]),
        ]
    return with_helpful_system(draw, messages)
