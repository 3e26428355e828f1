"""Tests of the generators.

python3 test_generators.py      # NumPy needed, but no data folder and no PyTorch
"""

import re
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from evaluation import score
from generate import generate_rows, matching
from generate.draw import Draw
from generate.handwritten import RENDERERS, Records, conversations, labels, limits, read_records
from generate.handwritten.vary import Variations, numbers_stand_in
from generate.places import KINDS, KITCHENS, place, renamed
from generate.words import CITIES, FIRST_NAMES, SURNAMES
from settings import load_settings
from test_data import make_handwritten


class Generators(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.data = Path(cls.folder.name)
        make_handwritten(cls.data / "handwritten")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_descriptions_of_places_state_every_fact_and_no_other(self):

        draw = Draw(1)
        known = [value for value in {*KINDS, *KITCHENS} if value != "restaurant"]
        for _ in range(300):
            asked, told = (m["content"] for m in place(draw)["messages"])
            record = score.record_of(asked[asked.index("name[") :])
            self.assertEqual(
                (score.share_stated(record, told), score.has_invented(record, told, known)), (1, 0), (asked, told)
            )
        asked, told = (
            m["content"]
            for m in renamed(draw, "name[Aromi], eatType[pub], area[riverside]", "Aromi is a riverside pub.")[
                "messages"
            ]
        )
        record = dict(score.record_of(asked[asked.index("name[") :]))
        self.assertTrue(told.startswith(record["name"]) and told.endswith(f" riverside {record['eatType']}."), told)
        self.assertNotIn("Aromi", asked + told)

    def test_training_never_draws_held_out_wordings(self):

        for size in range(4, 40):
            bank = list(range(size))
            trained, held = (
                {draw.wording(bank) for _ in range(40 * size)} for draw in (Draw(1), Draw(1, held_out=True))
            )
            self.assertEqual(trained & held, set())
            self.assertEqual(trained | held, set(bank))

    def test_generated_rows_are_complete_and_repeatable(self):

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

    def test_hand_written_records_give_conversations_that_contain_the_answers(self):

        for kind in RENDERERS:
            made = conversations(read_records(self.data), kind, 300, Draw(kind))
            self.assertEqual(made, conversations(read_records(self.data), kind, 300, Draw(kind)), kind)
            for messages in made:
                self.assertEqual(messages[-1]["role"], "assistant")
                self.assertTrue(all(message["content"].strip() for message in messages), messages)
                if kind in ("extracts", "questions"):
                    said = messages[-2]["content"] + messages[0]["content"] + messages[1]["content"]
                    answer = messages[-1]["content"]
                    self.assertTrue(
                        answer in said or answer in ("The text does not say.", "True", "False", "Yes", "No"), messages
                    )

    def test_requests_for_a_label_keep_the_instruction_that_they_need(self):

        record = self.label_record("Is it within the rules?", ["yes", "no"])
        self.assertTrue(labels.needs_instruction(record))
        self.assertTrue(labels.needs_instruction(self.label_record("Is it above 20 euros?", ["dear", "cheap"])))
        self.assertFalse(labels.needs_instruction(self.label_record("Sort the mail", ["bills", "letters"])))
        made = ["\n".join(m["content"] for m in messages[:2]) for messages in self.label_conversations(record)]
        complete = [text for text in made if "rules" in text]
        self.assertGreater(len(complete), 0.95 * len(made))  # hurried typing changes a letter in some

    def test_texts_and_labels_of_a_set_vary(self):

        record = self.label_record("Sort the mail", ["bills", "letters"])
        other = self.label_record("Sort the fruit", ["apples", "pears"])
        draw = Draw(6)
        handwritten = Records({"labels": [record, other], "messages": [], "prose": [], "extract": []})
        with unittest.mock.patch.object(labels, "SENTIMENT_CHANCE", 0):
            made = [labels.conversation(draw, handwritten, None) for _ in range(600)]
        told = ["\n".join(m["content"] for m in messages).lower() for messages in made]
        mixed = [text for text in told if re.search("bills|letters", text) and re.search("apples|pears", text)]
        self.assertGreater(len(mixed), 0.05 * len(told))
        self.assertLess(len(mixed), 0.3 * len(told))
        text = record["items"][0]["text"]
        worn = {labels.worn(draw, text) for _ in range(300)}
        self.assertGreater(len(worn), 40)
        self.assertTrue(all("0" in one and "NOT" in one.upper().split() for one in worn), worn)
        self.assertEqual({labels.worn(draw, "A short text stays.") for _ in range(50)}, {"A short text stays."})
        self.assertTrue(labels.about_form(self.label_record("Is it a question?", ["q", "s"])))

    @staticmethod
    def label_record(instruction: str, names: list[str]) -> dict:
        items = [
            {"text": f"Nobody knows the price of number {i}, but it was not very high.", "label": names[i % len(names)]}
            for i in range(6)
        ]
        return {"instruction": instruction, "labels": names, "hints": {}, "items": items}

    def label_conversations(self, *records: dict) -> list[list[dict]]:
        """Returns conversations on the records, and no requests for the sentiment of a text."""
        draw = Draw(5)
        handwritten = Records({"labels": list(records), "messages": [], "prose": [], "extract": []})
        with unittest.mock.patch.object(labels, "SENTIMENT_CHANCE", 0):
            return [labels.conversation(draw, handwritten, None) for _ in range(400)]

    def test_a_question_is_answered_only_from_the_sentences_that_the_request_keeps(self):

        text = "The pump costs 45 euros. It comes on 3 May. Call Vera Tarn soon. We need two keys. Bring a rope."
        pairs = [("price", "45 euros"), ("day", "3 May"), ("caller", "Vera Tarn"), ("tool", "rope")]
        record = {
            "text": text,
            "qa": [{"q": f"Which {name} is it?", "a": value} for name, value in pairs],
            "asks": [{"ask": f"Which {name} is it?", "value": value} for name, value in pairs],
            "record": dict(pairs),
            "fields": dict(pairs),
            "ask_record": "price, day, caller, tool as JSON",
            "ask_fields": "price, day, caller, tool as JSON",
            "unanswerable": "Who built it?",
            "missing": "colour",
        }
        own = Records({kind: [record] for kind in ("messages", "prose", "extract")})
        for kind in ("questions", "extracts", "records"):
            seen = set()
            for messages in conversations(own, kind, 300, Draw(kind)):
                asked = "\n".join(m["content"] for m in messages if m["role"] != "assistant").lower()
                told = "\n".join(m["content"] for m in messages if m["role"] == "assistant")
                ends = [mark in asked for mark in ("pump costs", "bring a")]
                seen.add(all(ends))
                if not all(ends) and kind == "records" and "{" in told and "null" in told:
                    self.assertIn("null" if "missing" not in asked else "missing", asked)
                for name, sentence in (("price", "pump costs"), ("day", "it comes"), ("tool", "bring a")):
                    if f"which {name} is it?" in asked and sentence not in asked:
                        self.assertIn("The text does not say.", told)
            self.assertEqual(seen, {True, False}, kind)

    def test_sums_beyond_the_limits_are_none_of_those_that_are_taught(self):

        draw = Draw(1)
        asked = [limits.sums(draw)[0] for _ in range(3000)]
        percentages = {int(n) for ask in asked for n in re.findall(r"(?<![.\d])(\d+)(?:%| percent)", ask)}
        self.assertGreater(len(percentages), 50)
        self.assertEqual(percentages & {10, 20, 25, 50, 100}, set())
        for kind in ("cube root", r"x\^2"):
            self.assertTrue(any(re.search(kind, ask) for ask in asked), kind)

    def test_exchanged_digits_and_names_agree_in_text_answers_and_record(self):

        records, draw = read_records(self.data), Draw(3)
        variations = Variations(records)
        changed = [variations.of(draw, records.by_kind["messages"][0], digits=1, names=1) for _ in range(20)]
        self.assertGreater(len({record["text"] for record in changed}), 10)
        for record in changed:
            self.assertTrue(all(one["a"] in record["text"] for one in record["qa"]), record)
            self.assertIn(str(record["record"]["price"]), record["text"])
            self.assertIn(record["record"]["phone"], record["text"])

    def test_the_next_run_draws_other_texts_than_the_runs_of_the_bundled_file(self):

        self.assertNotIn(load_settings("polish").seed, (1, 2))

    def test_people_become_people_and_places_become_places(self):

        text = (
            "On Wed 3 Jan at 11 am, Mr Osgarth took the British tram from Velmora. "
            "It rains in Velmora. Mr Osgarth said no."
        )
        variations, draw = Variations(Records({"messages": [{"text": text}], "prose": [], "extract": []})), Draw(2)
        people, places = set(), set()
        for _ in range(60):
            made = variations.of(draw, {"text": text}, digits=1, names=1)["text"]
            found = re.fullmatch(
                r"On Wed (.+) Jan at (.+) am, Mr (.+) took the British tram from (.+)\. "
                r"It rains in \4\. Mr \3 said no\.",
                made,
            )
            self.assertTrue(found, made)
            self.assertLessEqual(int(found[2]), 12, made)
            people.add(found[3])
            places.add(found[4])
        self.assertGreater(min(len(people), len(places)), 10)
        self.assertFalse(people & set(CITIES) | places & {*FIRST_NAMES, *SURNAMES})

    def test_fewer_drills_leave_as_many_long_texts(self):
        from texts import mixes

        public = mixes.Public()
        public.prose = ["A page."]
        page = {"messages": []}
        with (
            unittest.mock.patch.object(mixes, "drills", lambda public, draw, count, longest: [[]] * count),
            unittest.mock.patch.object(mixes, "hidden", lambda *_: page),
            unittest.mock.patch.object(mixes, "encoded", lambda tokenizer, chats: chats),
        ):
            made = {
                name: len(mixes.long_texts(load_settings(name), public, None, Draw(1))) for name in ("mini", "polish")
            }
        self.assertEqual(made, {"mini": 4800, "polish": 4800})

    def test_small_portions_contain_rows_of_small_sources_in_their_share(self):
        from texts import mixes

        public = mixes.Public()
        public.rows = {name: [{"source": name}] * 50 for name in ("openstax_physics", "qmsum", "oasst100", "snips")}
        draw, portions = Draw(1), 1000
        with unittest.mock.patch.object(mixes, "conversations_of", lambda row, draw: [[row]]):
            made = [
                chat[0]["source"]
                for _ in range(portions)
                for chat in mixes.public_chats(public, load_settings("mini"), 1, draw, 0.001)
            ]
        for name, wanted in (("openstax_physics", 60), ("qmsum", 80), ("oasst100", 200), ("snips", 24_000)):
            self.assertAlmostEqual(made.count(name) / wanted, 1, delta=0.35, msg=name)

    def test_a_gap_stands_for_a_whole_word_of_its_sentence(self):
        prose = [
            "Norwegian sailors crossed the Atlantic. McDonald walked through Edinburgh with iPhones. "
            "The harbour was quiet. It couldn't be over, said Winterbottom. Clouds gathered above Copenhagen."
        ]
        draw = Draw(1)
        for _ in range(300):
            *asked, answer = (message["content"] for message in matching.gap(draw, prose)["messages"])
            self.assertIn("___", "\n".join(asked))
            for rest in ("orwegian", "tlantic", "onald", "dinburgh", "hones", "couldn", "interbottom", "openhagen"):
                self.assertNotRegex("\n".join([*asked, answer]), rf"\b{rest}\b(?!')")

    def test_a_number_that_the_text_spells_out_keeps_its_digits(self):

        self.assertFalse(numbers_stand_in({"record": {"keys": 2}}, "Two keys for 12 euros."))
        self.assertTrue(numbers_stand_in({"record": {"rooms": 2, "price": 2100.0}}, "2 rooms, 2,100 a month"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
