"""Tests of the whole recipe on a tiny data folder, in about two minutes.

    python3 test_recipe.py

The comparison with llama.cpp needs Node and the repository's `npm ci`; without them it is skipped.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np

from test_data import make_data_folder
from test_scripts import run

HERE = Path(__file__).parent
PYTHON_ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1"}


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        make_data_folder(cls.root / "data")
        cls.prepared = cls.root / "prepared"
        prepared = run("prepare.py", "tiny", "--data", cls.root / "data", "--out", cls.prepared)
        assert prepared.returncode == 0, prepared.stderr
        cls.trained = cls.copy_of_prepared("trained")
        trained = run("train.py", "tiny", "--out", cls.trained)
        assert trained.returncode == 0, trained.stderr
        cls.training_log = trained.stdout
        cls.file = cls.root / "tiny.gguf"
        cls.exported = run("export_gguf.py", "tiny", "--out", cls.trained, "--to", cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def copy_of_prepared(cls, name: str) -> Path:
        copy = cls.root / name
        copy.mkdir()
        for path in cls.prepared.iterdir():
            os.link(path, copy / path.name)
        return copy

    def refused(self, result: subprocess.CompletedProcess, *words: str):
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(len(result.stderr.strip().split("\n")), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_training_lowers_the_loss_and_prints_its_progress(self):
        losses = [float(loss) for loss in re.findall(r" loss (\d+\.\d+)  ", self.training_log)]
        self.assertLess(losses[-1], losses[0])
        self.assertRegex(self.training_log, r"tokens/s  \d+\.\d %  \d+ min left")

    def test_the_loss_curve_is_a_picture(self):
        if not has_matplotlib():
            self.skipTest("matplotlib is not installed")
        self.assertEqual((self.trained / "loss.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_the_exported_file_loads_and_replies(self):
        self.assertEqual(self.exported.returncode, 0, self.exported.stderr)
        self.assertIn("sha256", self.exported.stdout)
        reply = run("verify.py", self.file, "Hi")
        self.assertEqual(reply.returncode, 0, reply.stderr)

    def test_llama_cpp_and_pytorch_give_the_same(self):
        if not shutil.which("node") or not (HERE.parent / "node_modules" / "node-llama-cpp").is_dir():
            self.skipTest("Node or node_modules is missing")
        for file in (self.file, HERE / "svc-o1-mini.gguf"):
            with self.subTest(file=file.name):
                reference = self.root / f"{file.stem}.json"
                written = run("verify.py", file, "--reference", reference)
                self.assertEqual(written.returncode, 0, written.stderr)
                compared = compare_with_llama_cpp(file, reference)
                self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
                found = json.loads(compared.stdout)
                self.assertEqual((found["prompts"], found["sameIds"]), (10, 10))

    def test_the_comparison_with_llama_cpp_detects_a_changed_weight(self):
        if not shutil.which("node") or not (HERE.parent / "node_modules" / "node-llama-cpp").is_dir():
            self.skipTest("Node or node_modules is missing")
        reference, changed = self.root / "before.json", self.root / "changed.gguf"
        run("verify.py", self.file, "--reference", reference)
        content = bytearray(self.file.read_bytes())
        content[-30_000::5] = bytes(b ^ 0x80 for b in content[-30_000::5])  # flips sign bits of weights in every layer
        changed.write_bytes(content)
        compared = compare_with_llama_cpp(changed, reference)
        self.assertEqual(compared.returncode, 1, compared.stdout)

    def test_one_command_builds_everything_and_continues_after_a_stop(self):
        out, file = self.root / "built", self.root / "built.gguf"
        built = run("build.py", "tiny", "--data", self.root / "data", "--out", out, "--to", file)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(file.read_bytes(), self.file.read_bytes())
        again = run("build.py", "tiny", "--data", self.root / "data", "--out", out, "--to", file)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("already prepared", again.stdout)
        stamp = json.loads((out / "prepared.json").read_text())
        self.assertIn("long_drills", stamp["settings"])
        (out / "prepared.json").write_text("other settings")
        self.refused(
            run("build.py", "tiny", "--data", self.root / "data", "--out", out, "--to", file), "choose another --out"
        )

    def test_a_run_continues_from_an_exported_file(self):
        import torch

        from tokenizer import Tokenizer

        out, file = self.root / "continued", self.root / "continued.gguf"
        built = run("build.py", "tiny", "--data", self.root / "data", "--from", self.file, "--out", out, "--to", file)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(
            Tokenizer.load(out / "tokenizer.json").merges, Tokenizer.load(self.trained / "tokenizer.json").merges
        )
        exported_loss = float(re.search(r"dev loss (\d+\.\d+)", self.exported.stdout)[1])
        tokens, first_loss = torch.load(out / "checkpoint.pt")["run"]["dev_losses"][0]
        self.assertEqual(tokens, 0)
        self.assertAlmostEqual(first_loss, exported_loss, delta=0.02)
        self.assertNotEqual(file.read_bytes(), self.file.read_bytes())
        # Checks that the second of two configurations continues from the file of the first.
        two, together = self.root / "two", self.root / "together.gguf"
        built = run("build.py", "tiny", "tiny", "--data", self.root / "data", "--out", two, "--to", together)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual((two / "1-tiny" / "exported.gguf").read_bytes(), self.file.read_bytes())
        self.assertEqual(together.read_bytes(), file.read_bytes())
        other = HERE / "svc-o1-mini.gguf"
        arguments = ["tiny", "--data", self.root / "data", "--out", self.root / "none", "--to", file, "--from"]
        self.refused(run("build.py", *arguments, other), "another architecture")
        self.refused(run("build.py", *arguments, self.root / "absent.gguf"), "There is no file")
        self.assertFalse((self.root / "none").exists())

    def test_an_exported_file_that_is_read_and_exported_again_is_the_same(self):
        from build import starting_point
        from export_gguf import gguf_bytes, read_gguf
        from settings import load_settings

        for name, file in (("tiny", self.file), ("polish", HERE / "svc-o1-mini.gguf")):
            with self.subTest(file=file.name):
                settings = load_settings(name)
                weights, tokenizer = starting_point(file, settings)
                values = {key: weight.numpy() for key, weight in weights.items()}
                values["output_norm.weight"] = values["output_norm.weight"] * np.float32(settings.logit_scale)
                again = self.root / "again.gguf"
                again.write_bytes(gguf_bytes(settings, tokenizer, values))
                (metadata, tensors), (old_metadata, old_tensors) = read_gguf(again), read_gguf(file)
                self.assertEqual(metadata, old_metadata)
                for key, tensor in old_tensors.items():
                    np.testing.assert_allclose(tensors[key], tensor, rtol=1e-6, err_msg=key)

    def test_preparing_twice_gives_the_same_files(self):
        again = self.root / "again"
        run("prepare.py", "tiny", "--data", self.root / "data", "--out", again)
        for path in self.prepared.iterdir():
            self.assertEqual(path.read_bytes(), (again / path.name).read_bytes(), path.name)

    def test_a_killed_run_ends_with_the_same_weights(self):
        killed = self.copy_of_prepared("killed")
        process = subprocess.Popen(
            [sys.executable, str(HERE / "train.py"), "tiny", "--out", str(killed)],
            env=PYTHON_ENVIRONMENT,
            stdout=subprocess.PIPE,
            text=True,
        )
        # The kill must come after a checkpoint and before the last of the 40 steps.
        for line in process.stdout:
            if "step     1 " in line:
                break
        deadline = time.time() + 60
        while not (killed / "checkpoint.pt").exists() and time.time() < deadline:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        continued = run("train.py", "tiny", "--out", killed)
        self.assertEqual(continued.returncode, 0, continued.stderr)
        self.assertRegex(continued.stdout, r"continuing after step [1-3]?\d\b")
        same = run("export_gguf.py", "tiny", "--out", killed, "--to", self.root / "killed.gguf")
        self.assertEqual(same.returncode, 0, same.stderr)
        self.assertEqual((self.root / "killed.gguf").read_bytes(), self.file.read_bytes())

    def test_a_continued_run_keeps_the_settings_that_order_its_texts(self):
        import torch

        changed, stored = self.copy_of_prepared("changed"), torch.load(self.trained / "checkpoint.pt")
        for name, value in (("seed", 2), ("batch_tokens", 1024), ("stages", [])):
            torch.save({**stored, "settings": {**stored["settings"], name: value}}, changed / "checkpoint.pt")
            self.refused(run("train.py", "tiny", "--out", changed), f"'{name}'", "another --out")

    def test_a_run_from_an_exported_file_needs_the_file_in_each_step(self):
        out, stamp = self.copy_of_prepared("begun"), '{"settings": {"from": "0"}}'
        (out / "prepared.json").write_text(stamp)
        self.refused(run("train.py", "tiny", "--out", out), "build.py", "--from")
        os.link(self.trained / "checkpoint.pt", out / "checkpoint.pt")
        target, branch = self.root / "none.gguf", self.root / "branch of begun"
        run("train.py", "tiny", "--out", branch, "--decay-from", out, "--minutes", 0.01)
        for folder in (out, branch):
            self.refused(run("export_gguf.py", "tiny", "--out", folder, "--to", target), "build.py", "--from")

    def test_an_unknown_configuration_fails_in_one_sentence(self):
        for script in ("train.py", "export_gguf.py"):
            self.refused(run(script, "nonsense", "--out", self.trained), "no configuration 'nonsense'")
        self.refused(
            run("prepare.py", "nonsense", "--data", self.root / "data", "--out", self.root / "none"),
            "no configuration 'nonsense'",
        )
        self.assertFalse((self.root / "none").exists())

    def test_half_a_data_folder_fails_in_one_sentence(self):
        half = self.root / "half"
        shutil.copytree(self.root / "data", half)
        (half / "train" / "snips.jsonl.zst").unlink()
        self.refused(
            run("prepare.py", "tiny", "--data", half, "--out", self.root / "none"),
            "incomplete",
            "train/snips.jsonl.zst",
        )
        self.assertFalse((self.root / "none").exists())

    def test_the_loss_and_its_gradients_equal_a_weighted_cross_entropy(self):
        import torch

        from model import OutputLoss

        torch.manual_seed(0)
        x, weight = (torch.randn(count, 32, requires_grad=True) for count in (300, 50))
        targets, shares = torch.randint(0, 50, (300,)), torch.rand(300)
        loss = OutputLoss.apply(x, weight, targets, shares)
        expected = (
            torch.nn.functional.cross_entropy(x @ weight.t(), targets, reduction="none") * shares
        ).sum() / shares.sum()
        self.assertAlmostEqual(loss.item() / expected.item(), 1, delta=0.01)  # OutputLoss multiplies in bfloat16
        for found, right in zip(torch.autograd.grad(loss, (x, weight)), torch.autograd.grad(expected, (x, weight))):
            self.assertLess((found - right).abs().max().item(), 0.03 * right.abs().max().item())

    def test_an_answer_weighs_the_root_of_its_length(self):
        from batches import equal_answers

        self.assertEqual(
            equal_answers(np.array([0, 1, 1, 1, 1, 0, 0, 1], np.uint8)).tolist(), [0, 0.5, 0.5, 0.5, 0.5, 0, 0, 1]
        )

    def test_an_epoch_is_packed_once_and_the_next_has_another_order(self):
        from batches import Batches
        from settings import load_settings

        batches, packed = Batches(self.prepared, load_settings("tiny")), []
        pack = batches.windows
        batches.windows = lambda *given: packed.append(given) or pack(*given)
        first = batches.next(0, 0)[0]
        in_epoch = len(batches._packed[0][1][0]) // len(first)
        # Epochs differ in their number of batches, because other texts share a window in each.
        position = 0
        while len(packed) < 3 and position < 3 * in_epoch:
            position += 1
            batches.next(0, position)
        first_two = list(batches._batches.values())[:2]
        self.assertEqual((first_two[0], position), (in_epoch, sum(first_two)))
        self.assertFalse((batches.next(0, in_epoch)[0] == first).all())

    def test_texts_drawn_while_training_depend_only_on_the_seed_and_the_position(self):
        from dataclasses import replace

        from settings import load_settings
        from texts.fresh import BATCHES_OF_SHARD, FreshBatches

        settings = replace(load_settings("tiny"), fresh_workers=2)
        main = next(index for index, stage in enumerate(settings.stages) if stage["mix"] == "main")
        first, later = [0] * len(settings.stages), [0] * len(settings.stages)
        later[main] = BATCHES_OF_SHARD + 1
        drawn = []
        for already in (first, later):
            batches = FreshBatches(settings, self.root / "data", self.copy_of_prepared(f"fresh{sum(already)}"), already)
            try:
                drawn.append([batches.next(main, i) for i in range(already[main], BATCHES_OF_SHARD + 2)])
            finally:
                batches.close()
        self.assertTrue((drawn[0][-1][0] == drawn[1][0][0]).all())
        self.assertEqual(len({str(ids.tolist()) for ids, _, _ in drawn[0]}), len(drawn[0]))
        self.assertEqual(list(self.root.glob("fresh*/fresh")), [])

    def test_texts_of_random_tokens_contain_their_answers(self):
        from texts.random_tokens import RandomTokens
        from tokenizer import MESSAGE_END, Tokenizer

        random = RandomTokens(Tokenizer.load(self.prepared / "tokenizer.json"), 1)
        for make in (random.copy, random.recall):
            for _ in range(50):
                ids, is_answer = make()
                edges = [i for i in range(1, len(ids)) if is_answer[i] and not is_answer[i - 1]]
                self.assertTrue(edges)
                for begin in edges:
                    end = next(
                        (i for i in range(begin, len(ids)) if not is_answer[i] or ids[i] == MESSAGE_END), len(ids)
                    )
                    wanted = ids[begin:end]
                    self.assertTrue(any(ids[i : i + len(wanted)] == wanted for i in range(begin)), (ids, wanted))

    def test_a_word_is_cut_in_the_same_places_after_a_space(self):
        from tokenizer import SPACE, Tokenizer

        tokenizer = Tokenizer.load(self.prepared / "tokenizer.json")
        for word in ["bird", "weather", "Norwegian", "tree", "called", "Q7", "x"]:
            alone, spaced = ([tokenizer.tokens[i] for i in tokenizer.encode(text)] for text in (word, " " + word))
            self.assertEqual(spaced, [SPACE + alone[0], *alone[1:]])
            self.assertEqual(tokenizer.decode(tokenizer.encode(" " + word)), " " + word)

    def test_a_branch_leaves_the_other_run_unchanged(self):
        before = (self.trained / "checkpoint.pt").read_bytes()
        branch = self.root / "branch"
        made = run("train.py", "tiny", "--out", branch, "--decay-from", self.trained, "--minutes", 0.02)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("finished", made.stdout)
        self.assertEqual((self.trained / "checkpoint.pt").read_bytes(), before)
        self.refused(run("train.py", "tiny", "--out", branch, "--decay-from", self.trained), "needs --minutes")

    def test_a_timed_run_ends_on_time_with_rates_of_zero(self):
        from settings import load_settings
        from train import progress_of, rate_share

        settings, run_so_far = load_settings("tiny"), {"step": 90, "tokens": 500, "seconds": 90.0}
        self.assertEqual(progress_of(run_so_far, settings, 2), 0.75)
        self.assertEqual(rate_share(run_so_far, 1, settings), 0)
        branched = {**run_so_far, "branched": {"tokens": 400, "seconds": 60.0}}
        self.assertEqual((progress_of(branched, settings, 1), rate_share(branched, 0.25, settings)), (0.5, 0.75))

    def test_stages_with_tokens_run_first_and_the_others_alternate(self):
        from settings import load_settings
        from train import stage_at

        settings = load_settings("tiny")
        run_so_far, order = {"batches_of_stage": [0] * len(settings.stages)}, []
        for _ in range(114):
            order.append(stage_at(run_so_far, settings))
            run_so_far["batches_of_stage"][order[-1]] += 1
        self.assertEqual(order[:14], [0] * 4 + [1] * 4 + [2] * 6)
        self.assertEqual([order[14:].count(stage) for stage in (3, 4, 5)], [60, 20, 20])

    def test_a_missing_data_folder_fails_in_one_sentence(self):
        self.refused(
            run("prepare.py", "tiny", "--data", self.root / "absent", "--out", self.root / "none"), "no data folder"
        )
        self.refused(run("train.py", "tiny", "--out", self.root / "none"), "run prepare.py first")
        self.assertFalse((self.root / "none").exists())

    def test_a_checkpoint_of_another_configuration_is_refused_and_kept(self):
        checkpoint, target = self.trained / "checkpoint.pt", self.root / "other.gguf"
        before = checkpoint.read_bytes()
        target.write_bytes(b"the good file")
        self.refused(
            run("train.py", "polish", "--data", self.root / "data", "--out", self.trained), "another configuration"
        )
        self.refused(run("export_gguf.py", "mini", "--out", self.trained, "--to", target), "another configuration")
        self.assertEqual(checkpoint.read_bytes(), before)
        self.assertEqual(target.read_bytes(), b"the good file")

    def test_a_broken_checkpoint_never_replaces_the_exported_file(self):
        import torch

        broken, target = self.copy_of_prepared("broken"), self.root / "kept.gguf"
        target.write_bytes(b"the good file")
        stored = torch.load(self.trained / "checkpoint.pt")
        stored["model"]["blk.0.attn_q.weight"][0, 0] = float("nan")
        torch.save(stored, broken / "checkpoint.pt")
        self.refused(run("export_gguf.py", "tiny", "--out", broken, "--to", target), "not numbers")
        (broken / "checkpoint.pt").write_bytes((self.trained / "checkpoint.pt").read_bytes()[:5000])
        self.refused(run("export_gguf.py", "tiny", "--out", broken, "--to", target), "not a readable checkpoint")
        self.assertEqual(target.read_bytes(), b"the good file")
        self.assertEqual(list(self.root.glob("*.unfinished")), [])


def compare_with_llama_cpp(file: Path, reference: Path) -> subprocess.CompletedProcess:
    command = ["node", str(HERE.parent / "tools" / "compare-model.mjs"), str(file), str(reference)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def has_matplotlib() -> bool:
    return subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True).returncode == 0


if __name__ == "__main__":
    unittest.main(verbosity=2)
