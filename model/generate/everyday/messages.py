"""Short messages: invitations, thanks, wishes, excuses, reminders, notices and adverts."""

from ..banks import load_bank
from ..draw import Draw, row
from ..text import Slots, fill, mend
from ..words import COLOURS, FIRST_NAMES, WEEKDAYS, clock
from .requests import ask, request
from .rewording import AGAIN

BANK = load_bank("everyday/messages")
USERS = load_bank("chat/users")
NAMELESS = [("Dear @", "Dear friend"), ("@, a short", "A short"), (", @", ""), (" @", "")]


def message(draw: Draw) -> dict:
    """Asks for a message of one or two sentences."""
    kind, verbs, things, replies = draw.pick(BANK.messages)
    event = (
        draw.pick(BANK.occasions)
        + draw.pick(["", f" on {draw.pick(WEEKDAYS)}"])
        + draw.pick(["", f" at {clock(draw)}"])
        + draw.pick(["", f" {draw.pick(BANK.invited_to)}"])
    )
    gift, wrong = draw.pick(BANK.gifts), draw.pick(BANK.done_wrong)
    good, article = draw.pick(BANK.wished), draw.pick(list(BANK.goods))
    in_request = Slots(
        name=draw.pick(FIRST_NAMES),
        relative=draw.pick(USERS.relatives),
        event=event,
        gift=gift.replace("your", "the"),
        wrong=wrong.replace("your", "the"),
        good=article if kind == "sale" else good,
        praise=BANK.goods[article],
        late=draw.pick(BANK.late_for),
        why=draw.pick(BANK.late_why),
        todo=draw.pick(BANK.reminders),
        day=draw.pick(WEEKDAYS),
        lost=f"{draw.pick(COLOURS[:12])} {draw.pick(BANK.lost)}",
    )
    text = request(draw, verbs, things, in_request)
    in_reply = Slots(
        in_request,
        gift=gift,
        wrong=wrong,
        good=article if kind == "sale" else good.replace("the ", "your ", 1),
        who=in_request["name"] if in_request["name"] in text else "@",
    )
    reply = fill(draw.pick(replies), in_reply)
    for written, better in NAMELESS:
        reply = reply.replace(written, better)
    turns = [mend(text), mend(reply)]
    if draw.chance(0.15):
        wishes, change = draw.pick(AGAIN)
        turns += [ask(draw, wishes, {}), change(mend(reply))]
    return row("blurb" if kind == "sale" else "email", *turns)
