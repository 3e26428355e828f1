"""Sentences to rewrite."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from ..words import FIRST_NAMES
from .values import articles, capital, careless, values

BANK = load_bank("writing/rewriting")


def rewriting(draw: Draw) -> tuple[str, str, str]:
    """A task, a text and the text as the task wants it."""
    task = draw.pick(list(BANK.task_wishes) + ["simple", "shorter", "polite", "past", "spelling", "passive"])
    base = values(draw, "name", "item", "food", "day", "city", "place", "clock", "job", "n", "colour")
    who = draw.pick(["{name}", "The {job}", "My sister", "Our neighbour", "The old man", "My friend"]).format(**base)
    verb, past, present, _ = draw.pick(BANK.verbs)
    thing = draw.pick(["the {item}", "{n} {item}", "the {colour} {item}"]).format(**base)
    where = draw.pick([" {place}", " in {city}", ""]).format(**base)
    plain = f"{who} {past} {thing}{where}."
    second = draw.pick(
        [
            "{name2} went home.",
            "{name2} cooked {food}.",
            "{name2} took the bus to {city}.",
            "{name2} called on {day}.",
            "{name2} sang a song.",
        ]
    ).format(name2=draw.pick(FIRST_NAMES), **base)
    if task == "shorter":
        extra, tail = (draw.pick(bank).format(**base) for bank in (BANK.extras, BANK.tails))
        return task, articles(f"{who}{extra} {past} {thing}{where}{tail}."), f"{who} {past} {thing}{where}."
    if task == "simple":
        if draw.chance(0.4):
            hard, easy = draw.pick(BANK.adjective_pairs)
            frame = draw.pick(
                [
                    "{name} says that they were {w}.",
                    "They were {w} on {day}.",
                    "I think that they are {w}.",
                    "In {city} they were {w}.",
                ]
            )
            return task, frame.format(w=hard, **base), frame.format(w=easy, **base)
        hard, easy = draw.pick(BANK.pairs)
        frame = draw.pick(
            [
                "{name} will {w} the {item}.",
                "We want to {w} the {item} on {day}.",
                "They must {w} the {item}.",
                "Can you {w} the {item}?",
                "{name} had to {w} the {item} in {city}.",
            ]
        )
        if hard in (
            "assist",
            "inform",
            "notify",
            "instruct",
            "accompany",
            "frighten",
            "support",
            "respond to",
            "soothe",
            "summon",
            "elect",
            "encounter",
            "tolerate",
        ):
            frame = frame.replace("{item}", "{job}")
        if hard in (
            "reside",
            "depart",
            "converse",
            "endeavour",
            "enquire",
            "commence",
            "collaborate",
            "consume",
            "halt",
            "attempt",
            "participate in",
            "proceed with",
            "facilitate",
            "relocate",
        ):
            frame = (
                draw.pick(["{name} will {w} in {city}.", "We want to {w} on {day}.", "They must {w} at {clock}."])
                if hard not in ("participate in", "consume", "proceed with", "facilitate", "attempt")
                else "{name} will {w} the work on {day}."
            )
            if hard == "consume":
                frame = "{name} will {w} the {food}."
        if hard in (
            "terminate",
            "cease",
            "postpone",
            "delay",
            "conclude",
            "complete",
            "discontinue",
            "implement",
            "initiate",
            "anticipate",
            "evaluate",
            "comprehend",
        ):
            frame = "{name} will {w} the work on {day}."
        return task, frame.format(w=hard, **base), frame.format(w=easy, **base)
    if task == "polite":
        order = draw.pick(BANK.imperatives).format(**base)
        return task, capital(order) + draw.pick([".", "!", "."]), f"Could you please {order}?"
    if task in ("informal", "formal"):
        long, short, tail = draw.pick(BANK.long_forms)
        tail = tail.format(**base)
        pair = (f"{long} {tail}.", f"{short} {tail}.")
        return task, *(pair if task == "informal" else pair[::-1])
    if task == "past":
        return task, f"{who} {present} {thing}{where}.", plain
    if task == "present":
        return task, plain, f"{who} {present} {thing}{where}."
    if task == "future":
        return task, plain, f"{who} will {verb} {thing}{where}."
    if task == "question":
        return (
            task,
            plain,
            f"Did {who if who.startswith(base['name']) else who[:1].lower() + who[1:]} {verb} {thing}{where}?",
        )
    if task in ("passive", "active"):
        agent = who if who.startswith(base["name"]) else who[:1].lower() + who[1:]
        passive = f"{capital(thing)} were {BANK.participles.get(past, past)} by {agent}."
        active = f"{who} {past} {thing}."
        return task, *((active, passive) if task == "passive" else (passive, active))
    if task in ("upper", "lower", "title"):
        change = {
            "upper": str.upper,
            "lower": str.lower,
            "title": lambda s: " ".join(capital(word) for word in s.split(" ")),
        }[task]
        return task, plain, change(plain)
    if task == "spelling":
        words = plain.split(" ")
        wrong, right = (
            list(words),
            [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha() and word.islower()],
        )
        for i in draw.sample(right, min(len(right), draw.number(1, 2))):
            at = draw.number(1, len(words[i]) - 2)
            word = words[i]
            wrong[i] = draw.pick(
                [
                    word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                    word[:at] + word[at + 1 :],
                    word[:at] + word[at] + word[at:],
                ]
            )
        return task, " ".join(wrong), plain
    if task == "punctuation":
        fixed = f"{plain} {second}"
        return (
            task,
            fixed[:1].lower() + re.sub(r"\. The |\. My |\. Our |\. ", lambda match: match[0][1:], fixed[1:])[:-1],
            fixed,
        )
    if task in ("join", "split"):
        joined = f"{plain[:-1]} and {second}"
        return task, *((f"{plain} {second}", joined) if task == "join" else (joined, f"{plain} {second}"))
    single, many = draw.pick(BANK.nouns)
    return task, *((single, many) if task == "plural" else (many, single))


def rewrite(draw: Draw) -> dict:
    task, text, answer = rewriting(draw)
    wish = draw.wording(BANK.task_wishes[task])
    ask = (
        capital(wish)
        if draw.chance(0.6)
        else draw.pick(["Please ", "Can you ", "Could you "]) + wish
        if wish.split()[0]
        in ("make", "use", "put", "write", "turn", "rewrite", "change", "correct", "fix", "join", "split", "say", "add")
        else capital(wish)
    )
    ask = careless(draw, ask + ("?" if ask.startswith(("Can", "Could", "What", "How")) else "."))
    if text == answer:
        return rewrite(draw)
    if draw.chance(0.15):
        return row("rewrite", text, answer, system=ask, kind=task)
    prompt = draw.pick(
        [
            f"{ask.rstrip('.?')}: {text}",
            f"{ask}\n\n{text}",
            f'{ask} "{text}"',
            f"{ask}\n{text}",
            f"{text}\n\n{ask}",
            f'"{text}" {ask}',
            f"{ask}\nText: {text}",
            f"{ask}\nSentence: {text}",
        ]
    )
    return row("rewrite", prompt, answer, kind=task)
