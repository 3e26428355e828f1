"""The chatbot: small talk, identity, memory, system prompts, everyday facts, limits, advice, jokes and follow-ups."""

from .facts import fact
from .feelings import advice, feelings
from .follow_up import follow_up
from .fun import choose, riddle, treats
from .identity import identity
from .memory import memory, memory_of_others
from .roles import company_bot, persona
from .rules import catch_rule, format_rule, helpful_system, yes_no_rule
from .small_talk import courtesy, small_talk
from .unknown import unknown

GENERATORS = [
    (small_talk, 13),
    (courtesy, 6),
    (identity, 11),
    (memory, 9),
    (memory_of_others, 4),
    (format_rule, 17),
    (yes_no_rule, 4),
    (catch_rule, 4),
    (company_bot, 9),
    (persona, 5),
    (fact, 14),
    (unknown, 9),
    (feelings, 5),
    (advice, 5),
    (treats, 4),
    (riddle, 2),
    (choose, 2),
    (follow_up, 8),
    (helpful_system, 12),
]
