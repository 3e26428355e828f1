"""Tests of the word banks and their loader.

python3 test_banks.py      # no data folder and no PyTorch needed
"""

import re
import tempfile
import unittest
from pathlib import Path

from generate.banks import FOLDER, Bank, BankError, load_bank

CODE = FOLDER.parent
FILES = sorted(FOLDER.glob("**/*.toml"))


class Loader(unittest.TestCase):
    def load(self, text: str) -> Bank:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "words.toml"
            path.write_text(text)
            return Bank(path)

    def test_lists_records_and_tables_become_attributes(self):
        bank = self.load("""
            words = ["one", "two"]
            pairs = [{ x = "a", y = "b" }]
            [[chats]]
            says = ["Hi"]
            replies = ["Hello!"]
            [kinds]
            "two words" = ["c"]
        """)
        self.assertEqual(bank.words, ["one", "two"])
        self.assertEqual(bank.pairs[0].y, "b")
        says, replies = bank.chats[0]
        self.assertEqual((says, replies), (["Hi"], ["Hello!"]))
        self.assertEqual(bank.kinds, {"two words": ["c"]})

    def test_a_syntax_error_names_the_file_and_the_line(self):
        with self.assertRaisesRegex(BankError, r"words\.toml:2: "):
            self.load('a = ["x"]\nb = [oops]\n')

    def test_a_record_with_other_fields_names_its_line(self):
        text = '[[chats]]\nsays = ["a"]\nreplies = ["b"]\n\n[[chats]]\nsays = ["c"]\n'
        with self.assertRaisesRegex(BankError, r"words\.toml:5: record 2 of chats must have the fields says, replies"):
            self.load(text)

    def test_a_field_that_is_no_name_names_its_line(self):
        with self.assertRaisesRegex(BankError, r"words\.toml:2: pairs: .*keyword"):
            self.load('a = ["x"]\npairs = [{ class = "x" }]\n')

    def test_an_empty_list_names_its_line(self):
        with self.assertRaisesRegex(BankError, r"words\.toml:2: b is empty"):
            self.load('a = ["x"]\nb = []\n')

    def test_a_bank_that_the_file_lacks_names_the_file(self):
        with self.assertRaisesRegex(BankError, r"words\.toml:1: the file has no bank c"):
            _ = self.load('a = ["x"]\n').c


class Banks(unittest.TestCase):
    def test_every_bank_is_used(self):
        code = "\n".join(path.read_text() for path in CODE.glob("**/*.py"))
        used = set(re.findall(r"\b(?:[A-Z_]+|bank|load_bank\([^)]*\))\.([a-z]\w*)", code))
        for path in FILES:
            name = path.relative_to(FOLDER).with_suffix("").as_posix()
            banks = {bank for bank in vars(load_bank(name)) if not bank.startswith("_")}
            self.assertEqual(banks - used, set(), name)

    def test_lines_are_short_enough_to_read(self):
        for path in FILES:
            longest = max(path.read_text().split("\n"), key=len)
            self.assertLessEqual(len(longest), 120, f"{path}: {longest}")


if __name__ == "__main__":
    unittest.main()
