/** Reads a Python literal or JSON value up to the `,` or `)` after it, and returns it as JSON. */
export class PythonLiteralReader {
  #pending = ''
  #depth = 0
  #quote: string | undefined
  /** Set once the value is complete: the text after it. */
  rest: string | undefined

  push(text: string): string {
    this.#pending += text
    let json = ''
    while (this.rest === undefined) {
      const read = this.#quote === undefined ? this.#readValue() : this.#readString(this.#quote)
      if (read === undefined) break
      json += read
    }
    return json
  }

  /** Returns undefined when it needs more text. */
  #readValue(): string | undefined {
    const [character] = this.#pending
    if (character === undefined) return undefined
    if (character === '"' || character === "'") {
      this.#quote = character
      return this.#take(1, '"')
    }
    if (this.#depth === 0 && (character === ',' || character === ')')) {
      this.rest = this.#pending
      return ''
    }
    if (character === '[' || character === '{') this.#depth += 1
    if (character === ']' || character === '}') this.#depth -= 1
    if (punctuation.includes(character)) return this.#take(1, character)
    const word = wordPattern.exec(this.#pending)?.[0]
    return word && this.#take(word.length, jsonWords.get(word) ?? word)
  }

  #readString(quote: string): string | undefined {
    const { length } = plainPattern.exec(this.#pending)?.[0] ?? ''
    const plain = this.#pending.slice(0, length)
    const character = this.#pending[length]
    if (character === quote) {
      this.#quote = undefined
      return this.#take(length + 1, `${escaped(plain)}"`)
    }
    if (character === '\\') {
      const { text, size } = escapeAt(this.#pending, length)
      // An escape that is not yet complete stays in the pending text.
      if (size === 0) return length === 0 ? undefined : this.#take(length, escaped(plain))
      return this.#take(length + size, escaped(plain + text))
    }
    if (character !== undefined) return this.#take(length + 1, escaped(plain + character))
    return length === 0 ? undefined : this.#take(length, escaped(plain))
  }

  #take(length: number, json: string): string {
    this.#pending = this.#pending.slice(length)
    return json
  }
}

/** Returns the value as JSON; undefined if the text is not a literal. */
export function jsonOfPython(text: string): string | undefined {
  const reader = new PythonLiteralReader()
  const json = reader.push(`${text.trim()},`)
  if (reader.rest !== ',') return undefined
  try {
    JSON.parse(json)
    return json
  } catch {
    return undefined
  }
}

const punctuation = '[]{},: \t\n'
const wordPattern = /^[^\s[\]{}(),:'"]+(?=[\s[\]{}(),:])/
const plainPattern = /^[^"'\\]*/
const jsonWords = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])
const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])

/** Reads the escape sequence at the index `at`. `size` is 0 if it is incomplete. */
function escapeAt(text: string, at: number): { text: string; size: number } {
  const kind = text[at + 1]
  if (kind === undefined) return { text: '', size: 0 }
  const digits = digitsOf.get(kind)
  if (digits === undefined) return { text: escapes.get(kind) ?? `\\${kind}`, size: 2 }
  const code = text.slice(at + 2, at + 2 + digits)
  if (code.length < digits) return { text: '', size: 0 }
  const point = /^[\da-fA-F]+$/.test(code) ? Number.parseInt(code, 16) : Infinity
  // An invalid escape is kept as text.
  if (point > 0x10ffff) return { text: `\\${kind}`, size: 2 }
  return { text: String.fromCodePoint(point), size: 2 + digits }
}

const digitsOf = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
