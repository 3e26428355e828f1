"""The fixed conversations of the evaluation, read from questions.toml, which explains the fields."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Question:
    kind: str
    says: tuple[str, ...]
    topic: str = "."
    times: int = 1
    remembers: str = ""
    forms: tuple[str, ...] = ()
    system: str = ""
    wrong: str = ""
    may_decline: bool = False


_FILE = tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))


def _pattern(value: str | list[str]) -> str:
    """Joins alternatives with "|", and replaces {name} by the pattern with that name."""
    joined = value if isinstance(value, str) else "|".join(value)
    for name, pattern in _FILE["patterns"].items():
        joined = joined.replace(f"{{{name}}}", pattern if isinstance(pattern, str) else "|".join(pattern))
    return joined


def _question(kind: str, says: list[str], forms: tuple | list = (), **fields) -> Question:
    patterns = {name: _pattern(fields.pop(name)) for name in ("topic", "remembers", "wrong") if name in fields}
    return Question(kind, tuple(says), forms=tuple(forms), **patterns, **fields)


QUESTIONS = [_question(**fields) for fields in _FILE["questions"]]
FIRST_REQUESTS = [_question("first", **fields) for fields in _FILE["first_requests"]]
BEYOND_LIMITS: list[str] = _FILE["beyond_limits"]
