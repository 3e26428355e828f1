"""Rules in the words of a request, and the checks of a reply against them."""

import re

from . import score

HONEST = re.compile(r"\b(?:can(?:no|['’])t|can not|could(?: not|n['’]t)|do(?: not|n['’]t)|does(?: not|n['’]t)|never|unable|not able|not (?:connected|sure|something|reliable|enough)|beyond|no (?:internet|access|way|live|web|news|eyes)|"
                    r"should(?: not|n['’]t)|rather not|too (?:hard|big|long|large|difficult)|sorry|afraid|only (?:read|write|work|know|good|manage|have)|isn['’]t (?:something|in)|not in my|wish I could|get that wrong|"
                    r"calculator|text[- ]only|a doctor|a lawyer|pharmacist|out of (?:my )?reach)\b", re.I)
NUMBERS = {name: i for i, name in enumerate("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split())}
COUNT = r"(\d+|" + "|".join(NUMBERS) + ")"
# A pattern of a rule in a request, and the check of a reply against that rule.
RULES = [
    (re.compile(r"\b(?:one[- ]word|single word|one word only|in a word)\b", re.I), lambda reply, _: len(reply.split()) == 1),
    (re.compile(rf"(?:no|not|never use) more than {COUNT} words|at most {COUNT} words|\b{COUNT} words or (?:less|fewer)|up to {COUNT} words", re.I), lambda reply, found: 0 < len(reply.split()) <= number_of(found)),
    (re.compile(rf"\bin (?:exactly )?{COUNT} words", re.I), lambda reply, found: len(reply.split()) == number_of(found)),
    (re.compile(r"\b(?:all|in|only|use) (?:capitals|capital letters|upper ?case)|\bshout it|\bcaps\b", re.I), lambda reply, _: reply == reply.upper() and reply != reply.lower()),
    (re.compile(r"\blower[- ]?case", re.I), lambda reply, _: reply == reply.lower() and reply != reply.upper()),
    (re.compile(r"(?:start|begin) (?:\w+ ){0,3}?with [\"“'](.+?)[\"”']", re.I), lambda reply, found: reply.lower().startswith(found[1].lower())),
    (re.compile(r"(?:finish|end) (?:\w+ ){0,3}?with [\"“'](.+?)[\"”']", re.I), lambda reply, found: reply.rstrip(" .!").lower().endswith(found[1].rstrip(" .!").lower())),
    (re.compile(r"(?:never|not|without) us(?:e|ing) the word [\"“'](.+?)[\"”']", re.I), lambda reply, found: not re.search(rf"\b{re.escape(found[1])}\b", reply, re.I)),
    (re.compile(r"\bin brackets\b", re.I), lambda reply, _: reply[:1] in "([" and reply[-1:] in ")]"),
    (re.compile(r"\bjson\b", re.I), lambda reply, _: score.parsed_object(reply) is not None),
    (re.compile(r"(?:only|just)? ?(?:answer|reply)?(?: with| only)? ?\byes or no\b", re.I), lambda reply, _: score.plain(reply).rstrip("!") in ("yes", "no")),
    (re.compile(r"\b(?:one|a single) sentence\b", re.I), lambda reply, _: len(score.sentences_of(reply)) == 1),
    (re.compile(r"\btwo sentences\b", re.I), lambda reply, _: len(score.sentences_of(reply)) == 2),
    (re.compile(rf"\b(?:list|name|give(?: me)?) {COUNT} ", re.I), lambda reply, found: len(score.items_of(reply)) == number_of(found)),
]
FORBIDS = re.compile(r"\b(?:do not|don't|never|refuse|only)\b", re.I)


def number_of(found: re.Match) -> int:
    number = next(group for group in found.groups() if group).lower()
    return NUMBERS.get(number) if number in NUMBERS else int(number)


def rules_of(record: dict) -> list:
    """Returns checks of a reply: the rules of the system prompt, or of the request if there is none, that can be checked."""
    messages = record["messages"]
    system = messages[0]["content"] if messages[0]["role"] == "system" else ""
    asked, answer = messages[-2]["content"], messages[-1]["content"]
    rules = [lambda reply, holds=holds, found=found: holds(reply.strip(), found) for pattern, holds in RULES if (found := pattern.search(system or messages[0]["content"]))]
    rules = [rule for rule in rules if rule(answer)]  # a rule that the author's answer breaks was misread
    if system and FORBIDS.search(system) and HONEST.search(answer):
        rules.append(lambda reply: bool(HONEST.search(reply)))
    elif system:
        facts = [word for word in re.findall(r"\d[\d:.,]*\d|\d|[\w.]+@[\w.]+|(?<=[a-z,] )[A-Z][a-z]+", system) if word in answer and word not in asked]
        if facts:
            rules.append(lambda reply: any(fact in reply for fact in facts))
    return rules
