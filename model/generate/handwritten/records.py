"""Extraction of records from texts, as JSON or as lines.

The request names the keys in the order of the reply, as a list, a template, a JSON schema or in the words of the
record's author. JSON is compact, spaced or indented; a key without a value in the text is null,
and if the value is in another part of the record's text, the request says so.
"""

import json
import re

from ..banks import load_bank
from ..draw import Draw
from .frames import assistant, careless, place, system, user, with_helpful_system
from .vary import NOT_SAID, shortened

BANK = load_bank("handwritten/records")

TYPE_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array"}


def conversation(draw: Draw, handwritten, variations) -> list[dict]:
    if draw.chance(0.5):
        record = shortened(draw, variations.of(draw, handwritten.deal(draw, "messages", has_record)), "record")
        values, author_ask = record["record"], record["ask_record"]
    else:
        record = shortened(draw, variations.of(draw, handwritten.deal(draw, "extract")), "fields")
        values, author_ask = record["fields"], record["ask_fields"]
    kind = draw.rng.choices(
        ["author", "keys", "template", "schema", "lines", "fields", "many"], [30, 26, 9, 9, 9, 11, 6]
    )[0]
    text = record["text"]
    if kind == "many":
        return with_helpful_system(draw, several(draw, handwritten, variations))
    if kind == "author":
        ask = author_ask
        if not re.search(r"json|JSON|lines?\b", ask):
            ask = draw.pick(
                ["{} as JSON.", "JSON: {}", "Extract as JSON: {}", "Return JSON with {}", "{} - JSON please"]
            ).format(ask)
        if "JSON" not in ask.upper():
            return with_helpful_system(
                draw,
                [
                    user(place(draw, ask, text)),
                    assistant("\n".join(f"{key}: {as_line(value)}" for key, value in values.items())),
                ],
            )
        if None in values.values():
            ask += draw.pick([" ", "\n"]) + draw.pick(BANK.null_notes)
        return with_helpful_system(draw, [user(place(draw, ask, text)), assistant(as_json(draw, values))])
    values = reordered(draw, values)
    if kind == "fields":
        return with_helpful_system(draw, one_by_one(draw, text, values, record.get("missing")))
    note = draw.pick(BANK.null_notes) if kind != "lines" and None in values.values() else ""
    if kind != "lines" and draw.chance(0.15):
        other = handwritten.deal(draw, "extract")["missing"] if not record.get("missing") else record["missing"]
        values = reordered(draw, {**values, re.sub(r"\W+", "_", other.lower()).strip("_"): None}, all_of=True)
        note = note or draw.pick(BANK.null_notes + [""])
    values = restyled(draw, values)
    if kind == "keys" and draw.chance(0.12):
        values = nested(draw, values)
    ask = request(draw, kind, values)
    if note:
        ask += draw.pick([" ", "\n"]) + note
    answer = (
        "\n".join(f"{key}: {as_line(value)}" for key, value in values.items())
        if kind == "lines"
        else as_json(draw, values)
    )
    if draw.chance(0.2):
        return [system(ask), user(text), assistant(answer)]
    return with_helpful_system(draw, [user(place(draw, ask, text)), assistant(answer)])


def has_record(record: dict) -> bool:
    return bool(record["record"])


def request(draw: Draw, kind: str, values: dict) -> str:
    if kind == "template":
        template = {key: blank(draw, value) for key, value in values.items()}
        return draw.pick(BANK.template_asks).replace(
            "{template}", json.dumps(template, indent=draw.pick([None, None, 2]), ensure_ascii=False)
        )
    if kind == "schema":
        schema = {"type": "object", "properties": {key: schema_of(value) for key, value in values.items()}}
        if draw.chance(0.6):
            schema["required"] = list(values)
        return draw.pick(BANK.schema_asks).replace(
            "{schema}", json.dumps(schema, separators=draw.pick([(",", ":"), (", ", ": ")]))
        )
    if kind == "lines":
        return (
            draw.pick(BANK.line_asks)
            .replace("{keys}", ", ".join(values))
            .replace("{form}", "\n".join(f"{key}:" for key in values))
        )
    quote = draw.pick(["{}", "{}", "{}", '"{}"', "`{}`"])
    keys = [
        quote.format(key)
        + (f" ({TYPE_NAMES[type(value)]})" if type(value) in (int, float, bool, list) and draw.chance(0.3) else "")
        + (" {" + ", ".join(value) + "}" if isinstance(value, dict) else "")
        for key, value in values.items()
    ]
    joined = draw.pick(
        [", ".join(keys), ", ".join(keys), ", ".join(keys[:-1]) + (" and " if len(keys) > 1 else "") + keys[-1]]
    )
    if draw.chance(0.04):
        return draw.pick(BANK.no_key_asks)
    return careless(draw, draw.pick(BANK.key_asks), 0.08).replace("{keys}", joined)


