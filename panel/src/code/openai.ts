import type { CompletionRequest } from './code-request.ts'
import { pythonDialect, typescriptDialect, writeLiteral } from './literal.ts'

/** Writes code that requests a completion with npm's `openai` package. */
export function writeOpenAiTypeScript({ origin, body, apiKey }: CompletionRequest): string {
  const { own, beyond } = splitBody(body)
  const member = body['tools'] === undefined ? '.content' : ''
  const show =
    body['stream'] === true
      ? [
          'for await (const chunk of completion)',
          "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')",
          "process.stdout.write('\\n')",
        ]
      : [`for (const { message } of completion.choices) console.log(message${member})`]
  const lines = Object.entries(own).map(
    ([name, value]) => `  ${name}: ${writeLiteral(value, typescriptDialect, '  ')},`,
  )
  // The package's types lack these parameters, but the package sends them.
  if (Object.keys(beyond).length > 0)
    lines.push(`  ...(${writeLiteral(beyond, typescriptDialect, '  ')} as object),`)
  return [
    '// npm install openai, save this file as pipit.mts, then run: node pipit.mts',
    "import OpenAI from 'openai'",
    '',
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(`${origin}/v1`)},`,
    `  apiKey: ${apiKey === undefined ? 'process.env.PIPIT_API_KEY' : JSON.stringify(apiKey)},`,
    '})',
    'const completion = await client.chat.completions.create({',
    ...lines,
    '})',
    ...show,
  ].join('\n')
}

/** Writes code that requests a completion with PyPI's `openai` package. */
export function writeOpenAiPython({ origin, body, apiKey }: CompletionRequest): string {
  const { own, beyond } = splitBody(body)
  const given = Object.entries(
    Object.keys(beyond).length > 0 ? { ...own, extra_body: beyond } : own,
  )
  const member = body['tools'] === undefined ? '.content' : '.to_json()'
  const show =
    body['stream'] === true
      ? [
          'for chunk in completion:',
          '    if chunk.choices:',
          '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
          'print()',
        ]
      : ['for choice in completion.choices:', `    print(choice.message${member})`]
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
    ...given.map(([name, value]) => `    ${name}=${writeLiteral(value, pythonDialect, '    ')},`),
    ')',
    ...show,
  ].join('\n')
}

/** Parameters that OpenAI's packages do not declare. The Python package accepts them only in `extra_body`. */
const parametersBeyondOpenAi = ['top_k', 'min_p']

function splitBody(body: CompletionRequest['body']) {
  const part = (isBeyond: boolean) =>
    Object.fromEntries(
      Object.entries(body).filter(([name]) => parametersBeyondOpenAi.includes(name) === isBeyond),
    )
  return { own: part(false), beyond: part(true) }
}
