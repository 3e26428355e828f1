"""Streams a reply with Python's standard library alone: python3 examples/stream.py "Hello! Who are you?"

With `pip install openai`, use OpenAI(base_url=URL + "/v1", api_key=KEY) and its usual calls instead.
"""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request

url = os.environ.get("PIPIT_BASE_URL", "http://127.0.0.1:8080") + "/v1/chat/completions"
body = {
    "model": "svc-o1-mini",
    "messages": [{"role": "user", "content": " ".join(sys.argv[1:]) or "Hello! Who are you?"}],
    "stream": True,
}
key = os.environ.get("PIPIT_API_KEY") or sys.exit("Set PIPIT_API_KEY to an API key of the service.")
headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
request = urllib.request.Request(url, json.dumps(body).encode(), headers)

try:
    with urllib.request.urlopen(request, timeout=300) as response:
        done = False
        for line in response:
            # Events are lines that start with "data: "; comments and blank lines keep the connection alive.
            data = line.decode().removeprefix("data: ").strip() if line.startswith(b"data: ") else ""
            done = data == "[DONE]"
            if done or not data:
                if done:
                    break
                continue
            event = json.loads(data)
            if "error" in event:
                sys.exit("The reply failed: " + event["error"]["message"])
            for choice in event["choices"]:
                print(choice["delta"].get("content") or "", end="", flush=True)
    print()
    if not done:
        sys.exit("The connection ended before the reply.")
except urllib.error.HTTPError as error:
    if error.headers.get_content_type() != "application/json":  # A proxy's error page.
        sys.exit(f"{url} answers HTTP {error.code}")
    sys.exit("The service says: " + json.load(error)["error"]["message"])
except (OSError, http.client.HTTPException) as error:
    # No service listens there, or the connection broke while the reply came.
    sys.exit(f"No whole reply came from {url}: {getattr(error, 'reason', error)}")
