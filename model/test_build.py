"""Tests of what a killed build may continue from, without a training.

python3 test_build.py
"""

import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from build import is_prepared, preparation_inputs
from settings import load_settings
from test_data import make_data_folder


class Continued(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data, self.out = Path(folder.name) / "data", Path(folder.name) / "out"
        make_data_folder(self.data)
        self.out.mkdir()
        (self.out / "checkpoint.pt").touch()

    def continues_after_an_edit(self, fresh_workers: int) -> bool:
        """Prepares, changes a record without changing the size of its file, and returns whether the run continues."""
        settings, stamp = replace(load_settings("tiny"), fresh_workers=fresh_workers), self.out / "prepared.json"
        stamp.write_text(json.dumps({**preparation_inputs(settings, self.data, None), "files": {}}))
        self.assertTrue(is_prepared(self.out, stamp, preparation_inputs(settings, self.data, None)))
        records = self.data / "handwritten" / "facts.train.jsonl"
        records.write_text(records.read_text().replace("Name 2.", "Nome 2."))
        return is_prepared(self.out, stamp, preparation_inputs(settings, self.data, None))

    def test_a_run_that_draws_its_texts_does_not_continue_on_changed_records(self):
        self.assertFalse(self.continues_after_an_edit(fresh_workers=2))

    def test_a_run_on_prepared_files_continues_whatever_the_data_folder_holds(self):
        self.assertTrue(self.continues_after_an_edit(fresh_workers=0))

    def test_a_changed_record_is_prepared_again_before_the_first_checkpoint(self):
        (self.out / "checkpoint.pt").unlink()
        self.assertFalse(self.continues_after_an_edit(fresh_workers=0))


if __name__ == "__main__":
    unittest.main(verbosity=2)
