"""Tests of the evaluation's command against a small HTTP service."""

import json
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MODEL = Path(__file__).parent.parent


COMPLETION = {
    "choices": [{"message": {"role": "assistant", "content": "play music"}, "finish_reason": "stop"}],
    "system_fingerprint": "fp_test",
}


MODELS = {"data": [{"id": "svc-test"}]}


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        rows = [
            {
                "source": "snips",
                "task": "classification_intent",
                "messages": [
                    {"role": "user", "content": f"Which?\n\nMessage: {text}"},
                    {"role": "assistant", "content": label},
                ],
                "meta": {"label": label, "options": ["play music", "get weather"], "text": text},
            }
            for text, label in [
                ("play it", "play music"),
                ("play a song", "play music"),
                ("will it rain", "get weather"),
            ]
        ]
        for part in ("train", "dev"):
            (cls.root / "data" / part).mkdir(parents=True)
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            subprocess.run(
                ["zstd", "-q", "-o", str(cls.root / "data" / part / "snips.jsonl.zst")],
                input=lines.encode(),
                check=True,
            )
        cls.results = cls.root / "RESULTS.md"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.results.write_text("the last results")

    def run_command(self, url: str, *more) -> subprocess.CompletedProcess:
        command = [
            sys.executable,
            "-m",
            "evaluation",
            "--url",
            url,
            "--key",
            "sk-test",
            "--only",
            "snips",
            "--results",
            str(self.results),
        ]
        if "--data" not in more:
            more = ("--data", self.root / "data", *more)
        return subprocess.run([*command, *map(str, more)], cwd=MODEL, capture_output=True, text=True, timeout=20)

    def refused(self, result: subprocess.CompletedProcess, words: str):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(result.stderr.strip().split("\n")), 1, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(self.results.read_text(), "the last results")
        self.assertFalse(list(self.root.glob("*.unfinished")))

    def test_no_service(self):
        with Serving([]) as url:
            pass
        self.refused(self.run_command(url), f"The service at {url} does not answer")

    def test_a_wrong_key(self):
        with Serving([(401, {"error": {"message": "no"}})]) as url:
            self.refused(self.run_command(url), "refuses the API key")

    def test_another_server_at_the_address(self):
        with Serving([(200, {"hello": "world"})]) as url:
            self.refused(self.run_command(url), "is not a chat-completion service")

    def test_no_data_folder_and_half_of_one(self):
        self.refused(self.run_command("http://127.0.0.1:9", "--data", self.root / "none"), "train is missing")
        self.refused(
            self.run_command("http://127.0.0.1:9", "--only", "snips", "banking77"), "dev/banking77.jsonl.zst is missing"
        )

    def test_a_service_that_fails_half_way(self):
        with Serving([(200, MODELS), (200, COMPLETION), (400, {"error": {"message": "bad words"}})]) as url:
            self.refused(self.run_command(url, "--parallel", 1), "with 400: bad words")

    def test_a_busy_service_is_asked_again(self):
        with Serving([(503, {}), (200, MODELS), (503, {}), (429, {}), (200, COMPLETION)]) as url:
            result = self.run_command(url, "--parallel", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        written = self.results.read_text()
        self.assertIn(
            "| snips | 3 | exact match | 0.667 ± 0.333 | ≥ 0.97 | majority 0.667, chance 0.500, naive Bayes 1.000 | "
            "**no** |",
            written,
        )
        self.assertIn("`svc-test`, fingerprint `fp_test`", written)
        self.assertFalse(list(self.root.glob("*.unfinished")))

    def test_a_service_that_stays_busy_ends_the_command(self):
        with Serving([(200, MODELS), (503, {"error": {"message": "all slots are taken"}})]) as url:
            self.refused(self.run_command(url, "--parallel", 1), "The last error was 503 all slots are taken")


class Serving:
    """A service that sends these responses in turn, and repeats the last one."""

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
