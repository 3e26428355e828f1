"""Yes-or-no questions about a text."""

import re

from ..banks import load_bank
from ..draw import Draw, row
from .kinds import Record, fill, slots_in
from .questions import shown_key
from .requests import ask_on, some_system
from .texts import write_text
from .values import fresh_value

BANK = load_bank("reading/checks")

# Sentences that cannot follow "Is it true that": questions, orders, and those about the writer, the reader or an "it".
NO_STATEMENT = re.compile(
    r"\?|!|:|;|\bI\b|\b[Mm]y\b|\b[Mm]e\b|[Pp]lease|Dear|Do not|[Aa]sk |Call|Write|Send|Ring|Go to|Expect|You |\byour?\b"
    r"|They |This |These |[Ii]t |Tell |Put |More about|First |Last |Room for|Price |Use |Leave|\. "
)
# Makers of values that begin with a lower-case letter inside a sentence.
COMMON_NOUNS = "items hobby work winwork place_the spot habitat enemy pay few".split()


def with_wrong_value(draw: Draw, record: Record, records: list[Record], template: str) -> dict[str, str] | None:
    """Replaces one value that the template names by a wrong one. Returns all values, or None if the draw fails."""
    named = [slot for slot in slots_in(template) if slot in record.kind.slots and slot != record.kind.key]
    others = [one for one in records if one is not record]
    if not named:
        return None
    slot = draw.pick(named)
    taken = [value.lower() for value in record.values.values()]
    mentioned = [one.values[slot] for one in others if slot in one.mentioned]
    wrong = (
        draw.pick(mentioned)
        if mentioned and draw.chance(0.6)
        else fresh_value(draw, record.kind.slots[slot], {}, taken)
    )
    if (
        not isinstance(wrong, str)
        or wrong.lower() in record.values[slot].lower()
        or record.values[slot].lower() in wrong.lower()
    ):
        return None
    if record.values[slot].isdigit() != wrong.isdigit() and record.kind.slots[slot] == "few":
        return None
    return {**record.values, slot: wrong}


def reading_yes_no(draw: Draw) -> dict:
    """Asks a yes-or-no question: directly, or whether a sentence that is not in the text is true."""
    right = draw.chance(0.5)
    while True:
        records, text = write_text(draw)
        record = draw.pick(records)
        direct = [check for check in record.kind.checks if usable(record, check)]
        others = [
            variant for variants in record.kind.sentences for variant in variants if is_statement(record, variant)
        ]
        if draw.chance(0.5) and direct:
            template, statement = draw.wording(direct), False
        elif others:
            template, statement = draw.wording(others), True
        else:
            continue
        values = record.values if right else with_wrong_value(draw, record, records, template)
        if values is None or len(text) > 1300:
            continue
        question = fill(template, {**values, "k": shown_key(draw, record)})
        if statement:
            low = inside_sentence(record, template, question)
            question = draw.wording(BANK.statement_frames).format(s=question, low=low.rstrip("."))
        else:
            question += draw.wording(BANK.yes_no_suffixes)
        answer = "Yes" if right else "No"
        request = ask_on(draw, text, question)
        return row("reading_yes_no", request, answer, system=some_system(draw), answers=[answer], text=text)


def usable(record: Record, template: str) -> bool:
    """Returns whether the template names the record's key, and only slots that the text mentions."""
    names_key = any(name in template for name in ("{k}", "{first}", "{" + record.kind.key + "}"))
    return record.mentions(template) and names_key


def is_statement(record: Record, template: str) -> bool:
    """Returns whether the template is a plain statement that the text does not contain."""
    pronoun = "{he}" in template or "{his}" in template
    return (
        template not in record.used and usable(record, template) and not pronoun and not NO_STATEMENT.search(template)
    )


def inside_sentence(record: Record, template: str, sentence: str) -> str:
    """Drops the capital letter, unless the sentence begins with a name."""
    first_maker = record.kind.slots.get(slots_in(template)[0], "")
    if template.startswith("{") and first_maker not in COMMON_NOUNS:
        return sentence
    return sentence[0].lower() + sentence[1:]
