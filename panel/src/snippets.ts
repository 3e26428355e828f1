type Snippet = { language: 'curl' | 'Node' | 'Python'; code: string }

export type SnippetRequest = {
  /** The service's origin, without `/v1`. */
  origin: string
  body: Readonly<Record<string, unknown>>
  /** If absent, the code reads PIPIT_API_KEY from the environment. */
  apiKey?: string
}

/** Returns the same completion in three languages. Each snippet runs unchanged and quotes any text safely. */
export function makeSnippets(request: SnippetRequest): Snippet[] {
  return [
    { language: 'curl', code: curlSnippet(request) },
    { language: 'Node', code: nodeSnippet(request) },
    { language: 'Python', code: pythonSnippet(request) },
  ]
}

/** Quotes text for a POSIX shell. A single quote ends the string, is escaped, and starts it again. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function curlSnippet({ origin, body, apiKey }: SnippetRequest): string {
  const authorization =
    apiKey === undefined
      ? '"Authorization: Bearer $PIPIT_API_KEY"'
      : quoteForShell(`Authorization: Bearer ${apiKey}`)
  return [
    `curl --fail-with-body ${body['stream'] === true ? '--no-buffer ' : ''}${quoteForShell(`${origin}/v1/chat/completions`)}`,
    `  -H ${authorization}`,
    `  -H 'Content-Type: application/json'`,
    `  --data-binary ${quoteForShell(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n')
}

function nodeSnippet({ origin, body, apiKey }: SnippetRequest): string {
  const show =
    body['stream'] === true
      ? [
          'for await (const chunk of completion)',
          "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')",
          "process.stdout.write('\\n')",
        ]
      : ['console.log(completion.choices[0].message.content)']
  return [
    '// npm install openai, then save this file as pipit.mjs',
    "import OpenAI from 'openai'",
    '',
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(`${origin}/v1`)},`,
    `  apiKey: ${apiKey === undefined ? 'process.env.PIPIT_API_KEY' : JSON.stringify(apiKey)},`,
    '})',
    `const completion = await client.chat.completions.create(${writeLiteral(body, javascript)})`,
    ...show,
  ].join('\n')
}

function pythonSnippet({ origin, body, apiKey }: SnippetRequest): string {
  const entries = Object.entries(body)
  const own = entries.filter(([name]) => !parametersBeyondOpenAi.includes(name))
  const beyond = Object.fromEntries(
    entries.filter(([name]) => parametersBeyondOpenAi.includes(name)),
  )
  const given = Object.keys(beyond).length > 0 ? [...own, ['extra_body', beyond] as const] : own
  const show =
    body['stream'] === true
      ? [
          'for chunk in completion:',
          '    if chunk.choices:',
          '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
          'print()',
        ]
      : ['print(completion.choices[0].message.content)']
  return [
    '# pip install openai',
    ...(apiKey === undefined ? ['import os', ''] : []),
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${JSON.stringify(`${origin}/v1`)},`,
    `    api_key=${apiKey === undefined ? 'os.environ["PIPIT_API_KEY"]' : JSON.stringify(apiKey)},`,
    ')',
    'completion = client.chat.completions.create(',
    ...given.map(([name, value]) => `    ${name}=${writeLiteral(value, python, '    ')},`),
    ')',
    ...show,
  ].join('\n')
}

/** Parameters that the Python package accepts only in `extra_body`. */
const parametersBeyondOpenAi = ['top_k', 'min_p']

type Dialect = {
  indent: string
  none: string
  true: string
  false: string
  name(text: string): string
}

const javascript: Dialect = {
  indent: '  ',
  none: 'null',
  true: 'true',
  false: 'false',
  // A plain __proto__ property would set the prototype.
  name: (text) =>
    text === '__proto__'
      ? '["__proto__"]'
      : /^[a-z_][a-z0-9_]*$/i.test(text)
        ? text
        : JSON.stringify(text),
}
const python: Dialect = {
  indent: '    ',
  none: 'None',
  true: 'True',
  false: 'False',
  name: (text) => JSON.stringify(text),
}

/** Writes a value as source code. JSON string escapes are valid in both languages. */
function writeLiteral(value: unknown, dialect: Dialect, margin = ''): string {
  if (value === null || value === undefined) return dialect.none
  if (typeof value === 'boolean') return value ? dialect.true : dialect.false
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = margin + dialect.indent
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Array.isArray(value)
    ? value.map((item) => writeLiteral(item, dialect, inner))
    : Object.entries(value).map(
        ([name, item]) => `${dialect.name(name)}: ${writeLiteral(item, dialect, inner)}`,
      )
  if (items.length === 0) return `${open}${close}`
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${margin}${close}`
}
