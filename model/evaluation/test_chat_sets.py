"""Tests of the fixed conversations and their criteria."""

import json
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from test_data import make_handwritten

from . import chat_sets, score
from .chat_sets import criteria
from .client import Reply
from .questions import QUESTIONS

KNOWN = set(
    "i'm i here to answer your questions sorry don't know hello how can help you today nice meet is called "
    "parrot pip".split()
)


class Chat(unittest.TestCase):
    def test_real_words(self):
        known = {"the", "cat", "sat", "don't"}
        self.assertTrue(score.words_are_real("The cat don’t sat.", known))
        self.assertTrue(score.words_are_real("42", known))
        self.assertFalse(score.words_are_real("the cat sat glorb", known))
        self.assertFalse(score.words_are_real("the the cat sat", known))
        self.assertFalse(score.words_are_real(" \n", known))

    def test_a_message_is_the_same_in_other_case_and_punctuation(self):
        for a, b, same in [
            ("What's a noun?", "whats a noun", True),
            ("Which is it, “tea” or coffee?", "which is it - tea or coffee", False),
            ("WHO are you?!", "Who  are you", True),
            ("How much is 5 + 3?", "How much is 5 - 3?", False),
            ("Is 1.5 more than 1?", "Is 15 more than 1?", False),
        ]:
            self.assertEqual(score.normal_form(a) == score.normal_form(b), same, (a, b))

    def test_the_training_contains_the_hand_written_records(self):
        with tempfile.TemporaryDirectory() as folder:
            make_handwritten(Path(folder) / "handwritten")
            data = type("Data", (), {"folder": Path(folder), "rows": lambda *_: []})()
            with unittest.mock.patch.object(chat_sets, "TRAINING_SAMPLE", 20):
                trained = chat_sets.trained_messages(data)
        for text in ("Hey!", "Haiku on rain", "What is number 2 called", "NAME NUMBER 3"):
            self.assertIn(score.normal_form(text), trained)
        own = (Path(chat_sets.__file__).parent.parent / "handwritten" / "facts.jsonl").read_text().split("\n")[0]
        self.assertIn(score.normal_form(json.loads(own)["q"]), trained)
        self.assertNotIn("", trained)

    def test_loops(self):
        self.assertTrue(score.loops("it is a dog. " * 3))
        self.assertFalse(score.loops("it is a dog. " * 2))

    def test_forms(self):
        kept = [
            ("Cold.", "one_word"),
            ("HI 5!", "upper_case"),
            ("No.", "only_yes_no"),
            ("ahoy, you", "starts_with Ahoy"),
            ("a b", "at_most 2"),
            ("Warm. Have a nice day!", "ends_with Have a nice day"),
            ("apple, pear and plum.", "items 3"),
            ("Three: apple, pear, plum", "items 3"),
            ("1. red\n2. blue\n3. green", "items 3"),
            ("Late, so we went.", "one_sentence"),
            ("The moon\nat noon", "lines 2"),
        ]
        broken = [
            ("It is cold", "one_word"),
            ("", "one_word"),
            ("Hi", "upper_case"),
            ("5", "upper_case"),
            ("No, never", "only_yes_no"),
            ("a b c", "at_most 2"),
            ("", "at_most 2"),
            ("- red\n- red\n- blue", "items 3"),
            ("red, blue, green, red", "items 3"),
            ("One. Two.", "one_sentence"),
        ]
        for reply, form in kept + broken:
            self.assertEqual(score.keeps_form(reply, form), (reply, form) in kept, (reply, form))

    def test_a_hundred_different_conversations_with_known_forms(self):
        self.assertEqual(len({(question.system, question.says) for question in QUESTIONS}), 100)
        for question in QUESTIONS:
            for form in question.forms:
                self.assertIn(score.keeps_form("x", form), (True, False))

    def test_friendly_but_empty_replies_fail_nearly_everywhere(self):
        empty = {
            "I'm here to answer your questions.": 4,
            "I'm sorry, I don't know.": 9,
            "": 0,
            "Hello! How can I help you today?": 6,
        }
        for text, most in empty.items():
            passed = [
                question for question in QUESTIONS if all(criteria(question, [Reply(text, "stop")], KNOWN).values())
            ]
            self.assertLessEqual(len(passed), most, [question.says for question in passed])

    def test_a_good_reply_passes_and_a_cut_one_does_not(self):
        question = next(question for question in QUESTIONS if question.remembers == "kiko")
        nice = Reply("Nice to meet Kiko.", "stop")
        for text, finish, passes in [
            ("Your parrot is called Kiko.", "stop", True),
            ("Your parrot is called Kiko", "length", False),
            ("Your parrot is called Pip.", "stop", False),
        ]:
            self.assertEqual(all(criteria(question, [nice, Reply(text, finish)], KNOWN).values()), passes, text)
