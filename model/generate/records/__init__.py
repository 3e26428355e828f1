"""Short notices about invented records, and tasks on them: questions, extraction, summaries, dialogues and look-ups."""

from .dialogues import dialogue_question, dialogue_summary
from .fields import extract
from .lists import lookup, position
from .questions import chat_on_text, not_said, question, yes_no
from .summaries import headline, key_points, summary

GENERATORS = [
    (question, 28),
    (not_said, 5),
    (yes_no, 6),
    (extract, 11),
    (chat_on_text, 9),
    (summary, 8),
    (headline, 3),
    (key_points, 3),
    (dialogue_summary, 24),
    (dialogue_question, 5),
    (lookup, 9),
    (position, 4),
]
