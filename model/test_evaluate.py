"""The evaluation's scoring on small cases, and its sentences when something is missing, in a few seconds.

    python3 test_evaluate.py
"""
import json
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import evaluate
import handwritten_sets
import score
from questions import QUESTIONS

HERE = Path(__file__).parent
COMPLETION = {"choices": [{"message": {"role": "assistant", "content": "play music"}, "finish_reason": "stop"}], "system_fingerprint": "fp_test"}
MODELS = {"data": [{"id": "svc-test"}]}


class Answers(unittest.TestCase):
    def test_exact_match_forgives_case_and_a_final_stop_only(self):
        self.assertEqual(score.exact(" Play Music.\n", ["play music"]), 1)
        self.assertEqual(score.exact("play music, I think", ["play music"]), 0)
        self.assertEqual(score.exact("", ["play music"]), 0)

    def test_squad(self):
        self.assertEqual(score.squad_exact("The Denver Broncos!", ["Denver Broncos"]), 1)
        self.assertAlmostEqual(score.squad_f1("the Broncos of Denver", ["Denver Broncos", "New York"]), 0.8)
        self.assertEqual(score.squad_f1("", ["Denver"]), 0)

    def test_rouge_l_takes_the_best_reference_in_order(self):
        self.assertEqual(score.rouge_l("A b c.", ["a b c"]), 1)
        self.assertAlmostEqual(score.rouge_l("c a b", ["a b c", "x"]), 2 / 3)
        self.assertEqual(score.rouge_l("", ["a"]), 0)

    def test_the_last_number_counts(self):
        self.assertEqual(score.same_number("3 + 4 = 7.", "7"), 1)
        self.assertEqual(score.same_number("The answer is 1,200", "That makes 1200."), 1)
        self.assertEqual(score.same_number("7 is 3 plus 4", "7"), 0)
        self.assertEqual(score.same_number("I do not know", "7"), 0)

    def test_mean_and_error(self):
        self.assertEqual(score.mean_and_error([1, 1, 1]), (1, 0))
        mean, error = score.mean_and_error([0, 1] * 50)
        self.assertEqual((mean, round(error, 3)), (0.5, 0.05))

    def test_the_best_overlap_sentence(self):
        text = "Rome is old. The river Tiber flows through Rome. It rains."
        self.assertEqual(score.best_overlap_sentence(text, "Which river flows through Rome?"), "The river Tiber flows through Rome.")

    def test_naive_bayes_chooses_among_the_options(self):
        bayes = score.NaiveBayes([("play a song", "music"), ("play some jazz", "music"), ("will it rain", "weather"), ("book a table", "food")])
        self.assertEqual(bayes.choose("play jazz", ["weather", "music"]), "music")
        self.assertEqual(bayes.choose("play rain", ["weather", "food"]), "weather")
        self.assertEqual(bayes.choose("play jazz", ["never seen", "weather"]), "weather")
        self.assertEqual(bayes.majority(), "music")


class Records(unittest.TestCase):
    record = score.record_of("name[The Mill], eatType[pub], customer rating[3 out of 5], familyFriendly[no], near[Raja Indian Cuisine]")
    vocabulary = ["The Mill", "pub", "coffee shop", "Indian", "Raja Indian Cuisine", "3 out of 5", "high"]

    def test_what_is_said(self):
        self.assertEqual(score.record_said(self.record, "The Mill is a pub near Raja Indian Cuisine, rated 3/5. It isn't family-friendly."), 1)
        self.assertEqual(score.record_said(self.record, "The Mill is a public house, rated three out of five. Families are welcome."), 0.4)
        twice = score.record_of("priceRange[high], customer rating[high]")
        self.assertEqual(score.record_said(twice, "It has a high price."), 0.5)
        self.assertEqual(score.record_said(twice, "Highly rated, with high prices."), 1)

    def test_what_is_invented(self):
        self.assertEqual(score.record_invented(self.record, "The Mill is a pub near Raja Indian Cuisine, not for children.", self.vocabulary), 0)
        self.assertEqual(score.record_invented(self.record, "The Mill serves Indian food.", self.vocabulary), 1)
        self.assertEqual(score.record_invented(self.record, "The Mill is kid friendly.", self.vocabulary), 1)
        self.assertEqual(score.record_invented([("name", "The Mill")], "The Mill is not family friendly.", self.vocabulary), 1)

    def test_families(self):
        self.assertEqual(score.family_friendly("It is not expensive, and it is child friendly."), "yes")
        self.assertEqual(score.family_friendly("A family friendly restaurant."), "yes")
        self.assertEqual(score.family_friendly("Children are not welcome."), "no")
        self.assertEqual(score.family_friendly("An adults-only pub."), "no")
        self.assertIsNone(score.family_friendly("A restaurant on the riverside."))

    def test_the_template_says_all_and_invents_nothing(self):
        text = score.record_template(self.record)
        self.assertEqual((score.record_said(self.record, text), score.record_invented(self.record, text, self.vocabulary)), (1, 0))

    def test_values_stand_there_as_whole_words(self):
        names = [("", "Ann"), ("", "5")]
        self.assertEqual(score.record_said(names, "anna at 15, ANN at 5"), 1)
        self.assertEqual(score.record_said(names, "anna at 15"), 0)


