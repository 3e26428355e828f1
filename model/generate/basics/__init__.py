"""Requests that new users try first, for the last stage of the training.

Small sums, reviews of everyday things, values in a message, one-word answers, names that do not exist, and summaries.
A summary here is the first sentence of the text: a model of this size can copy a sentence but cannot write a true one.
"""

from ..everyday.about import about
from ..everyday.memory import memory
from ..everyday.messages import message
from .picking import picking
from .reviews import reviews
from .short_answers import first_words, one_word, unknown
from .summaries import summary_of_notice, summary_of_prose
from .sums import sums

__all__ = ["GENERATORS", "summary_of_prose"]

GENERATORS = [
    (sums, 18),
    (reviews, 16),
    (picking, 15),
    (unknown, 8),
    (one_word, 14),
    (summary_of_notice, 14),
    (first_words, 3),
    (message, 4),
    (about, 2),
    (memory, 6),
]
