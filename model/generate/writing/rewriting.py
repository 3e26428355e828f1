"""Sentences to rewrite."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..banks import load_bank
from ..draw import Draw, row
from ..words import FIRST_NAMES
from .values import articles, capital, careless, values

BANK = load_bank("writing/rewriting")
FREQUENT_TASKS = ["simple", "shorter", "polite", "past", "spelling", "passive"]
Pair = tuple[str, str]


@dataclass
class Sentence:
    """A sentence in pieces: the subject, a verb in three forms, the object, a place, and a second sentence."""

    base: dict[str, str]
    who: str
    verb: str
    past: str
    present: str
    thing: str
    where: str
    second: str

    @property
    def plain(self) -> str:
        return f"{self.who} {self.past} {self.thing}{self.where}."

    @property
    def in_present(self) -> str:
        return f"{self.who} {self.present} {self.thing}{self.where}."

    @property
    def who_inside(self) -> str:
        """The subject as written inside a sentence: in lower case, unless it is a name."""
        return self.who if self.who.startswith(self.base["name"]) else self.who[:1].lower() + self.who[1:]


def rewrite(draw: Draw) -> dict:
    """Asks for a sentence to be rewritten according to one of the tasks."""
    task = draw.pick(list(BANK.task_wishes) + FREQUENT_TASKS)
    text, answer = TASKS[task](draw, make_sentence(draw))
    wish = draw.wording(BANK.task_wishes[task])
    ask = capital(wish)
    if not draw.chance(0.6) and wish.split()[0] in BANK.polite_verbs:
        ask = draw.pick(["Please ", "Can you ", "Could you "]) + wish
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


def make_sentence(draw: Draw) -> Sentence:
    base = values(draw, "name", "item", "food", "day", "city", "place", "clock", "job", "n", "colour")
    who = draw.pick(["{name}", "The {job}", "My sister", "Our neighbour", "The old man", "My friend"]).format(**base)
    verb, past, present, _ = draw.pick(BANK.verbs)
    thing = draw.pick(["the {item}", "{n} {item}", "the {colour} {item}"]).format(**base)
    where = draw.pick([" {place}", " in {city}", ""]).format(**base)
    second = draw.pick(BANK.second_sentences).format(name2=draw.pick(FIRST_NAMES), **base)
    return Sentence(base, who, verb, past, present, thing, where, second)


def shorter(draw: Draw, sentence: Sentence) -> Pair:
    extra, tail = (draw.pick(bank).format(**sentence.base) for bank in (BANK.extras, BANK.tails))
    who, rest = sentence.who, f" {sentence.past} {sentence.thing}{sentence.where}"
    return articles(f"{who}{extra}{rest}{tail}."), f"{who}{rest}."


def simple(draw: Draw, sentence: Sentence) -> Pair:
    if draw.chance(0.4):
        hard, easy = draw.pick(BANK.adjective_pairs)
        frame = draw.pick(BANK.adjective_frames)
    else:
        hard, easy = draw.pick(BANK.pairs)
        frame = verb_frame(draw, hard)
    return frame.format(w=hard, **sentence.base), frame.format(w=easy, **sentence.base)


def verb_frame(draw: Draw, verb: str) -> str:
    """Draws a sentence that the verb fits: with a thing, a person or work as its object, or with no object."""
    frame = draw.pick(BANK.verb_frames)
    if verb in BANK.verbs_with_person:
        frame = frame.replace("{item}", "{job}")
    if verb in BANK.verbs_without_object:
        frame = draw.pick(["{name} will {w} in {city}.", "We want to {w} on {day}.", "They must {w} at {clock}."])
    if verb in BANK.verbs_with_work:
        frame = "{name} will {w} the work on {day}."
    if verb == "consume":
        frame = "{name} will {w} the {food}."
    return frame


def polite(draw: Draw, sentence: Sentence) -> Pair:
    order = draw.pick(BANK.imperatives).format(**sentence.base)
    return capital(order) + draw.pick([".", "!", "."]), f"Could you please {order}?"


def informal(draw: Draw, sentence: Sentence) -> Pair:
    long, short, tail = draw.pick(BANK.long_forms)
    tail = tail.format(**sentence.base)
    return f"{long} {tail}.", f"{short} {tail}."


def formal(draw: Draw, sentence: Sentence) -> Pair:
    return informal(draw, sentence)[::-1]


def past(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.in_present, sentence.plain


def present(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.plain, sentence.in_present


def future(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.plain, f"{sentence.who} will {sentence.verb} {sentence.thing}{sentence.where}."


def question(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.plain, f"Did {sentence.who_inside} {sentence.verb} {sentence.thing}{sentence.where}?"


def passive(draw: Draw, sentence: Sentence) -> Pair:
    participle = BANK.participles.get(sentence.past, sentence.past)
    active_text = f"{sentence.who} {sentence.past} {sentence.thing}."
    return active_text, f"{capital(sentence.thing)} were {participle} by {sentence.who_inside}."


def active(draw: Draw, sentence: Sentence) -> Pair:
    return passive(draw, sentence)[::-1]


def upper(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.plain, sentence.plain.upper()


def lower(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.plain, sentence.plain.lower()


def title(draw: Draw, sentence: Sentence) -> Pair:
    return sentence.plain, " ".join(capital(word) for word in sentence.plain.split(" "))


def spelling(draw: Draw, sentence: Sentence) -> Pair:
    """Puts a typo into one or two words: letters swapped, left out or doubled."""
    words = sentence.plain.split(" ")
    wrong = list(words)
    places = [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha() and word.islower()]
    for i in draw.sample(places, min(len(places), draw.number(1, 2))):
        at = draw.number(1, len(words[i]) - 2)
        start, letter, rest = words[i][:at], words[i][at], words[i][at + 1 :]
        wrong[i] = draw.pick([start + rest[0] + letter + rest[1:], start + rest, start + letter + letter + rest])
    return " ".join(wrong), sentence.plain


def punctuation(draw: Draw, sentence: Sentence) -> Pair:
    fixed = f"{sentence.plain} {sentence.second}"
    without_stops = re.sub(r"\. The |\. My |\. Our |\. ", lambda match: match[0][1:], fixed[1:])[:-1]
    return fixed[:1].lower() + without_stops, fixed


def join(draw: Draw, sentence: Sentence) -> Pair:
    return f"{sentence.plain} {sentence.second}", f"{sentence.plain[:-1]} and {sentence.second}"


def split(draw: Draw, sentence: Sentence) -> Pair:
    return join(draw, sentence)[::-1]


def plural(draw: Draw, sentence: Sentence) -> Pair:
    return draw.pick(BANK.nouns)


def singular(draw: Draw, sentence: Sentence) -> Pair:
    return draw.pick(BANK.nouns)[::-1]


TASK_FUNCTIONS = [shorter, simple, polite, informal, formal, past, present, future, question, passive, active, upper]
TASK_FUNCTIONS += [lower, title, spelling, punctuation, join, split, plural, singular]
# Maps the name of a task in `task_wishes` to the function that makes it.
TASKS: dict[str, Callable[[Draw, Sentence], Pair]] = {function.__name__: function for function in TASK_FUNCTIONS}