class Chat(unittest.TestCase):
    def test_real_words(self):
        known = {"the", "cat", "sat", "don't"}
        self.assertTrue(score.words_are_real("The cat don’t sat.", known))
        self.assertTrue(score.words_are_real("42", known))
        self.assertFalse(score.words_are_real("the cat sat glorb", known))
        self.assertFalse(score.words_are_real("the the cat sat", known))
        self.assertFalse(score.words_are_real(" \n", known))

    def test_loops(self):
        self.assertTrue(score.loops("it is a dog. " * 3))
        self.assertFalse(score.loops("it is a dog. " * 2))

    def test_forms(self):
        kept = [("Cold.", "one_word"), ("HI 5!", "upper_case"), ("No.", "only_yes_no"), ("ahoy, you", "starts_with Ahoy"), ("a b", "at_most 2"),
                ("Warm. Have a nice day!", "ends_with Have a nice day"), ("apple, pear and plum.", "items 3"),
                ("Three: apple, pear, plum", "items 3"),
                ("1. red\n2. blue\n3. green", "items 3"), ("Late, so we went.", "one_sentence"), ("The moon\nat noon", "lines 2")]
        broken = [("It is cold", "one_word"), ("", "one_word"), ("Hi", "upper_case"), ("5", "upper_case"), ("No, never", "only_yes_no"),
                  ("a b c", "at_most 2"), ("", "at_most 2"), ("- red\n- red\n- blue", "items 3"), ("red, blue, green, red", "items 3"),
                  ("One. Two.", "one_sentence")]
        for reply, form in kept + broken:
            self.assertEqual(score.keeps_form(reply, form), (reply, form) in kept, (reply, form))

    def test_a_hundred_different_conversations_with_known_forms(self):
        self.assertEqual(len({(question.system, question.says) for question in QUESTIONS}), 100)
        for question in QUESTIONS:
            for form in question.forms:
                self.assertIn(score.keeps_form("x", form), (True, False))

    def test_friendly_but_empty_replies_fail_nearly_everywhere(self):
        empty = {"I'm here to answer your questions.": 4, "I'm sorry, I don't know.": 9, "": 0, "Hello! How can I help you today?": 6}
        for text, most in empty.items():
            passed = [question for question in QUESTIONS if all(evaluate.criteria(question, [evaluate.Reply(text, "stop")], KNOWN).values())]
            self.assertLessEqual(len(passed), most, [question.says for question in passed])

    def test_a_good_reply_passes_and_a_cut_one_does_not(self):
        question = next(question for question in QUESTIONS if question.remembers == "kiko")
        nice = evaluate.Reply("Nice to meet Kiko.", "stop")
        for text, finish, passes in [("Your parrot is called Kiko.", "stop", True), ("Your parrot is called Kiko", "length", False),
                                     ("Your parrot is called Pip.", "stop", False)]:
            self.assertEqual(all(evaluate.criteria(question, [nice, evaluate.Reply(text, finish)], KNOWN).values()), passes, text)


KNOWN = set("i'm i here to answer your questions sorry don't know hello how can help you today nice meet is called parrot pip".split())