def one_by_one(draw: Draw, text: str, values: dict, missing: str | None) -> list[dict]:
    asked = [
        (words_of(key), NOT_SAID if value is None else as_line(value))
        for key, value in values.items()
        if value is None or isinstance(value, (str, int, float)) and not isinstance(value, bool)
    ]
    if missing and draw.chance(0.4):
        asked.append((missing, NOT_SAID))
    draw.rng.shuffle(asked)
    messages = []
    for key, answer in asked[: draw.number(1, 6)] or [("text", text)]:
        ask = careless(draw, draw.pick(BANK.one_asks).replace("{key}", key))
        messages += [user(place(draw, ask, text) if not messages else ask), assistant(answer)]
    return messages


def several(draw: Draw, handwritten, variations) -> list[dict]:
    """Asks for an object for each of two short texts, one after the other."""
    first = variations.of(draw, handwritten.deal(draw, "extract"))
    values = restyled(draw, reordered(draw, first["fields"]))
    ask = request(draw, "keys", values)
    messages = [user(place(draw, ask, first["text"])), assistant(as_json(draw, values))]
    other = variations.of(draw, handwritten.deal(draw, "extract"))
    again = restyled(draw, reordered(draw, other["fields"]))
    return messages + [
        user(f"{draw.pick(['Now', 'And now', 'Next:', 'Same for'])} {', '.join(again)}: {other['text']}"),
        assistant(as_json(draw, again)),
    ]


def reordered(draw: Draw, values: dict, all_of: bool = False) -> dict:
    """Returns some or all of the keys with their values, sometimes in another order."""
    keys = list(values)
    if not all_of and len(keys) > 2 and draw.chance(0.45):
        keys = draw.sample(keys, draw.number(2, len(keys)))
    elif draw.chance(0.5):
        draw.rng.shuffle(keys)
    return {key: values[key] for key in keys}


def restyled(draw: Draw, values: dict) -> dict:
    """Returns the values with their keys in snake case, camel case, capitals, as words, or unchanged."""
    style = draw.pick(["as", "as", "as", "snake", "camel", "words", "upper"])
    change = {
        "as": str,
        "snake": lambda key: words_of(key).replace(" ", "_"),
        "words": words_of,
        "upper": lambda key: words_of(key).replace(" ", "_").upper(),
        "camel": lambda key: "".join(
            word if i == 0 else word.capitalize() for i, word in enumerate(words_of(key).split(" "))
        ),
    }[style]
    renamed = {change(key): value for key, value in values.items()}
    return renamed if len(renamed) == len(values) else values


def nested(draw: Draw, values: dict) -> dict:
    keys = list(values)
    if len(keys) < 3:
        return values
    cut = draw.number(1, len(keys) - 2)
    return {
        **{key: values[key] for key in keys[:cut]},
        draw.pick(["details", "data", "info", "more", "rest"]): {key: values[key] for key in keys[cut:]},
    }


def words_of(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", key).lower().strip()


def blank(draw: Draw, value):
    if isinstance(value, (bool, int, float)) or value is None:
        return draw.pick([None, 0, "..."])
    return [] if isinstance(value, list) else draw.pick(["", "...", "string"])


def schema_of(value) -> dict:
    if value is None:
        return {"type": ["string", "null"]}
    if isinstance(value, dict):
        return {"type": "object", "properties": {key: schema_of(one) for key, one in value.items()}}
    return (
        {"type": "array", "items": {"type": "string"}} if isinstance(value, list) else {"type": TYPE_NAMES[type(value)]}
    )


def as_line(value) -> str:
    if isinstance(value, list):
        return ", ".join(map(as_line, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        "not given"
        if value is None
        else f"{value:g}"
        if isinstance(value, float) and value.is_integer()
        else str(value)
    )


def as_json(draw: Draw, values: dict) -> str:
    form = draw.rng.choices(["spaced", "compact", "indented"], [60, 28, 12])[0]
    if form == "indented":
        return json.dumps(values, indent=2, ensure_ascii=False)
    return json.dumps(values, ensure_ascii=False, separators=(",", ":") if form == "compact" else None)
