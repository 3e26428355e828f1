export type Token = {
  readonly kind: 'text' | 'mark' | 'name' | 'integer' | 'float' | 'string' | 'operator'
  readonly text: string
}

const operators = '** // == != >= <= + - * / % ~ > < = ( ) [ ] { } , . : | ;'.split(' ')
const name = /[\p{L}_][\p{L}\p{N}_]*/uy
const number = /\d[\d_]*(\.\d[\d_]*)?([eE][+-]?\d+)?/y
const string = /'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"/y
const space = /\s+/y
const rawTag = /raw\s*[-+]?%\}/y
const ends: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}' }

/**
 * Splits a template into tokens, with the white space rules of chat templates (`trim_blocks`,
 * `lstrip_blocks`). The marks `{{`, `}}`, `{%` and `%}` have the kind `mark`.
 * @throws SyntaxError
 */
export function tokenize(template: string): Token[] {
  return new Tokenizer(template).run()
}

class Tokenizer {
  readonly #source: string
  readonly #tokens: Token[] = []
  #at = 0
  /** True if the last tag ended with `-`, which removes white space at the start of the next text. */
  #trims = false
  /** True if the next text begins at the start of a line. */
  #isLineStart = true

  constructor(template: string) {
    this.#source = template.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
  }

  run(): Token[] {
    while (this.#at < this.#source.length) {
      const begin = this.#nextTag()
      this.#addText(begin)
      this.#at = begin
      if (begin < this.#source.length) this.#readTag(begin)
    }
    return this.#tokens
  }

  #nextTag(): number {
    const tag = /\{[{%#]/g
    tag.lastIndex = this.#at
    return tag.exec(this.#source)?.index ?? this.#source.length
  }

  #addText(end: number): void {
    let text = this.#source.slice(this.#at, end)
    const [kind, control] = [this.#source[end + 1], this.#source[end + 2]]
    if (this.#trims) text = text.trimStart()
    if (control === '-') text = text.trimEnd()
    else if (kind !== undefined && kind !== '{' && control !== '+') text = this.#withoutIndent(text)
    if (text !== '') this.#tokens.push({ kind: 'text', text })
  }

  /** Removes the white space between the start of the line and a block or comment. */
  #withoutIndent(text: string): string {
    const lineStart = text.lastIndexOf('\n') + 1
    if (lineStart === 0 && !this.#isLineStart) return text
    return /^[^\S\n]*$/.test(text.slice(lineStart)) ? text.slice(0, lineStart) : text
  }

  #readTag(begin: number): void {
    const mark = this.#source.slice(begin, begin + 2)
    this.#at = begin + 2
    if (mark === '{#') {
      const end = this.#source.indexOf('#}', this.#at)
      if (end === -1) throw new SyntaxError('a comment has no end')
      this.#endTag(end, '#}')
      return
    }
    if (/[-+]/.test(this.#source[this.#at] ?? '')) this.#at += 1
    this.#match(space)
    if (mark === '{%' && this.#match(rawTag)) this.#readRaw(this.#at)
    else this.#readCode(mark)
  }

  #readRaw(begin: number): void {
    const close = /\{%([-+]?)\s*endraw\s*[-+]?%\}/g
    close.lastIndex = begin
    const match = close.exec(this.#source)
    if (match === null) throw new SyntaxError('raw has no end')
    let text = this.#source.slice(begin, match.index)
    if (this.#source[begin - 3] === '-') text = text.trimStart()
    this.#isLineStart = false
    if (match[1] === '-') text = text.trimEnd()
    else if (match[1] !== '+') text = this.#withoutIndent(text)
    if (text !== '') this.#tokens.push({ kind: 'text', text })
    this.#endTag(close.lastIndex - 2, '%}')
  }

  /** Reads the tokens of an expression or a statement. */
  #readCode(mark: string): void {
    const end = ends[mark] ?? ''
    this.#tokens.push({ kind: 'mark', text: mark })
    let depth = 0
    for (;;) {
      this.#match(space)
      const signed = /[-+]/.test(this.#source[this.#at] ?? '') ? 1 : 0
      if (depth === 0 && this.#source.startsWith(end, this.#at + signed)) {
        this.#tokens.push({ kind: 'mark', text: end })
        this.#endTag(this.#at + signed, end)
        return
      }
      const token = this.#readToken()
      if (/^[([{]$/.test(token.text) && token.kind === 'operator') depth += 1
      if (/^[)\]}]$/.test(token.text) && token.kind === 'operator') depth -= 1
      this.#tokens.push(token)
    }
  }

  /** Continues after a tag whose end mark is at `end`. */
  #endTag(end: number, mark: string): void {
    const control = this.#source[end - 1]
    this.#at = end + mark.length
    this.#trims = control === '-'
    const breaks = mark !== '}}' && control !== '+' && this.#source[this.#at] === '\n'
    if (breaks) this.#at += 1
    this.#isLineStart = breaks
  }

  #readToken(): Token {
    const named = this.#match(name)
    if (named) return { kind: 'name', text: named[0] }
    const digits = this.#match(number)
    if (digits) {
      const kind = digits[1] === undefined && digits[2] === undefined ? 'integer' : 'float'
      return { kind, text: digits[0].replaceAll('_', '') }
    }
    const quoted = this.#match(string)
    if (quoted) return { kind: 'string', text: unescaped(quoted[1] ?? quoted[2] ?? '') }
    const operator = operators.find((text) => this.#source.startsWith(text, this.#at))
    if (operator === undefined)
      throw new SyntaxError(
        `unexpected ${JSON.stringify(this.#source.slice(this.#at, this.#at + 20))}`,
      )
    this.#at += operator.length
    return { kind: 'operator', text: operator }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#source)
    if (match) this.#at = pattern.lastIndex
    return match
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

/** Replaces the escape sequences of Python's string literals. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([^]))/g,
    (whole, x?: string, u?: string, long?: string, octal?: string, single = '') => {
      const hex = x ?? u ?? long
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      return escapes[single] ?? whole
    },
  )
}
