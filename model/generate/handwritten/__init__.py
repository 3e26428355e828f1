"""Conversations from the hand-written records of DATA/handwritten/*.train.jsonl, each in many wordings.

    python3 -m generate.handwritten 10 --data DATA            # shows 10 conversations
    python3 -m generate.handwritten 5 --data DATA --kind labels

The `dev` files of that folder are for evaluation only; no module here reads them.
"""

from ..draw import Draw
from . import chats, extracts, facts, labels, passages, records
from .read import Records, read_records
from .vary import Variations

__all__ = ["RENDERERS", "Records", "conversations", "read_records"]

# Functions of (draw, records, variations) that return messages. config/*.json says how many of each kind a mix gets.
RENDERERS = {
    "labels": labels.conversation,
    "questions": passages.questions,
    "summaries": passages.summaries,
    "records": records.conversation,
    "extracts": extracts.conversation,
    "chats": chats.conversation,
    "limits": chats.limits,
    "writing": chats.writing,
    "facts": facts.conversation,
}


def conversations(handwritten: Records, kind: str, count: int, draw: Draw) -> list[list[dict]]:
    """Returns `count` conversations of one kind. The records are taken in turn, in a new random order in each pass."""
    variations = Variations(handwritten)
    return [RENDERERS[kind](draw, handwritten, variations) for _ in range(count)]
