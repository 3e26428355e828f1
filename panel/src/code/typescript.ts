import { type CodeRequest, headersOf } from './code-request.ts'
import { typescriptDialect, writeLiteral } from './literal.ts'

export function writeTypeScript(request: CodeRequest): string {
  const { origin, method, path, body, streams, isOpen } = request
  const headers = [
    ...(isOpen === true ? [] : [`    Authorization: ${authorization(request)},`]),
    ...headersOf(request).map(
      ([name, value]) => `    ${quoteName(name)}: ${JSON.stringify(value)},`,
    ),
  ]
  return [
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${writeLiteral(body, typescriptDialect, '  ')}),`]),
    '})',
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)',
    ...(streams === true
      ? readStream
      : ['console.log(JSON.stringify(await response.json(), null, 2))']),
  ].join('\n')
}

function authorization({ apiKey }: CodeRequest): string {
  return apiKey === undefined
    ? "`Bearer ${process.env['PIPIT_API_KEY']}`"
    : JSON.stringify(`Bearer ${apiKey}`)
}

function quoteName(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name)
}

const readStream = [
  "let rest = ''",
  'for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {',
  "  const lines = (rest + text).split('\\n')",
  "  rest = lines.pop() ?? ''",
  '  for (const line of lines) {',
  "    if (!line.startsWith('data: ') || line === 'data: [DONE]') continue",
  "    const event = JSON.parse(line.slice('data: '.length))",
  '    if (event.error) throw new Error(event.error.message)',
  "    process.stdout.write(event.choices[0]?.delta.content ?? '')",
  '  }',
  '}',
]
