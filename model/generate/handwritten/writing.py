"""Hand-written short texts as they are, and several requests in a row. No command of its own."""
from ..draw import Draw
from .frames import assistant, careless, user, with_helpful_system

LEADS = ["", "", "", "", "", "Please: ", "Can you do this? ", "Hi. ", "Next: "]


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    messages = []
    for _ in range(draw.pick([1, 1, 1, 2, 3])):
        record = handwritten.deal(draw, "writing")
        messages += [user(draw.pick(LEADS) + (careless(draw, record["user"], 0.2) if len(record["user"]) < 60 else record["user"])), assistant(record["assistant"])]
    return with_helpful_system(draw, messages)
