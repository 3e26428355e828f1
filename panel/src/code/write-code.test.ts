import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { CompletionRequest } from './code-request.ts'
import { type Language, languages, writeCompletion } from './write-code.ts'

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
  '\u0085\u2028\u2029\ufeff\u0000\u0007',
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
const codeFor = (language: Language, request: Partial<CompletionRequest> = {}) =>
  writeCompletion(language, { origin: 'http://127.0.0.1:8080', body, ...request })

test('a shell passes curl the exact body, and the key from the environment', async () => {
  // A shell function replaces curl and prints its arguments, each followed by a NUL.
  const { stdout } = await run(
    'sh',
    ['-c', `curl() { printf '%s\\0' "$@"; }\n${codeFor('curl')}`],
    {
      env: { ...process.env, PIPIT_API_KEY: 'sk-pipit-x' },
    },
  )
  const words = stdout.split('\0')
  expect(words).toContain('http://127.0.0.1:8080/v1/chat/completions')
  expect(words).toContain('Authorization: Bearer sk-pipit-x')
  const sent = words[words.indexOf('--data-binary') + 1] ?? ''
  expect(JSON.stringify(JSON.parse(sent))).toBe(JSON.stringify(body))
})

test('TypeScript reads the exact body, with parameters unknown to its package last', async () => {
  const script = codeFor('TypeScript')
    .replace("import OpenAI from 'openai'", fakeClient)
    .replace(/^for \(const \{ message \}.*$/m, '')
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', script])
  const { top_k, min_p, ...own } = body
  expect(stdout.trim()).toBe(JSON.stringify({ ...own, top_k, min_p }))
})

test('Python reads the exact body, with parameters unknown to its package in extra_body', async ({
  skip,
}) => {
  skip(!hasPython, 'there is no python3')
  const script = codeFor('Python')
    .replace('from openai import OpenAI', fakeModule)
    .replace(/^for choice in[^]*$/m, '')
  const { stdout } = await run('python3', ['-c', script], {
    env: { ...process.env, PIPIT_API_KEY: 'sk-pipit-x' },
  })
  const { top_k, min_p, ...own } = body
  const expected = { ...own, extra_body: { top_k, min_p } }
  expect(JSON.stringify(JSON.parse(stdout))).toBe(JSON.stringify(expected))
})

test('the code of clients and of curl reads a stream chunk by chunk', () => {
  const streamed = { body: { ...body, stream: true } }
  expect(codeFor('curl', streamed)).toContain('--no-buffer')
  expect(codeFor('TypeScript', streamed)).toContain('for await')
  expect(codeFor('Python', streamed)).toContain('for chunk in')
})

test('several replies and calls of tools are printed whole', () => {
  const several = { body: { ...body, n: 2 } }
  expect(codeFor('TypeScript', several)).toContain(
    'for (const { message } of completion.choices) console.log(message.content)',
  )
  expect(codeFor('Python', several)).toContain(
    'for choice in completion.choices:\n    print(choice.message.content)',
  )
  const withTools = { body: { ...body, tools: [] } }
  expect(codeFor('TypeScript', withTools)).toContain('console.log(message)')
  expect(codeFor('Python', withTools)).toContain('print(choice.message.to_json())')
})

test('the Python code for a stream compiles', async ({ skip }) => {
  skip(!hasPython, 'there is no python3')
  const code = codeFor('Python', { body: { ...body, stream: true } })
  await run('python3', ['-c', `compile(${JSON.stringify(code)}, 'code', 'exec')`])
})

test.each(['Go', 'C#'] as const)(
  'the code for %s has no character that its compiler takes for the end of a line or refuses',
  (language) => {
    expect(codeFor(language)).not.toMatch(/[\u0085\u2028\u2029\ufeff]/)
  },
)

test('a given key appears in the code; otherwise the code reads the environment', () => {
  for (const language of languages) {
    expect(codeFor(language, { apiKey: 'sk-pipit-abc' })).toContain('sk-pipit-abc')
    expect(codeFor(language)).toMatch(
      /\$PIPIT_API_KEY|env\.PIPIT_API_KEY|(environ\[|env\(|Getenv\(|Variable\()["']PIPIT_API_KEY["']/,
    )
  }
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