class Generated(unittest.TestCase):
    def scored(self, measures: list[evaluate.Measure]) -> list[float]:
        return [score.mean_and_error(one.values)[0] for one in measures]

    def test_slots_may_be_a_list_or_named(self):
        named = {"who": "Bob", "age": 7, "familyFriendly": "no", "pets": "yes", "parking": "no"}
        cases = [case_of("data_to_text", "x", "y", slots=["Ann", "Rome"]), case_of("data_to_text", "x", "y", slots=named)]
        told = "Bob is 7, no families. A pet is fine, but you cannot find parking."
        replies = [[evaluate.Reply("Ann is here.", "stop")], [evaluate.Reply(told, "stop")]]
        self.assertEqual(evaluate.score_descriptions(cases, replies)[0].values, [0.5, 1])

    def test_any_of_the_answers_is_right_and_else_the_reference(self):
        cases = [case_of("lookup", "x", "Ann", answers=["Ann", "Ann Lee"]), case_of("lookup", "x", "Rome")]
        replies = [[evaluate.Reply("ann lee.", "stop")], [evaluate.Reply("Paris", "stop")]]
        self.assertEqual(self.scored(evaluate.score_texts(cases, replies)), [0.5])

    def test_the_rest_is_told_by_task(self):
        cases = [case_of("repeat", "x", "a"), case_of("repeat", "x", "b"), case_of("count", "x", "3")]
        replies = [[evaluate.Reply("a", "stop")]] * 3
        self.assertEqual([(one.name, one.values) for one in evaluate.score_rest(None, cases, replies)],
                         [("count, exact match (1 rows)", [0]), ("repeat, exact match (2 rows)", [1, 0])])


def case_of(task: str, asked: str, answer: str, **meta) -> evaluate.Case:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return evaluate.cases_of([{"task": task, "messages": messages, "meta": meta}], 40)[0]


