"""Tests of this folder's own hand-written records.

python3 test_records.py      # no data folder and no PyTorch needed
"""

import collections
import re
import unittest

from evaluation.rules import HONEST
from generate.banks import load_bank
from generate.handwritten.read import KINDS, OWN_RECORDS, read_lines

RECORDS = collections.defaultdict(list, {path.stem: read_lines(path) for path in sorted(OWN_RECORDS.glob("*.jsonl"))})


class OwnRecords(unittest.TestCase):
    def test_each_file_is_named_after_its_kind(self):
        self.assertEqual(set(RECORDS) - set(KINDS), set())

    def test_each_text_is_labelled_with_one_of_the_labels(self):
        for record in RECORDS["labels"]:
            self.assertGreater(len(record["labels"]), 1, record)
            self.assertIn(set(record["hints"]), (set(), set(record["labels"])), record)
            for item in record["items"]:
                self.assertIn(item["label"], record["labels"], record)

    def test_each_answer_is_a_piece_of_the_text(self):
        for record in RECORDS["messages"] + RECORDS["prose"]:
            self.assertTrue(record["title"] and record["summary"] and record["unanswerable"], record)
            for one in record["qa"]:
                self.assertTrue(one["q"], record)
                self.assertIn(one["a"] or "no answer", record["text"])
        for record in RECORDS["extract"]:
            for one in record["asks"]:
                self.assertTrue(one["ask"], record)
                self.assertIn(one["value"] or "no value", record["text"])

    def test_a_question_for_a_number_of_things_is_not_answered_with_how_often(self):
        asked = [
            pair
            for record in RECORDS["messages"] + RECORDS["prose"] + RECORDS["extract"]
            for pair in ([*one.values()] for one in record.get("qa") or record["asks"])
        ]
        wrong = [
            pair for pair in asked if re.match("how many (?!times)", pair[0], re.I) and pair[1] in ("once", "twice")
        ]
        self.assertEqual(wrong, [])

    def test_nobody_is_named_beside_himself(self):
        for record in RECORDS["messages"] + RECORDS["extract"]:
            self.assertNotRegex(record["text"], r"\b((?:Mr|Mrs|Ms|Dr) \w+) and \1\b")

    def test_each_text_of_a_structured_record_is_a_piece_of_the_text(self):
        for record in RECORDS["messages"] + RECORDS["extract"]:
            for name, value in (record.get("record") or record["fields"]).items():
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, str):
                        self.assertIn(one, record["text"], name)

    def test_user_and_assistant_take_turns(self):
        for record in RECORDS["chat"]:
            roles = [message["role"] for message in record["messages"] if message["role"] != "system"]
            self.assertEqual(roles, ["user", "assistant"] * (len(roles) // 2), record)

    def test_a_reply_beyond_the_limits_says_so_as_the_evaluation_expects(self):
        replies = [record["messages"] for record in RECORDS["chat"] if record["kind"] == "limits"]
        unclear = [messages for messages in replies if not any(map(HONEST.search, replies_of(messages)))]
        self.assertLess(len(unclear), 5, unclear)  # a few are about limits without a refusal
        first = [replies_of(messages)[0] for messages in replies]
        self.assertLess(sum(not HONEST.search(reply) for reply in first), 0.03 * len(first))
        bank = load_bank("handwritten/limits")
        for name in (name for name in vars(bank) if name.endswith("_replies")):
            for reply in getattr(bank, name):
                self.assertRegex(reply, HONEST)

    def test_no_text_of_a_kind_occurs_twice(self):
        for kind, records in RECORDS.items():
            texts = collections.Counter(text.lower() for record in records for text in texts_of(record))
            self.assertEqual([text for text, count in texts.items() if count > 1], [], kind)


def replies_of(messages: list[dict]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "assistant"]


def texts_of(record: dict) -> list[str]:
    return [
        *(item["text"] for item in record.get("items", [])),
        *(record[n] for n in ("text", "q", "user") if n in record),
    ]


if __name__ == "__main__":
    unittest.main()
