/**
 * Member names in the order of the JSON text, for objects in which JavaScript's order differs: JavaScript moves names
 * that look like integers to the front.
 */
const namesInOrder = new WeakMap<object, readonly string[]>()

/** Matches a member name that looks like an integer, such as `10`. */
const integerName = /"(?:0|[1-9]\d{0,9})"\s*:/

/** Parses JSON. Remembers the order of members in objects whose members JavaScript reorders. */
export function parseInOrder(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (integerName.test(text)) new OrderReader(text).readValue(value)
  return value
}

/** Returns the members of an object from `parseInOrder`, in the order of the JSON text. */
export function entriesInOrder(object: object): [string, unknown][] {
  const names = namesInOrder.get(object)
  return names === undefined
    ? Object.entries(object)
    : names.map((name) => [name, Reflect.get(object, name)])
}

/** Serialises a value from `parseInOrder`, with members in the order of the JSON text. */
export function stringifyInOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stringifyInOrder).join()}]`
  // A number too large for a double. As null, which JSON.stringify writes, it would be another valid value.
  if (value === Infinity || value === -Infinity) return value > 0 ? '1e400' : '-1e400'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = entriesInOrder(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${stringifyInOrder(member)}`,
  )
  return `{${members.join()}}`
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Walks a valid JSON text together with its parsed value. Compares character codes for speed: a body may have tens of
 * thousands of members, and other requests wait meanwhile.
 */
class OrderReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** @param value the parsed value; undefined if a later member of the same name has replaced it */
  readValue(value: unknown): void {
    const first = this.#peek()
    if (first === openBrace) this.#readObject(value)
    else if (first === openBracket) this.#readArray(value)
    else if (first === quote) this.#skipString()
    else this.#skipScalar()
  }

  #readObject(value: unknown): void {
    const names: string[] = []
    this.#at += 1
    while (this.#peek() !== closeBrace) {
      const name = this.#readName()
      names.push(name)
      this.#peek()
      this.#at += 1
      const first = this.#peek()
      const isNested = first === openBrace || first === openBracket
      this.readValue(isNested ? memberOf(value, name) : undefined)
      if (this.#peek() === comma) this.#at += 1
    }
    this.#at += 1
    if (typeof value === 'object' && value !== null) rememberOrder(value, names)
  }

  #readArray(value: unknown): void {
    this.#at += 1
    for (let index = 0; this.#peek() !== closeBracket; index++) {
      this.readValue(memberOf(value, String(index)))
      if (this.#peek() === comma) this.#at += 1
    }
    this.#at += 1
  }

  #readName(): string {
    const from = this.#at
    const hasEscapes = this.#skipString()
    return hasEscapes
      ? String(JSON.parse(this.#text.slice(from, this.#at)))
      : this.#text.slice(from + 1, this.#at - 1)
  }

  /** Skips a string. Returns true if it has escapes. */
  #skipString(): boolean {
    let hasEscapes = false
    for (this.#at += 1; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === quote) break
      if (code !== backslash) continue
      hasEscapes = true
      this.#at += 1
    }
    this.#at += 1
    return hasEscapes
  }

  /** Skips a number, `true`, `false` or `null`. */
  #skipScalar(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === comma || code === closeBrace || code === closeBracket || isSpace(code)) return
    }
  }

  /** Skips whitespace and returns the code of the character after it. */
  #peek(): number {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
    return this.#text.charCodeAt(this.#at)
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** @param names the object's names in the JSON text; a name may occur twice */
function rememberOrder(object: object, names: readonly string[]): void {
  const own = Object.keys(object)
  const listed = own.length === names.length ? names : [...new Set(names)]
  const isSorted = own.length !== listed.length || own.every((name, at) => name === listed[at])
  if (isSorted) namesInOrder.delete(object)
  else namesInOrder.set(object, listed)
}

/** Returns a member, or undefined if the value lacks it. Value and text may differ, because a name may occur twice. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
