"""Classification: each row draws its own set of labels from one of many families, in many wordings."""

from functools import partial

from .classify import big_family, small, yes_no
from .reviews import sentiment
from .word_choice import fitting_word, true_false, which_word

FAMILY_WEIGHTS = {
    "topic": 5,
    "customer": 5,
    "command": 5,
    "banking": 3.5,
    "message": 3,
    "emotion": 3.5,
    "department": 2,
    "product": 1.5,
    "genre": 1.5,
    "kind": 2,
}

GENERATORS = [(partial(big_family, family=name), weight) for name, weight in FAMILY_WEIGHTS.items()] + [
    (small, 6),
    (sentiment, 6),
    (yes_no, 4),
    (which_word, 1.2),
    (fitting_word, 1.5),
    (true_false, 0.8),
]
