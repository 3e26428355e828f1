export type DocsExample = { title: string; language: 'sh' | 'javascript' | 'python'; code: string }

/** Each runs as it stands where PIPIT_URL and PIPIT_API_KEY are set, with nothing installed. */
export const docsExamples: readonly DocsExample[] = [
  {
    title: 'curl',
    language: 'sh',
    code: `curl --fail-with-body "$PIPIT_URL/v1/chat/completions" \\
  -H "Authorization: Bearer $PIPIT_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "svc-o1-mini", "messages": [{"role": "user", "content": "Hello!"}]}'`,
  },
  {
    title: 'curl, as a stream',
    language: 'sh',
    code: `curl --fail-with-body --no-buffer "$PIPIT_URL/v1/chat/completions" \\
  -H "Authorization: Bearer $PIPIT_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "svc-o1-mini", "stream": true,
       "messages": [{"role": "user", "content": "Hello!"}]}'`,
  },
  {
    title: 'Node',
    language: 'javascript',
    code: `const reply = await fetch(\`\${process.env.PIPIT_URL}/v1/chat/completions\`, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.PIPIT_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content: 'Hello!' }],
  }),
})
const { choices, usage, error } = await reply.json()
if (error) throw new Error(error.message)
console.log(choices[0].message.content)
console.log(\`\${usage.total_tokens} tokens\`)`,
  },
  {
    title: 'Python, as a stream',
    language: 'python',
    code: `import json, os, urllib.request

request = urllib.request.Request(
    os.environ["PIPIT_URL"] + "/v1/chat/completions",
    json.dumps({
        "model": "svc-o1-mini",
        "messages": [{"role": "user", "content": "Hello!"}],
        "stream": True,
    }).encode(),
    {
        "Authorization": "Bearer " + os.environ["PIPIT_API_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as reply:
    for line in reply:
        if not line.startswith(b"data: ") or line == b"data: [DONE]\\n":
            continue
        event = json.loads(line[len("data: "):])
        if "error" in event:
            raise SystemExit(event["error"]["message"])
        print(event["choices"][0]["delta"].get("content", ""), end="", flush=True)
print()`,
  },
]
