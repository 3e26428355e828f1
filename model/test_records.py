"""Tests of this folder's own hand-written records.

python3 test_records.py      # no data folder and no PyTorch needed
"""

import collections
import unittest

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

    def test_no_text_of_a_kind_occurs_twice(self):
        for kind, records in RECORDS.items():
            texts = collections.Counter(text.lower() for record in records for text in texts_of(record))
            self.assertEqual([text for text, count in texts.items() if count > 1], [], kind)


def texts_of(record: dict) -> list[str]:
    return [
        *(item["text"] for item in record.get("items", [])),
        *(record[n] for n in ("text", "q", "user") if n in record),
    ]


if __name__ == "__main__":
    unittest.main()
