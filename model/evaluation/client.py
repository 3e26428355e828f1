"""An HTTP client of the service: conversations, retries, and errors in one sentence."""

import concurrent.futures
import http.client
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

REQUEST_SECONDS, ATTEMPTS, BROKEN_ATTEMPTS, LONGEST_WAIT = 180, 12, 3, 10.0


@dataclass
class Case:
    """A prompt, and in `then` the user's next messages, one after each reply. A temperature of None is not sent."""

    messages: list[dict]
    max_tokens: int
    row: dict = field(default_factory=dict)
    then: tuple[str, ...] = ()
    temperature: float | None = 0.0
    response_format: dict | None = None


@dataclass
class Reply:
    text: str
    finish: str


class Service:
    def __init__(self, url: str, key: str):
        self.url, self.key = url.rstrip("/"), key
        self.model, self.fingerprint = "", "unknown"
        self._has_answered = False
        try:
            self.model = self._request("/v1/models")["data"][0]["id"]
        except (KeyError, IndexError, TypeError):
            raise SystemExit(f"{self.url} is not a chat-completion service.") from None

    def talk_all(self, cases: list[Case], parallel: int) -> list[list[Reply]]:
        with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
            pending = [pool.submit(self.talk, case) for case in cases]
            try:
                return [one.result() for one in pending]
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def talk(self, case: Case) -> list[Reply]:
        """Returns the replies of a conversation, one for the prompt and one for each of the user's next messages."""
        messages, replies = list(case.messages), []
        for says in (None, *case.then):
            if says is not None:
                messages += [{"role": "assistant", "content": replies[-1].text}, {"role": "user", "content": says}]
            replies.append(self._complete(messages, case))
        return replies

    def _complete(self, messages: list[dict], case: Case) -> Reply:
        asked = {"model": self.model, "messages": messages, "max_tokens": case.max_tokens, "seed": 1}
        if case.temperature is not None:
            asked["temperature"] = case.temperature
        if case.response_format:
            asked["response_format"] = case.response_format
        body = self._request("/v1/chat/completions", asked)
        if body.get("error", {}).get("code") == "context_length_exceeded":
            return Reply("", "prompt too long")
        self.fingerprint = body.get("system_fingerprint") or self.fingerprint
        return Reply(body["choices"][0]["message"]["content"], body["choices"][0]["finish_reason"])

    def _request(self, path: str, body: dict | None = None) -> dict:
        request = urllib.request.Request(
            self.url + path,
            json.dumps(body).encode() if body else None,
            {"authorization": f"Bearer {self.key}", "content-type": "application/json"},
        )
        problem = ""
        for attempt in range(ATTEMPTS):
            try:
                with urllib.request.urlopen(request, timeout=REQUEST_SECONDS) as reply:
                    self._has_answered = True
                    return json.loads(reply.read())
            except urllib.error.HTTPError as error:
                problem = self._refused(error, path)
                if isinstance(problem, dict):
                    return problem
                time.sleep(min(LONGEST_WAIT, float(error.headers.get("retry-after-ms") or 1000 * attempt) / 1000))
            except (OSError, http.client.HTTPException) as error:
                if not self._has_answered or attempt >= BROKEN_ATTEMPTS:
                    reason = getattr(error, "reason", error)
                    raise SystemExit(
                        f"The service at {self.url} does not answer: {reason or type(reason).__name__}."
                    ) from None
                time.sleep(2)
            except ValueError:
                raise SystemExit(f"{self.url} is not a chat-completion service.") from None
        raise SystemExit(
            f"The service at {self.url} failed {ATTEMPTS} times on one request. The last error was {problem}."
        )

    def _refused(self, error: urllib.error.HTTPError, path: str) -> dict | str:
        """Returns the body of an error that counts as a reply, or a message if a retry may help. Otherwise exits."""
        text = error.read().decode(errors="replace")
        if error.code in (429, 500, 503, 504):
            return f"{error.code} {_message_of(text)}"
        if error.code in (401, 403):
            raise SystemExit(f"The service at {self.url} refuses the API key. Set one with --key or PIPIT_API_KEY.")
        if "context_length_exceeded" in text:
            return json.loads(text)
        raise SystemExit(f"The service at {self.url} refuses {path} with {error.code}: {_message_of(text)}")


def _message_of(text: str) -> str:
    try:
        return json.loads(text)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return text[:200].strip()
