import { type CodeRequest, headersOf } from './code-request.ts'
import { pythonDialect, writeLiteral } from './literal.ts'

export function writePython(request: CodeRequest): string {
  const { origin, method, path, body, streams, isOpen, apiKey } = request
  const key =
    apiKey === undefined
      ? '"Bearer " + os.environ["PIPIT_API_KEY"]'
      : JSON.stringify(`Bearer ${apiKey}`)
  const headers = [
    ...(isOpen === true ? [] : [`        "Authorization": ${key},`]),
    ...headersOf(request).map(
      ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
  ]
  return [
    'import json',
    ...(isOpen === true || apiKey !== undefined ? [] : ['import os']),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(origin + path)},`,
    ...(method === 'GET' ? [] : [`    method=${JSON.stringify(method)},`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${writeLiteral(body, pythonDialect, '    ')}).encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...(streams === true
      ? readStream
      : ['        print(json.dumps(json.load(response), indent=2))']),
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
  ].join('\n')
}

const readStream = [
  '        for line in response:',
  '            if not line.startswith(b"data: ") or line == b"data: [DONE]\\n":',
  '                continue',
  '            event = json.loads(line[len("data: "):])',
  '            if "error" in event:',
  '                raise SystemExit(event["error"]["message"])',
  '            for choice in event["choices"]:',
  '                print(choice["delta"].get("content", ""), end="", flush=True)',
]
