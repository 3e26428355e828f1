"""Tests of the sets of generated rows."""

import random
import tempfile
import unittest
from pathlib import Path

from test_data import make_handwritten

from . import generated_sets, score
from .client import Case, Reply
from .sets import Measure, cases_of


class Generated(unittest.TestCase):
    def scored(self, measures: list[Measure]) -> list[float]:
        return [score.mean_and_error(one.values)[0] for one in measures]

    def test_slots_may_be_a_list_or_named(self):
        named = {"who": "Bob", "age": 7, "familyFriendly": "no", "pets": "yes", "parking": "no"}
        cases = [
            case_of("data_to_text", "x", "y", slots=["Ann", "Rome"]),
            case_of("data_to_text", "x", "y", slots=named),
        ]
        told = "Bob is 7, no families. A pet is fine, but you cannot find parking."
        replies = [[Reply("Ann is here.", "stop")], [Reply(told, "stop")]]
        self.assertEqual(generated_sets.score_descriptions(None, cases, replies)[0].values, [0.5, 1])

    def test_any_of_the_answers_is_right_and_else_the_reference(self):
        cases = [case_of("lookup", "x", "Ann", answers=["Ann", "Ann Lee"]), case_of("lookup", "x", "Rome")]
        replies = [[Reply("ann lee.", "stop")], [Reply("Paris", "stop")]]
        self.assertEqual(self.scored(generated_sets.score_texts(None, cases, replies)), [0.5])

    def test_label_sets_of_the_hand_written_records_count_apart(self):
        cases = [
            case_of("classification_mood", "x", "Bad", options=["good", "Bad"]),
            case_of("classification_mood", "x", "odd", options=["good", "bad", "odd"]),
        ]
        with tempfile.TemporaryDirectory() as folder:
            make_handwritten(Path(folder) / "handwritten")
            data = type("Data", (), {"folder": Path(folder)})()
            measures = generated_sets.score_unseen_labels(data, cases, [[Reply("bad", "stop")]] * 2)
        self.assertEqual(
            [(one.name, one.values, one.baselines) for one in measures[1:]],
            [
                ("accuracy, where the label set stands in the training (1 row)", [1], {"chance": 1 / 2}),
                ("accuracy, where the label set is new (1 row)", [0], {"chance": 1 / 3}),
            ],
        )

    def test_the_rest_is_told_by_task(self):
        cases = [case_of("repeat", "x", "a"), case_of("repeat", "x", "b"), case_of("count", "x", "3")]
        replies = [[Reply("a", "stop")]] * 3
        self.assertEqual(
            [(one.name, one.values) for one in generated_sets.score_rest(None, cases, replies)],
            [("count, exact match (1 rows)", [0]), ("repeat, exact match (2 rows)", [1, 0])],
        )


def case_of(task: str, asked: str, answer: str, **meta) -> Case:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return cases_of([{"task": task, "messages": messages, "meta": meta}], 40)[0]


class Pages(unittest.TestCase):
    def test_the_text_stands_whole_in_a_page_of_about_the_size(self):
        prose = "Some sentence that is not about it. " * 400
        for size in generated_sets.PAGE_SIZES:
            page = generated_sets.hide("Ann has a red kite. It flies high.", prose, size, random.Random(1))
            self.assertIn("Ann has a red kite. It flies high.", page)
            self.assertTrue(size - 60 < len(page) <= size + 1, (size, len(page)))
