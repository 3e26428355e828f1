type ParsedJson<T> = { value: T } | JsonFault
type JsonFault = { fault: string; offset?: number }

/** Parses JSON. Unlike JSON.parse, reports an error with its position, in the same words in every browser. */
export function parseJson(text: string): ParsedJson<unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch {
    return describeFault(text)
  }
}

export function parseJsonObject(text: string): ParsedJson<Record<string, unknown>> {
  const parsed = parseJson(text)
  if ('fault' in parsed) return parsed
  return isObject(parsed.value) ? { value: parsed.value } : { fault: 'Enter a JSON object: { … }.' }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns JSON text with one value per line. Numbers and names stay as they are written, unlike with JSON.parse. */
export function indentJson(text: string): string {
  let result = ''
  let offset = 0
  let depth = 0
  let before = ''
  for (;;) {
    offset += match(space, text, offset).length
    const found = match(token, text, offset)
    if (found === '') return result
    offset += found.length
    const isOpened = before === '{' || before === '['
    if (found === '}' || found === ']') {
      depth -= 1
      if (!isOpened) result += newLine(depth)
    } else if (isOpened || before === ',') result += newLine(depth)
    if (found === '{' || found === '[') depth += 1
    result += found === ':' ? ': ' : found
    before = found
  }
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`
}

function describeFault(text: string): JsonFault {
  const { offset, expected } = findFault(text)
  const lines = text.slice(0, offset).split('\n')
  const where = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
  const found = /\S*/.exec(text.slice(offset))?.[0].slice(0, 20) ?? ''
  return {
    offset,
    fault:
      found === ''
        ? `Incomplete JSON: expected ${expected} at ${where}, but the text ends there.`
        : `Invalid JSON at ${where}: expected ${expected}, found ${found}`,
  }
}

type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a property name in double quotes'
  | 'a property name in double quotes or }'
  | 'a colon'
  | 'a comma or ]'
  | 'a comma or }'
  | 'the end'

const space = /[ \t\n\r]*/y
const token =
  /(?:[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y

/** Finds the first error in a text that is not JSON. */
function findFault(text: string): { offset: number; expected: Expected } {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'a value'
  let offset = 0
  while (true) {
    offset += match(space, text, offset).length
    const found = match(token, text, offset)
    const next: Expected | undefined = found === '' ? undefined : step(expected, found, open)
    if (next === undefined) return { offset, expected }
    expected = next
    offset += found.length
  }
}

/** Returns what may follow this token, or undefined if the token is not allowed here. */
function step(expected: Expected, found: string, open: ('[' | '{')[]): Expected | undefined {
  switch (expected) {
    case 'a value':
    case 'a value or ]':
      if (found === ']' && expected === 'a value or ]') return closeOne(open)
      if (found === '[' || found === '{') {
        open.push(found)
        return found === '[' ? 'a value or ]' : 'a property name in double quotes or }'
      }
      return /^[\]},:]/.test(found) ? undefined : afterValue(open)
    case 'a property name in double quotes':
    case 'a property name in double quotes or }':
      if (found === '}' && expected === 'a property name in double quotes or }')
        return closeOne(open)
      return found.startsWith('"') ? 'a colon' : undefined
    case 'a colon':
      return found === ':' ? 'a value' : undefined
    case 'a comma or ]':
      return found === ',' ? 'a value' : found === ']' ? closeOne(open) : undefined
    case 'a comma or }':
      return found === ','
        ? 'a property name in double quotes'
        : found === '}'
          ? closeOne(open)
          : undefined
    case 'the end':
      return undefined
  }
}

function closeOne(open: ('[' | '{')[]): Expected {
  open.pop()
  return afterValue(open)
}

function afterValue(open: readonly ('[' | '{')[]): Expected {
  const container = open.at(-1)
  if (container === undefined) return 'the end'
  return container === '[' ? 'a comma or ]' : 'a comma or }'
}

function match(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0] ?? ''
}
