"""Short everyday requests in many wordings.

Lists, names of things, a few sentences, messages, rewriting, rules, easy facts and advice.
"""

from .about import about
from .facts import child_facts
from .lists import list_some, name_one
from .memory import memory
from .messages import message
from .rewording import rewording
from .roles import character
from .rules import rule_of, topic_rule
from .talk import advised, chatter

GENERATORS = [
    (list_some, 14),
    (name_one, 10),
    (child_facts, 10),
    (about, 9),
    (message, 13),
    (rewording, 15),
    (rule_of, 20),
    (character, 6),
    (topic_rule, 3),
    (memory, 8),
    (chatter, 8),
    (advised, 7),
]
