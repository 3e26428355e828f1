"""Tests the unmodified openai package: a completion, a stream with usage, several choices and error classes."""

import os

from openai import AuthenticationError, BadRequestError, OpenAI

model = "svc-o1-mini"
messages = [{"role": "user", "content": "Tell me about pipits."}]
url, key = os.environ["PIPIT_BASE_URL"] + "/v1", os.environ["PIPIT_API_KEY"]
client = OpenAI(base_url=url, api_key=key, max_retries=0)

whole = client.chat.completions.create(model=model, messages=messages, temperature=0)
text = whole.choices[0].message.content
assert text and whole.usage.total_tokens > 0, whole

stream = client.chat.completions.create(
    model=model, messages=messages, temperature=0, stream=True, stream_options={"include_usage": True}
)
chunks = list(stream)
assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == text
assert chunks[-1].usage == whole.usage, (chunks[-1].usage, whole.usage)

several = client.chat.completions.create(model=model, messages=messages, n=3, temperature=1, seed=5)
assert [choice.index for choice in several.choices] == [0, 1, 2], several
assert len({choice.message.content for choice in several.choices}) == 3, several

assert [one.id for one in client.models.list()] == [model]

try:
    client.chat.completions.create(model=model, messages=messages, temperature=7)
    raise AssertionError("temperature 7 was taken")
except BadRequestError as error:
    assert error.code == "decimal_above_max_value" and error.param == "temperature", error
try:
    OpenAI(base_url=url, api_key="wrong", max_retries=0).models.list()
    raise AssertionError("a wrong key was taken")
except AuthenticationError:
    pass
print("ok")
