"""Tests of the sets of hand-written records."""

import json
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from test_data import make_handwritten

from . import chat_sets, handwritten_sets
from .client import Reply
from .questions import BEYOND_LIMITS, FIRST_REQUESTS
from .rules import HONEST, REFUSES, RULES, says_fact
from .sets import Measure


class HandWritten(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.data = type("Data", (), {"folder": Path(cls.folder.name), "rows": lambda *_: []})()
        folder = Path(cls.folder.name) / "handwritten"
        make_handwritten(folder)
        qa = [{"q": "When?", "a": "on Monday"}]
        records = {
            "labels": [
                {
                    "instruction": "Which mood",
                    "labels": ["good", "Bad"],
                    "hints": {},
                    "items": [{"text": "Hurray!", "label": "good"}, {"text": "Oh dear.", "label": "Bad"}],
                },
                {
                    "instruction": "Where?",
                    "labels": ["in", "yonder", "nowhere"],
                    "hints": {"in": "under a roof"},
                    "items": [{"text": "In the hall.", "label": "in"}],
                },
            ],
            "extract": [
                {
                    "text": "2 keys for Ann",
                    "asks": [{"ask": "Who?", "value": "Ann"}],
                    "fields": {"keys": 2, "who": "Ann", "rush": False, "tags": ["a"]},
                    "ask_fields": "keys, who, rush, tags as JSON",
                    "missing": "price",
                }
            ],
            "messages": [
                {"text": "We meet on Monday.", "qa": qa, "unanswerable": "Why?", "record": None, "ask_record": ""}
            ],
            "prose": [{"text": "It rained on Monday.", "qa": qa, "unanswerable": "Why?"}],
            "facts": [
                {"q": "How many legs has a glorp?", "a": "Four."},
                {"q": "What is number 2 called", "a": "Name 2."},
            ],
            "writing": [{"user": "haiku on rain", "assistant": "Rain."}],
            "chat": [
                {
                    "kind": "limits",
                    "messages": [
                        {"role": "user", "content": "Draw a cat"},
                        {"role": "assistant", "content": "I can't draw."},
                    ],
                },
                {
                    "kind": "system",
                    "messages": [
                        {"role": "system", "content": "Never use more than three words."},
                        {"role": "user", "content": "Hi"},
                        {"role": "assistant", "content": "Hello there."},
                        {"role": "user", "content": "Bye"},
                        {"role": "assistant", "content": "See you."},
                    ],
                },
            ],
        }
        for kind, rows in records.items():
            (folder / f"{kind}.dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def asked(self, name: str, *replies: str) -> tuple[list, list[Measure]]:
        """Returns a set's cases, and its measures for the given replies. There is one reply per case."""

        chosen = next(one for one in handwritten_sets.HANDWRITTEN_SETS if one.name == name)
        cases = chosen.build(self.data, 100)
        with unittest.mock.patch.object(chat_sets, "TRAINING_SAMPLE", 20):
            return cases, chosen.score(self.data, cases, [[Reply(text, "stop")] for text in replies])

    def test_every_set_is_asked_at_temperature_0_and_again_at_the_default(self):
        names = [one.name for one in handwritten_sets.HANDWRITTEN_SETS]
        self.assertEqual(names[1::2], [f"{name}_default" for name in names[::2]])
        cases, _ = self.asked("hand_facts_default", "Four", "Name 2")
        self.assertIsNone(cases[0].temperature)
        self.assertEqual(self.asked("hand_facts", "Four", "Name 2")[0][0].temperature, 0)

    def test_requests_that_stand_in_the_training_count_apart(self):
        _, measures = self.asked("hand_facts", "Five", "It is called name 2.")
        self.assertEqual(
            [(one.name, one.values, one.goal) for one in measures],
            [
                ("right", [0, 1], 0.60),
                ("right, where the user's last message stands in the training (1 row)", [1], None),
                ("right, where the user's last message is new (1 row)", [0], None),
            ],
        )
        for name, replies in (("hand_limits", 1 + len(BEYOND_LIMITS)), ("hand_rules", 1), ("hand_doable", 3)):
            _, measures = self.asked(name, *["Hello"] * replies)
            self.assertEqual(sum(len(one.values) for one in measures[1:]), replies, name)

    def test_labels_count_apart_where_they_are_opinions(self):
        cases, measures = self.asked("hand_labels", "Good.", "good", "in")
        self.assertIn("Which mood.\nLabels: good, Bad\n\nHurray!", cases[0].messages[0]["content"])
        self.assertIn("in: under a roof\nyonder: yonder", cases[2].messages[0]["content"])
        self.assertEqual(
            [(one.name, one.values) for one in measures],
            [
                ("accuracy", [1, 0, 1]),
                ("accuracy, sentiment and opinion (2 rows)", [1, 0]),
                ("names one of the options", [1, 1, 1]),
                ("accuracy, where the label set stands in the training (2 rows)", [1, 0]),
                ("accuracy, where the label set is new (1 row)", [1]),
            ],
        )
        self.assertAlmostEqual(measures[0].baselines["chance"], 4 / 9)

    def test_a_part_of_the_labels_has_its_own_chance(self):
        _, measures = self.asked("hand_labels", "Good.", "good", "in")
        self.assertEqual([one.baselines for one in measures[-2:]], [{"chance": 1 / 2}, {"chance": 1 / 3}])

    def test_a_record_is_asked_for_under_its_schema_and_counted_by_field(self):
        cases, measures = self.asked("hand_records", '{"keys": 2.0, "who": "ann", "rush": 0, "tags": ["a"]}')
        schema = cases[0].response_format["json_schema"]["schema"]
        self.assertEqual(list(schema["properties"]), ["keys", "who", "rush", "tags"])
        self.assertEqual(schema["properties"]["tags"], {"type": "array", "items": {"type": "string"}})
        self.assertEqual([one.values for one in measures], [[1, 1, 0, 1], [1]])
        self.assertEqual(
            [one.values for one in self.asked("hand_records", '{"keys": 2, "who"')[1]], [[0, 0, 0, 0], [0]]
        )

    def test_the_error_of_the_fields_is_over_the_records(self):
        records = [case for case in self.asked("hand_records", "{}")[0] for _ in range(4)]
        good = [Reply('{"keys": 2, "who": "Ann", "rush": false, "tags": ["a"]}', "stop")]
        replies = [good, good, [Reply("{}", "stop")], [Reply("{}", "stop")]]
        mean, error = handwritten_sets.score_records(self.data, records, replies)[0].mean_and_error()
        self.assertEqual((mean, round(error, 3)), (0.5, 0.289))

    def test_a_refusal_counts_against_answers_and_for_what_the_text_does_not_say(self):
        exact, f1, refused = self.asked("hand_messages", "The text does not say.")[1]
        self.assertEqual((exact.values, f1.values, refused.values), ([0], [0], [1]))
        self.assertEqual([one.values for one in self.asked("hand_prose", "On Monday.")[1]], [[1], [1], [0]])
        self.assertEqual(
            self.asked("hand_unanswerable", "The text doesn't say.", "Monday", "It is not mentioned.")[1][0].values,
            [1, 0, 1],
        )

    def test_limits_and_needless_refusals(self):
        cases, _ = self.asked("hand_limits", *["x"] * 40)
        self.assertEqual(len(cases), 1 + len(BEYOND_LIMITS))
        for text, honest, refuses in [
            ("I can't draw, but I can describe one.", True, True),
            ("Here is a cat.", False, False),
            ("That is beyond me, sorry.", True, True),
            ("Rain, I cannot sleep.\nIt falls.", True, False),
        ]:
            self.assertEqual((bool(HONEST.search(text)), bool(REFUSES.search(text))), (honest, refuses), text)

    def test_a_confident_answer_is_no_honest_limit(self):
        for text in [
            "Take two tablets every four hours, but do not drink alcohol.",
            "Yes, your landlord can't keep the deposit.",
            "It is sunny in Oslo and it does not rain.",
            "The picture shows a doctor.",
            "Theodora Quistleby was a doctor who could not swim.",
            "It is not dangerous, only a small lump.",
            "Sorry, it is 1,888,264.",
        ]:
            self.assertNotRegex(text, HONEST)
        for text in [
            "I don't know what you ate.",
            "I'm only able to read text.",
            "Please ask a doctor about it.",
            "A lawyer can tell you.",
            "That sum is too big for me.",
            "Links don't reach me.",
            "I have no clock.",
            "Code isn't something I can write.",
        ]:
            self.assertRegex(text, HONEST)

    def test_a_rule_of_the_system_prompt_is_checked_on_the_last_reply(self):
        for text, kept in [("See you.", 1), ("See you again some day.", 0)]:
            self.assertEqual(self.asked("hand_rules", text)[1][0].values, [kept])

    def test_rules_are_read_from_the_words_of_a_request(self):
        kept = [
            ("Shout it: hi", "HI"),
            ('Start with "Once".', "Once upon"),
            ('End with "over".', "It is over."),
            ("Put it in brackets", "(no)"),
            ("JSON please", '{"a": 1}'),
            ("Yes or no?", "Yes."),
            ("Name three birds", "owl, wren, tit"),
            ('Never use the word "no".', "I would not"),
            ("in four words", "one two three four"),
            ("one sentence", "It rains."),
            ("lower case", "hi"),
        ]
        broken = [
            ("Shout it: hi", "Hi"),
            ('Start with "Once".', "A fox"),
            ("Put it in brackets", "no"),
            ("JSON please", "a: 1"),
            ("Name three birds", "owl, wren"),
            ('Never use the word "no".', "No."),
            ("one word", "two words"),
            ("at most 3 words", "a b c d"),
        ]
        for asked, reply in kept + broken:
            holds = [check(reply, found) for pattern, check in RULES if (found := pattern.search(asked))]
            self.assertEqual(all(holds) and bool(holds), (asked, reply) in kept, (asked, reply))

    def test_a_fact_is_said_by_what_the_answer_adds_to_the_question(self):
        for reply, right in [
            ("4", True),
            ("A cat has four legs.", True),
            ("A cat has legs.", False),
            ("four " + "or more " * 12, False),
        ]:
            self.assertEqual(says_fact(reply, "Four.", "How many legs has a cat?"), right, reply)
        self.assertTrue(says_fact("No.", "No, it can break.", "Is thin ice safe?"))
        self.assertFalse(says_fact("Yes, it can break.", "No, it can break.", "Is thin ice safe?"))

    def test_twenty_first_requests_and_what_meets_them(self):
        self.assertEqual(len({question.says for question in FIRST_REQUESTS}), 20)
        by_start = {question.says[0][:12]: question for question in FIRST_REQUESTS}
        for start, reply, met in [
            ("Classify the", "positive", True),
            ("Classify the", "I love this phone", False),
            ("Extract the ", "jane.doe@example.com", True),
            ("Return JSON ", '{"name": "Anna Smith", "age": 34}', True),
            ("Return JSON ", '{"name": "Anna Smith", "age": 346555}', False),
            ("What is a pi", "A pipit is a small songbird.", True),
            ("What is a pi", "A pipit is a musical instrument.", False),
            ("Write a Pyth", "I can't write code, but I can put the steps into words.", True),
            ("Write a Pyth", "5, 10, 20, 20, 20", False),
        ]:
            self.assertEqual(handwritten_sets.meets(by_start[start], reply), met, reply)