class HandWritten(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = Path(cls.folder.name) / "handwritten"
        folder.mkdir()
        qa = [{"q": "When?", "a": "on Monday"}]
        records = {
            "labels": [{"instruction": "Which mood", "labels": ["glad", "sad"], "hints": {}, "items": [{"text": "Hurray!", "label": "glad"}, {"text": "Oh dear.", "label": "sad"}]},
                       {"instruction": "Where?", "labels": ["in", "out"], "hints": {"in": "under a roof"}, "items": [{"text": "In the hall.", "label": "in"}]}],
            "extract": [{"text": "2 keys for Ann", "asks": [{"ask": "Who?", "value": "Ann"}], "fields": {"keys": 2, "who": "Ann", "rush": False, "tags": ["a"]}, "ask_fields": "keys, who, rush, tags as JSON", "missing": "price"}],
            "messages": [{"text": "We meet on Monday.", "qa": qa, "unanswerable": "Why?", "record": None, "ask_record": ""}],
            "prose": [{"text": "It rained on Monday.", "qa": qa, "unanswerable": "Why?"}],
            "facts": [{"q": "How many legs has a cat?", "a": "Four."}],
            "writing": [{"user": "haiku on rain", "assistant": "Rain."}],
            "chat": [{"kind": "limits", "messages": [{"role": "user", "content": "Draw a cat"}, {"role": "assistant", "content": "I can't draw."}]},
                     {"kind": "system", "messages": [{"role": "system", "content": "Never use more than three words."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello there."},
                                                     {"role": "user", "content": "Bye"}, {"role": "assistant", "content": "See you."}]}],
        }
        for kind, rows in records.items():
            (folder / f"{kind}.dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def asked(self, name: str, *replies: str) -> tuple[list, list[evaluate.Measure]]:
        """The cases of a set, and its measures when these replies are given in turn."""
        data = type("Data", (), {"folder": Path(self.folder.name)})
        chosen = next(one for one in handwritten_sets.HANDWRITTEN_SETS if one.name == name)
        cases = chosen.build(data, 100)
        return cases, chosen.score(data, cases, [[evaluate.Reply(text, "stop")] for text in replies])

    def test_every_set_is_asked_at_temperature_0_and_again_at_the_default(self):
        names = [one.name for one in handwritten_sets.HANDWRITTEN_SETS]
        self.assertEqual(names[1::2], [f"{name}_default" for name in names[::2]])
        cases, _ = self.asked("hand_facts_default", "Four")
        self.assertIsNone(cases[0].temperature)
        self.assertEqual(self.asked("hand_facts", "Four")[0][0].temperature, 0)

    def test_labels_count_apart_where_they_are_opinions(self):
        cases, measures = self.asked("hand_labels", "Glad.", "glad", "in")
        self.assertIn("Which mood.\nLabels: glad, sad\n\nHurray!", cases[0].messages[0]["content"])
        self.assertIn("in: under a roof\nout: out", cases[2].messages[0]["content"])
        self.assertEqual([(one.name, one.values) for one in measures],
                         [("accuracy", [1, 0, 1]), ("accuracy, sentiment and opinion (2 rows)", [1, 0]), ("names one of the options", [1, 1, 1])])
        self.assertEqual(measures[0].baselines, {"chance": 0.5})

    def test_a_record_is_asked_for_under_its_schema_and_counted_by_field(self):
        cases, measures = self.asked("hand_records", '{"keys": 2.0, "who": "ann", "rush": 0, "tags": ["a"]}')
        schema = cases[0].response_format["json_schema"]["schema"]
        self.assertEqual(list(schema["properties"]), ["keys", "who", "rush", "tags"])
        self.assertEqual(schema["properties"]["tags"], {"type": "array", "items": {"type": "string"}})
        self.assertEqual([one.values for one in measures], [[1, 1, 0, 1], [1]])
        self.assertEqual([one.values for one in self.asked("hand_records", '{"keys": 2, "who"')[1]], [[0, 0, 0, 0], [0]])

    def test_a_refusal_counts_against_answers_and_for_what_the_text_does_not_say(self):
        exact, f1, refused = self.asked("hand_messages", "The text does not say.")[1]
        self.assertEqual((exact.values, f1.values, refused.values), ([0], [0], [1]))
        self.assertEqual([one.values for one in self.asked("hand_prose", "On Monday.")[1]], [[1], [1], [0]])
        self.assertEqual(self.asked("hand_unanswerable", "The text doesn't say.", "Monday", "It is not mentioned.")[1][0].values, [1, 0, 1])

    def test_limits_and_needless_refusals(self):
        cases, _ = self.asked("hand_limits", *["x"] * 40)
        self.assertEqual(len(cases), 1 + len(handwritten_sets.BEYOND_LIMITS))
        for text, honest, refuses in [("I can't draw, but I can describe one.", True, True), ("Here is a cat.", False, False), ("That is beyond me, sorry.", True, True),
                                      ("Rain, I cannot sleep.\nIt falls.", True, False)]:
            self.assertEqual((bool(handwritten_sets.HONEST.search(text)), bool(handwritten_sets.REFUSES.search(text))), (honest, refuses), text)

    def test_a_rule_of_the_system_prompt_is_checked_on_the_last_reply(self):
        for text, kept in [("See you.", 1), ("See you again some day.", 0)]:
            self.assertEqual(self.asked("hand_rules", text)[1][0].values, [kept])

    def test_rules_are_read_from_the_words_of_a_request(self):
        kept = [("Shout it: hi", "HI"), ('Start with "Once".', "Once upon"), ('End with "over".', "It is over."), ("Put it in brackets", "(no)"), ("JSON please", '{"a": 1}'), ("Yes or no?", "Yes."),
                ("Name three birds", "owl, wren, tit"), ('Never use the word "no".', "I would not"), ("in four words", "one two three four"), ("one sentence", "It rains."), ("lower case", "hi")]
        broken = [("Shout it: hi", "Hi"), ('Start with "Once".', "A fox"), ("Put it in brackets", "no"), ("JSON please", "a: 1"), ("Name three birds", "owl, wren"), ('Never use the word "no".', "No."),
                  ("one word", "two words"), ("at most 3 words", "a b c d")]
        for asked, reply in kept + broken:
            holds = [check(reply, found) for pattern, check in handwritten_sets.RULES if (found := pattern.search(asked))]
            self.assertEqual(all(holds) and bool(holds), (asked, reply) in kept, (asked, reply))

    def test_a_fact_is_said_by_what_the_answer_adds_to_the_question(self):
        for reply, right in [("4", True), ("A cat has four legs.", True), ("A cat has legs.", False), ("four " + "or more " * 12, False)]:
            self.assertEqual(handwritten_sets.says_fact(reply, "Four.", "How many legs has a cat?"), right, reply)
        self.assertTrue(handwritten_sets.says_fact("No.", "No, it can break.", "Is thin ice safe?"))
        self.assertFalse(handwritten_sets.says_fact("Yes, it can break.", "No, it can break.", "Is thin ice safe?"))

    def test_twenty_first_requests_and_what_meets_them(self):
        self.assertEqual(len({question.says for question in handwritten_sets.FIRST_REQUESTS}), 20)
        by_start = {question.says[0][:12]: question for question in handwritten_sets.FIRST_REQUESTS}
        for start, reply, met in [("Classify the", "positive", True), ("Classify the", "I love this phone", False), ("Extract the ", "jane.doe@example.com", True), ("Return JSON ", '{"name": "Anna Smith", "age": 34}', True),
                                  ("Return JSON ", '{"name": "Anna Smith", "age": 346555}', False), ("What is a pi", "A pipit is a small songbird.", True), ("What is a pi", "A pipit is a musical instrument.", False),
                                  ("Write a Pyth", "I can't write code, but I can put the steps into words.", True), ("Write a Pyth", "5, 10, 20, 20, 20", False)]:
            self.assertEqual(handwritten_sets.meets(by_start[start], reply), met, reply)


class Pages(unittest.TestCase):
    def test_the_text_stands_whole_in_a_page_of_about_the_size(self):
        prose = "Some sentence that is not about it. " * 400
        for size in evaluate.PAGE_SIZES:
            page = evaluate.hide("Ann has a red kite. It flies high.", prose, size, evaluate.random.Random(1))
            self.assertIn("Ann has a red kite. It flies high.", page)
            self.assertTrue(size - 60 < len(page) <= size + 1, (size, len(page)))


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        rows = [{"source": "snips", "task": "classification_intent", "messages": [{"role": "user", "content": f"Which?\n\nMessage: {text}"},
                                                                                  {"role": "assistant", "content": label}],
                 "meta": {"label": label, "options": ["play music", "get weather"], "text": text}}
                for text, label in [("play it", "play music"), ("play a song", "play music"), ("will it rain", "get weather")]]
        for part in ("train", "dev"):
            (cls.root / "data" / part).mkdir(parents=True)
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            subprocess.run(["zstd", "-q", "-o", str(cls.root / "data" / part / "snips.jsonl.zst")], input=lines.encode(), check=True)
        cls.results = cls.root / "RESULTS.md"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.results.write_text("the last results")

    def evaluate(self, url: str, *more) -> subprocess.CompletedProcess:
        command = [sys.executable, str(HERE / "evaluate.py"), "--url", url, "--key", "sk-test", "--only", "snips", "--results", str(self.results)]
        if "--data" not in more:
            more = ("--data", self.root / "data", *more)
        return subprocess.run([*command, *map(str, more)], capture_output=True, text=True, timeout=20)

    def refused(self, result: subprocess.CompletedProcess, words: str):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(result.stderr.strip().split("\n")), 1, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(self.results.read_text(), "the last results")
        self.assertFalse(list(self.root.glob("*.unfinished")))

    def test_no_service(self):
        with serving([]) as url:
            pass
        self.refused(self.evaluate(url), f"The service at {url} does not answer")

    def test_a_wrong_key(self):
        with serving([(401, {"error": {"message": "no"}})]) as url:
            self.refused(self.evaluate(url), "refuses the key")

    def test_something_else_answers(self):
        with serving([(200, {"hello": "world"})]) as url:
            self.refused(self.evaluate(url), "is not a chat-completion service")

    def test_no_data_folder_and_half_of_one(self):
        self.refused(self.evaluate("http://127.0.0.1:9", "--data", self.root / "none"), "train is missing")
        self.refused(self.evaluate("http://127.0.0.1:9", "--only", "snips", "banking77"), "dev/banking77.jsonl.zst is missing")

    def test_a_service_that_fails_half_way(self):
        with serving([(200, MODELS), (200, COMPLETION), (400, {"error": {"message": "bad words"}})]) as url:
            self.refused(self.evaluate(url, "--parallel", 1), "with 400: bad words")

    def test_busy_and_then_answered(self):
        with serving([(503, {}), (200, MODELS), (503, {}), (429, {}), (200, COMPLETION)]) as url:
            result = self.evaluate(url, "--parallel", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        written = self.results.read_text()
        self.assertIn("| snips | 3 | exact match | 0.667 ± 0.333 | ≥ 0.97 | majority 0.667, chance 0.500, naive Bayes 1.000 | **no** |", written)
        self.assertIn("`svc-test`, fingerprint `fp_test`", written)
        self.assertFalse(list(self.root.glob("*.unfinished")))

    def test_a_service_that_stays_busy_is_given_up(self):
        with serving([(200, MODELS), (503, {"error": {"message": "all slots are taken"}})]) as url:
            self.refused(self.evaluate(url, "--parallel", 1), "at last said 503 all slots are taken")


class serving:
    """A service that gives these answers in turn, and the last one again and again."""

    def __init__(self, answers: list[tuple[int, dict]]):
        self.answers, lock = list(answers), threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def answer(handler):
                handler.rfile.read(int(handler.headers.get("content-length") or 0))
                with lock:
                    status, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                handler.send_response(status)
                handler.send_header("retry-after-ms", "5")
                handler.end_headers()
                handler.wfile.write(json.dumps(body).encode())

            do_GET = do_POST = answer

            def log_message(handler, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> str:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
