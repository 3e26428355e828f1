"""The whole recipe on a tiny data folder made here, in about a minute.

    python3 test_recipe.py

The comparison with llama.cpp needs Node and the repository's `npm ci`; without them it is skipped, and says so.
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

HERE = Path(__file__).parent
PYTHON_ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1"}


def run(script: str, *arguments) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(HERE / script), *map(str, arguments)], capture_output=True, text=True,
                          env=PYTHON_ENVIRONMENT, timeout=600)


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

    def test_training_lowers_the_loss_and_says_how_far_it_is(self):
        losses = [float(loss) for loss in re.findall(r" loss (\d+\.\d+)  ", self.training_log)]
        self.assertLess(losses[-1], losses[0])
        self.assertRegex(self.training_log, r"tokens/s  \d+\.\d %  \d+ min left")

    def test_the_loss_curve_is_a_picture(self):
        if not has_matplotlib():
            self.skipTest("matplotlib is not installed")
        self.assertEqual((self.trained / "loss.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_the_exported_file_reads_back_and_answers(self):
        self.assertEqual(self.exported.returncode, 0, self.exported.stderr)
        self.assertIn("sha256", self.exported.stdout)
        reply = run("verify.py", self.file, "Hi")
        self.assertEqual(reply.returncode, 0, reply.stderr)

    def test_llama_cpp_gives_what_pytorch_gives(self):
        if not shutil.which("node") or not (HERE.parent / "node_modules" / "node-llama-cpp").is_dir():
            self.skipTest("Node or node_modules is missing")
        for file in (self.file, HERE / "svc-o1-mini.gguf"):
            with self.subTest(file=file.name):
                reference = self.root / f"{file.stem}.json"
                written = run("verify.py", file, "--reference", reference)
                self.assertEqual(written.returncode, 0, written.stderr)
                compared = subprocess.run(["node", str(HERE / "compare.mjs"), str(file), str(reference)], capture_output=True, text=True, timeout=600)
                self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
                found = json.loads(compared.stdout)
                self.assertEqual((found["prompts"], found["sameIds"]), (10, 10))

    def test_a_changed_weight_is_noticed_in_llama_cpp(self):
        if not shutil.which("node") or not (HERE.parent / "node_modules" / "node-llama-cpp").is_dir():
            self.skipTest("Node or node_modules is missing")
        reference, changed = self.root / "before.json", self.root / "changed.gguf"
        run("verify.py", self.file, "--reference", reference)
        content = bytearray(self.file.read_bytes())
        content[-30_000::5] = bytes(b ^ 0x80 for b in content[-30_000::5])   # signs of weights in every layer
        changed.write_bytes(content)
        compared = subprocess.run(["node", str(HERE / "compare.mjs"), str(changed), str(reference)], capture_output=True, text=True, timeout=600)
        self.assertEqual(compared.returncode, 1, compared.stdout)

    def test_one_command_builds_everything_and_goes_on_where_it_was(self):
        out, file = self.root / "built", self.root / "built.gguf"
        built = run("build.py", "tiny", "--data", self.root / "data", "--out", out, "--to", file)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(file.read_bytes(), self.file.read_bytes())
        again = run("build.py", "tiny", "--data", self.root / "data", "--out", out, "--to", file)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("prepared already", again.stdout)
        (out / "prepared.json").write_text("other settings")
        self.refused(run("build.py", "tiny", "--data", self.root / "data", "--out", out, "--to", file), "choose another --out")

    def test_preparing_twice_gives_the_same_files(self):
        again = self.root / "again"
        run("prepare.py", "tiny", "--data", self.root / "data", "--out", again)
        for path in self.prepared.iterdir():
            self.assertEqual(path.read_bytes(), (again / path.name).read_bytes(), path.name)

    def test_a_killed_run_ends_with_the_same_weights(self):
        killed = self.copy_of_prepared("killed")
        process = subprocess.Popen([sys.executable, str(HERE / "train.py"), "tiny", "--out", str(killed)], env=PYTHON_ENVIRONMENT,
                                   stdout=subprocess.PIPE, text=True)
        deadline = time.time() + 60
        for line in process.stdout:
            if "step    20 " in line or time.time() > deadline:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        continued = run("train.py", "tiny", "--out", killed)
        self.assertEqual(continued.returncode, 0, continued.stderr)
        self.assertRegex(continued.stdout, r"continuing after step (19|2\d|3\d)")
        same = run("export_gguf.py", "tiny", "--out", killed, "--to", self.root / "killed.gguf")
        self.assertEqual(same.returncode, 0, same.stderr)
        self.assertEqual((self.root / "killed.gguf").read_bytes(), self.file.read_bytes())

    def test_an_unknown_configuration_fails_in_one_sentence(self):
        for script in ("train.py", "export_gguf.py"):
            self.refused(run(script, "nonsense", "--out", self.trained), "no configuration 'nonsense'")
        self.refused(run("prepare.py", "nonsense", "--data", self.root / "data", "--out", self.root / "none"), "no configuration 'nonsense'")
        self.assertFalse((self.root / "none").exists())

    def test_half_a_data_folder_fails_in_one_sentence(self):
        half = self.root / "half"
        shutil.copytree(self.root / "data", half)
        (half / "train" / "snips.jsonl.zst").unlink()
        self.refused(run("prepare.py", "tiny", "--data", half, "--out", self.root / "none"), "incomplete", "train/snips.jsonl.zst")
        self.assertFalse((self.root / "none").exists())

    def test_the_loss_and_its_gradients_are_those_of_a_weighted_cross_entropy(self):
        sys.path.insert(0, str(HERE))
        import torch
        from model import OutputLoss
        torch.manual_seed(0)
        x, weight = (torch.randn(count, 32, requires_grad=True) for count in (300, 50))
        targets, shares = torch.randint(0, 50, (300,)), torch.rand(300)
        loss = OutputLoss.apply(x, weight, targets, shares)
        expected = (torch.nn.functional.cross_entropy(x @ weight.t(), targets, reduction="none") * shares).sum() / shares.sum()
        self.assertAlmostEqual(loss.item() / expected.item(), 1, delta=0.01)   # the fast one multiplies in bfloat16
        for found, right in zip(torch.autograd.grad(loss, (x, weight)), torch.autograd.grad(expected, (x, weight))):
            self.assertLess((found - right).abs().max().item(), 0.03 * right.abs().max().item())

    def test_each_answer_counts_by_the_root_of_its_length(self):
        sys.path.insert(0, str(HERE))
        import numpy as np
        from batches import equal_answers
        self.assertEqual(equal_answers(np.array([0, 1, 1, 1, 1, 0, 0, 1], np.uint8)).tolist(), [0, 0.5, 0.5, 0.5, 0.5, 0, 0, 1])

    def test_an_epoch_is_packed_once_and_another_order_follows(self):
        from batches import Batches
        from settings import load_settings
        batches, packed = Batches(self.prepared, load_settings("tiny")), []
        pack = batches.windows
        batches.windows = lambda *given: packed.append(given) or pack(*given)
        first = batches.next(0, 0)[0]
        in_epoch = len(batches._packed[0][1][0]) // len(first)
        for position in range(1, 2 * in_epoch + 1):
            batches.next(0, position)
        self.assertEqual(len(packed), 3)
        self.assertFalse((batches.next(0, in_epoch)[0] == first).all())

    def test_texts_of_random_tokens_ask_only_for_what_stands_in_them(self):
        from random_tokens import RandomTokens
        from tokenizer import MESSAGE_END, Tokenizer
        random = RandomTokens(Tokenizer.load(self.prepared / "tokenizer.json"), 1)
        for make in (random.copy, random.recall):
            for _ in range(50):
                ids, is_answer = make()
                edges = [i for i in range(1, len(ids)) if is_answer[i] and not is_answer[i - 1]]
                self.assertTrue(edges)
                for begin in edges:
                    end = next((i for i in range(begin, len(ids)) if not is_answer[i] or ids[i] == MESSAGE_END), len(ids))
                    wanted = ids[begin:end]
                    self.assertTrue(any(ids[i:i + len(wanted)] == wanted for i in range(begin)), (ids, wanted))

    def test_a_word_is_cut_in_the_same_places_after_a_space(self):
        sys.path.insert(0, str(HERE))
        from tokenizer import SPACE, Tokenizer
        tokenizer = Tokenizer.load(self.prepared / "tokenizer.json")
        for word in ["bird", "weather", "Norwegian", "tree", "called", "Q7", "x"]:
            alone, spaced = ([tokenizer.tokens[i] for i in tokenizer.encode(text)] for text in (word, " " + word))
            self.assertEqual(spaced, [SPACE + alone[0], *alone[1:]])
            self.assertEqual(tokenizer.decode(tokenizer.encode(" " + word)), " " + word)

    def test_descriptions_of_places_say_every_fact_and_no_other(self):
        from generate.draw import Draw
        from generate.places import KINDS, KITCHENS, place, renamed
        import score
        draw = Draw(1)
        known = [value for value in {*KINDS, *KITCHENS} if value != "restaurant"]
        for _ in range(300):
            asked, told = (m["content"] for m in place(draw)["messages"])
            record = score.record_of(asked[asked.index("name["):])
            self.assertEqual((score.record_said(record, told), score.record_invented(record, told, known)), (1, 0), (asked, told))
        asked, told = (m["content"] for m in renamed(draw, "name[Aromi], eatType[pub], area[riverside]", "Aromi is a riverside pub.")["messages"])
        record = dict(score.record_of(asked[asked.index("name["):]))
        self.assertTrue(told.startswith(record["name"]) and told.endswith(f" riverside {record['eatType']}."), told)
        self.assertNotIn("Aromi", asked + told)

    def test_held_out_wordings_never_meet_the_training(self):
        sys.path.insert(0, str(HERE))
        from generate.draw import Draw
        for size in range(4, 40):
            bank = list(range(size))
            trained, held = ({draw.wording(bank) for _ in range(40 * size)} for draw in (Draw(1), Draw(1, held_out=True)))
            self.assertEqual(trained & held, set())
            self.assertEqual(trained | held, set(bank))

    def test_generated_rows_are_whole_and_the_same_for_the_same_seed(self):
        sys.path.insert(0, str(HERE))
        from generate import generate_rows
        for held_out in (False, True):
            rows = generate_rows(1500, 7, held_out)
            self.assertEqual(rows, generate_rows(1500, 7, held_out))
            for made in rows:
                self.assertEqual(made["messages"][-1]["role"], "assistant")
                for message in made["messages"]:
                    self.assertTrue(message["content"], made)
                    self.assertEqual(message["content"], message["content"].strip(), made)
                    self.assertNotRegex(message["content"], r"\{[a-z_]+\}", made)
                if made["task"] == "reading_question":
                    said = " ".join(m["content"] for m in made["messages"][:-1])
                    answer = made["messages"][-1]["content"]
                    self.assertTrue(answer.lower() in said.lower() or answer.endswith("does not say."), made)
                if "label" in made["meta"] and made["task"] != "classification_session":
                    self.assertEqual(made["messages"][-1]["content"], made["meta"]["label"], made)

    def test_hand_written_records_give_whole_conversations_whose_answers_stand_in_the_prompt(self):
        sys.path.insert(0, str(HERE))
        from generate.draw import Draw
        from generate.handwritten import RENDERERS, conversations, read_records
        for kind in RENDERERS:
            made = conversations(read_records(self.root / "data"), kind, 300, Draw(kind))
            self.assertEqual(made, conversations(read_records(self.root / "data"), kind, 300, Draw(kind)), kind)
            for messages in made:
                self.assertEqual(messages[-1]["role"], "assistant")
                self.assertTrue(all(message["content"].strip() for message in messages), messages)
                if kind in ("extracts", "questions"):
                    said = messages[-2]["content"] + messages[0]["content"] + messages[1]["content"]
                    answer = messages[-1]["content"]
                    self.assertTrue(answer in said or answer in ("The text does not say.", "True", "False", "Yes", "No"), messages)

    def test_exchanged_digits_and_names_agree_in_text_answers_and_record(self):
        sys.path.insert(0, str(HERE))
        from generate.draw import Draw
        from generate.handwritten import read_records
        from generate.handwritten.vary import Variations
        records, draw = read_records(self.root / "data"), Draw(3)
        variations = Variations(records)
        changed = [variations.of(draw, records.by_kind["messages"][0], digits=1, names=1) for _ in range(20)]
        self.assertGreater(len({record["text"] for record in changed}), 10)
        for record in changed:
            self.assertTrue(all(one["a"] in record["text"] for one in record["qa"]), record)
            self.assertIn(str(record["record"]["price"]), record["text"])
            self.assertIn(record["record"]["phone"], record["text"])

    def test_a_number_that_the_text_says_in_words_keeps_its_digits(self):
        sys.path.insert(0, str(HERE))
        from generate.handwritten.vary import numbers_stand_in
        self.assertFalse(numbers_stand_in({"record": {"keys": 2}}, "Two keys for 12 euros."))
        self.assertTrue(numbers_stand_in({"record": {"rooms": 2, "price": 2100.0}}, "2 rooms, 2,100 a month"))

    def test_a_run_branches_off_another_that_is_left_as_it_is(self):
        before = (self.trained / "checkpoint.pt").read_bytes()
        branch = self.root / "branch"
        made = run("train.py", "tiny", "--out", branch, "--decay-from", self.trained, "--minutes", 0.02)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("finished", made.stdout)
        self.assertEqual((self.trained / "checkpoint.pt").read_bytes(), before)
        self.refused(run("train.py", "tiny", "--out", branch, "--decay-from", self.trained), "needs --minutes")

    def test_a_run_of_given_minutes_ends_with_them_and_with_rates_of_nothing(self):
        sys.path.insert(0, str(HERE))
        from settings import load_settings
        from train import progress_of, rate_share
        settings, run_so_far = load_settings("tiny"), {"step": 90, "tokens": 500, "seconds": 90.0}
        self.assertEqual(progress_of(run_so_far, settings, 2), 0.75)
        self.assertEqual(rate_share(run_so_far, 1, settings), 0)
        branched = {**run_so_far, "branched": {"tokens": 400, "seconds": 60.0}}
        self.assertEqual((progress_of(branched, settings, 1), rate_share(branched, 0.25, settings)), (0.5, 0.75))

    def test_first_come_the_stages_with_tokens_and_then_all_others_in_turn(self):
        sys.path.insert(0, str(HERE))
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
        self.refused(run("prepare.py", "tiny", "--data", self.root / "absent", "--out", self.root / "none"), "no data folder")
        self.refused(run("train.py", "tiny", "--out", self.root / "none"), "run prepare.py first")
        self.assertFalse((self.root / "none").exists())

    def test_a_checkpoint_of_another_configuration_is_refused_and_kept(self):
        checkpoint, target = self.trained / "checkpoint.pt", self.root / "other.gguf"
        before = checkpoint.read_bytes()
        target.write_bytes(b"the good file")
        self.refused(run("train.py", "mini", "--out", self.trained), "another configuration")
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


def has_matplotlib() -> bool:
    return subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True).returncode == 0


def make_data_folder(data: Path) -> None:
    weather = [chat("snips", f"What is the intent? Options: get weather, play music.\n\nMessage: will it rain on day {i}", "get weather",
                    {"label": "get weather", "options": ["get weather", "play music"], "text": f"will it rain on day {i}"}) for i in range(40)]
    stories = [{"source": "pratham_books", "task": "story", "meta": {"title": f"Tale {i}"},
                "text": f"Once there was a small bird called Pip. It lived in tree number {i} and sang every day. In 19{i + 10} it flew to Oslo. Nobody knew why. " * 4} for i in range(12)]
    facts = [chat("factbook", f"What is the capital of country {i}?", f"City {i}") for i in range(40)]
    write(data / "train", {"snips": weather, "pratham_books": stories, "factbook": facts})
    write(data / "dev", {"snips": weather[:5]})
    manifest = [{"name": name, "repo": "https://example.org", "commit": "0" * 40, "licence": "CC0", "train": {"rows": 1}} for name in ("snips", "pratham_books", "factbook")]
    (data / "MANIFEST.json").write_text(json.dumps(manifest))
    make_handwritten(data / "handwritten")


def make_handwritten(folder: Path) -> None:
    text = "Dear Ms Olin, the pump costs 45 euros and comes on 3 May. Call Vera Tarn on 555-0180. We also need two keys."
    qa = [{"q": "What does the pump cost?", "a": "45 euros"}, {"q": "Who should be called?", "a": "Vera Tarn"}]
    common = {"text": text, "title": "A pump for Ms Olin", "summary": "The pump comes on 3 May.", "qa": qa, "unanswerable": "Who built the pump?"}
    names = ["broken", "late", "wrong size", "too loud"]
    kinds = {
        "labels": [{"instruction": f"Which fault does customer {i} report?", "labels": names, "hints": {name: f"it is {name}" for name in names} if i % 2 else {},
                    "items": [{"text": f"The thing {i} that I got is {name}.", "label": name} for name in names]} for i in range(10)]
                  + [{"instruction": "Good or bad?", "labels": ["good", "bad"], "hints": {}, "items": [{"text": "A lovely day.", "label": "good"}, {"text": "An awful day.", "label": "bad"}]}],
        "messages": [{**common, "kind": "e-mail", "record": {"price": 45, "phone": "555-0180", "urgent": False}, "ask_record": "price, phone, urgent", "bullets": ["45 euros", "3 May"], "reply": "Thanks."}] * 4,
        "prose": [{**common, "topic": "news", "first_sentence_is_summary": True, "true_statement": "It comes in May.", "false_statement": "It is free.", "keywords": ["pump", "May"], "simple": "A pump comes."}] * 4,
        "extract": [{"text": text, "asks": [{"ask": "price?", "value": "45 euros"}], "fields": {"price": 45, "caller": "Vera Tarn"}, "ask_fields": "price, caller as JSON", "missing": "colour"}] * 4,
        "chat": [{"kind": "everyday", "messages": [{"role": "user", "content": "hey"}, {"role": "assistant", "content": "Hello."}]}] * 4,
        "writing": [{"kind": "haiku", "user": "haiku on rain", "assistant": "Rain on the roof.\nI stay in bed.\nIt can wait."}] * 4,
        "facts": [{"q": f"What is number {i} called?", "alt_q": f"Name number {i}.", "a": f"Name {i}."} for i in range(4)],
    }
    folder.mkdir()
    for kind, records in kinds.items():
        (folder / f"{kind}.train.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


def chat(source: str, question: str, answer: str, meta: dict | None = None) -> dict:
    messages = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    return {"source": source, "task": "test", "messages": messages, "meta": meta or {}}


def write(folder: Path, rows_of: dict[str, list]) -> None:
    folder.mkdir(parents=True)
    for name, rows in rows_of.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        subprocess.run(["zstd", "-q", "-o", str(folder / f"{name}.jsonl.zst")], input=lines.encode(), check=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
