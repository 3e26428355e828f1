"""Longer texts about records, and tasks on them: questions, fields, summaries, dialogues, tables and lists."""

from .chats import reading_chat
from .checks import reading_yes_no
from .dialogues import dialogue_question, dialogue_summary
from .fields import extraction
from .lists import lookup, position
from .questions import reading_not_said, reading_question
from .summaries import headline, key_points, summary

GENERATORS = [
    (reading_question, 30),
    (reading_not_said, 6),
    (reading_yes_no, 7),
    (extraction, 10),
    (reading_chat, 8),
    (summary, 5),
    (headline, 2),
    (key_points, 3),
    (dialogue_summary, 18),
    (dialogue_question, 4),
    (lookup, 7),
    (position, 4),
]
