"""Short texts written from details in the request: descriptions, e-mails, adverts, stories, lists and rewriting."""

from .descriptions import data_to_text
from .lists import list_of, list_work
from .mails import email
from .rewriting import rewrite
from .short import blurb, poem, story

GENERATORS = [
    (data_to_text, 6),
    (email, 4),
    (blurb, 2.5),
    (story, 1.5),
    (poem, 0.8),
    (list_of, 2.5),
    (rewrite, 5),
    (list_work, 3.5),
]
