const inlineCharsMax = 72

/** A language's syntax for literals: indent, keywords and property names. */
type Dialect = {
  indent: string
  none: string
  true: string
  false: string
  name(text: string): string
}

export const pythonDialect: Dialect = {
  indent: '    ',
  none: 'None',
  true: 'True',
  false: 'False',
  name: (text) => JSON.stringify(text),
}

export const typescriptDialect: Dialect = {
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

/** Writes a value as source code, short objects on one line. JSON's escapes are valid in every dialect here. */
export function writeLiteral(value: unknown, dialect: Dialect, margin = ''): string {
  if (value === null || value === undefined) return dialect.none
  if (typeof value === 'boolean') return value ? dialect.true : dialect.false
  if (typeof value !== 'object') return JSON.stringify(value)
  const inline = writeInline(value, dialect)
  if (margin.length + inline.length <= inlineCharsMax) return inline
  const inner = margin + dialect.indent
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = itemsOf(value, dialect, (item) => writeLiteral(item, dialect, inner))
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${margin}${close}`
}

function writeInline(value: object, dialect: Dialect): string {
  const items = itemsOf(value, dialect, (item) =>
    typeof item === 'object' && item !== null
      ? writeInline(item, dialect)
      : writeLiteral(item, dialect),
  ).join(', ')
  if (Array.isArray(value)) return `[${items}]`
  return items === '' ? '{}' : `{ ${items} }`
}

function itemsOf(value: object, dialect: Dialect, write: (item: unknown) => string): string[] {
  if (Array.isArray(value)) return value.map(write)
  return Object.entries(value).map(([name, item]) => `${dialect.name(name)}: ${write(item)}`)
}

/** JSON itself, with short objects on one line. */
const json: Dialect = {
  indent: '  ',
  none: 'null',
  true: 'true',
  false: 'false',
  name: (text) => JSON.stringify(text),
}
/**
 * Writes a value as readable JSON. Escapes the characters that end a line in C# or are refused by Go, so that the text can
 * stand in a literal of several lines.
 */
export function writeJson(value: unknown): string {
  return writeLiteral(value, json)
    .replaceAll(/,(?=\n\s*[\]}])/g, '')
    .replaceAll(
      /[\u0085\u2028\u2029\ufeff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}
