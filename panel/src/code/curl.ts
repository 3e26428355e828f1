import { type CodeRequest, headersOf } from './code-request.ts'
import { writeJson } from './literal.ts'

export function writeCurl(request: CodeRequest): string {
  const { origin, method, path, body, streams, isOpen, apiKey } = request
  const flags = streams === true ? '--fail-with-body --no-buffer' : '--fail-with-body'
  const key =
    apiKey === undefined
      ? '"Authorization: Bearer $PIPIT_API_KEY"'
      : quoteForShell(`Authorization: Bearer ${apiKey}`)
  return [
    `curl ${flags} ${quoteForShell(origin + path)}`,
    ...(method === 'POST' && body === undefined ? ['  -X POST'] : []),
    ...(isOpen === true ? [] : [`  -H ${key}`]),
    ...headersOf(request).map(([name, value]) => `  -H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  --data-binary ${quoteForShell(writeJson(body))}`]),
  ].join(' \\\n')
}

/** Quotes text for a POSIX shell. A single quote ends the string, is escaped, and starts it again. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
