"""Word banks: the texts that the generators choose from, in TOML files under banks/.

A file holds named banks. A bank is a text, a list of texts, a list of records, or a table that maps names to these.
The records of a list have the same fields in the same order, so code can unpack them: `says, replies = record`.
"""

import functools
import re
import tomllib
from collections import namedtuple
from pathlib import Path

FOLDER = Path(__file__).parent / "banks"


class BankError(Exception):
    """A bank file with a mistake; the message begins with the file and the line."""


class Bank:
    """The banks of one file as attributes. Tables are dicts, records are named tuples."""

    def __init__(self, path: Path):
        text = path.read_text(encoding="utf-8")
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+)", str(error))
            line = int(place[1]) if place else text.count("\n") + 1
            raise BankError(f"{path}:{line}: {error}") from None
        self._path = path
        for name, value in values.items():
            setattr(self, name, _converted(path, text, [name], value))

    def __getattr__(self, name: str):
        raise BankError(f"{self._path}:1: the file has no bank {name}.")


@functools.cache
def load_bank(name: str) -> Bank:
    """Loads banks/<name>.toml once."""
    return Bank(FOLDER / f"{name}.toml")


def _converted(path: Path, text: str, keys: list[str], value):
    """Returns the value with lists of tables turned into lists of named tuples; refuses empty lists."""
    if isinstance(value, dict):
        return {key: _converted(path, text, [*keys, key], inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if not value:
        raise BankError(f"{path}:{_line_of(text, keys, 0)}: {'.'.join(keys)} is empty.")
    if not isinstance(value[0], dict):
        return [_converted(path, text, keys, inner) for inner in value]
    fields = list(value[0])
    try:
        record_type = namedtuple("Record", fields)
    except ValueError as error:
        raise BankError(f"{path}:{_line_of(text, keys, 0)}: {'.'.join(keys)}: {error}.") from None
    records = []
    for index, table in enumerate(value):
        if not isinstance(table, dict) or list(table) != fields:
            line = _line_of(text, keys, index)
            raise BankError(
                f"{path}:{line}: record {index + 1} of {'.'.join(keys)} must have the fields {', '.join(fields)}."
            )
        records.append(record_type(*(_converted(path, text, [*keys, key], inner) for key, inner in table.items())))
    return records


def _line_of(text: str, keys: list[str], index: int) -> int:
    """Returns the line number of the record's header, or else of the line that names the bank."""
    lines = text.split("\n")
    headers = [number for number, line in enumerate(lines, 1) if line.strip() == f"[[{'.'.join(keys)}]]"]
    if index < len(headers):
        return headers[index]
    named = (
        number for number, line in enumerate(lines, 1) if re.match(rf"\[*(.*\.)?\"?{re.escape(keys[-1])}\"?\b", line)
    )
    return next(named, 1)
