import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeSnippets } from './snippets.ts'

const run = promisify(execFile)
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Texts that could break out of quotes in a shell, JavaScript, Python or HTML. */
const texts = [
  'It\'s "quoted" `now`',
  "'; touch /tmp/pwned; '",
  '$HOME $(id) `id` !! \\',
  'two\nlines\r\n\ttab',
  '\\n \\u0041 \\',
  '${process.exit(1)} #{x} %s {0}',
  '\u2028\u2029\u0000\u0007',
  '👩‍👩‍👧‍👦 שלום مرحبا 你好',
  '\'\'\'"""',
  '-H @file --data',
  '\ud800 alone',
  '',
]
const body = {
  model: 'svc-o1-mini',
  messages: texts.map((content) => ({ role: 'user', content })),
  temperature: 0.5,
  top_k: 5,
  min_p: 0.1,
  logprobs: true,
  stop: ["'", '\n'],
  logit_bias: {},
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'reply',
      schema: {
        properties: JSON.parse('{"__proto__": {"type": "null"}, "a b": true}'),
        const: null,
      },
    },
  },
}
const [curl, node, python] = makeSnippets({ origin: 'http://127.0.0.1:8080', body })
const codeOf = (snippet: { code: string } | undefined) => snippet?.code ?? ''

test('a shell passes curl the exact body, and the key from the environment', async () => {
  // A shell function replaces curl and prints its arguments, each followed by a NUL.
  const { stdout } = await run('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${codeOf(curl)}`], {
    env: { ...process.env, PIPIT_API_KEY: 'sk-pipit-x' },
  })
  const words = stdout.split('\0')
  expect(words).toContain('http://127.0.0.1:8080/v1/chat/completions')
  expect(words).toContain('Authorization: Bearer sk-pipit-x')
  const sent = words[words.indexOf('--data-binary') + 1] ?? ''
  expect(JSON.stringify(JSON.parse(sent))).toBe(JSON.stringify(body))
})

test('Node reads the exact body', async () => {
  const script = codeOf(node)
    .replace("import OpenAI from 'openai'", fakeClient)
    .replace('console.log(completion.choices[0].message.content)', '')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout.trim()).toBe(JSON.stringify(body))
})

test('Python reads the exact body, with parameters unknown to its package in extra_body', async ({
  skip,
}) => {
  skip(!hasPython, 'there is no python3')
  const script = codeOf(python)
    .replace('from openai import OpenAI', fakeModule)
    .replace('print(completion.choices[0].message.content)', '')
  const { stdout } = await run('python3', ['-c', script], {
    env: { ...process.env, PIPIT_API_KEY: 'sk-pipit-x' },
  })
  const { top_k, min_p, ...own } = body
  const expected = { ...own, extra_body: { top_k, min_p } }
  expect(JSON.stringify(JSON.parse(stdout))).toBe(JSON.stringify(expected))
})

test('snippets for a stream read it chunk by chunk', () => {
  const streamed = makeSnippets({ origin: 'http://[::1]:8080', body: { ...body, stream: true } })
  expect(streamed.map(({ code }) => /--no-buffer|for await|for chunk in/.test(code))).toEqual([
    true,
    true,
    true,
  ])
})

test('the Python snippet for a stream compiles', async ({ skip }) => {
  skip(!hasPython, 'there is no python3')
  const [, , streamed] = makeSnippets({
    origin: 'http://[::1]:8080',
    body: { ...body, stream: true },
  })
  await run('python3', ['-c', `compile(${JSON.stringify(codeOf(streamed))}, 'code', 'exec')`])
})

test('a given key appears in the code; otherwise the code reads the environment', () => {
  const given = makeSnippets({ origin: 'http://127.0.0.1', body, apiKey: 'sk-pipit-abc' })
  for (const { code } of given) expect(code).toContain('sk-pipit-abc')
  for (const { code } of makeSnippets({ origin: 'http://127.0.0.1', body }))
    expect(code).toMatch(
      /\$PIPIT_API_KEY|process\.env\.PIPIT_API_KEY|os\.environ\["PIPIT_API_KEY"\]/,
    )
})

// Prints the body that the real package would send.
const fakeClient = `class OpenAI {
  chat = { completions: { create: async (body) => console.log(JSON.stringify(body)) } }
}`
const fakeModule = `import json
class OpenAI:
    def __init__(self, **settings):
        self.chat = self
        self.completions = self
    def create(self, **body):
        print(json.dumps(body))`
