import { anyJsonDepthMax } from '../../limits.ts'
import { anyCodePoint, type CodePoints, contains } from './patterns/code-points.ts'
import type { GrammarBuilder, State } from './grammar.ts'
import { addSeries } from './members.ts'

const integerDigitsMax = 15
const fractionDigitsMax = 12
const hex = '0-9a-fA-F'

/** Grammar rules of JSON. Texts are compact, except that a space may follow a comma or a colon. */
export class JsonRules {
  readonly #grammar: GrammarBuilder
  readonly #tails = new Map<string, State>()
  readonly #rules = new Map<string, State>()

  constructor(grammar: GrammarBuilder) {
    this.#grammar = grammar
  }

  /** One character of a string, plain or escaped. */
  get character(): State {
    return this.rule('character', (start, end) => {
      this.#grammar.call(start, this.oneOf(anyCodePoint), end)
      this.#addFreeEscapes(start, end)
    })
  }

  get string(): State {
    return this.rule('string', (start, end) => {
      const inside = this.#grammar.state()
      this.#byte(start, '"', inside)
      this.#grammar.call(inside, this.character, inside)
      this.#byte(inside, '"', end)
    })
  }

  /** A string without optional escapes, so that equal names have equal bytes. */
  get name(): State {
    return this.rule('name', (start, end) => {
      const inside = this.#grammar.state()
      this.#byte(start, '"', inside)
      this.#grammar.call(inside, this.oneOf(anyCodePoint), inside)
      this.#byte(inside, '"', end)
    })
  }

  get integer(): State {
    return this.rule('integer', (start, end) => this.#addInteger(start, end))
  }

  get number(): State {
    return this.rule('number', (start, end) => {
      const grammar = this.#grammar
      const whole = grammar.state()
      this.#addInteger(start, whole)
      grammar.skip(whole, end)
      const fraction = grammar.state()
      this.#byte(whole, '.', fraction)
      const exponent = grammar.state()
      this.#addDigits(fraction, 1, fractionDigitsMax, exponent)
      grammar.skip(exponent, end)
      for (const from of [whole, exponent]) {
        const sign = grammar.state()
        this.#byte(from, 'e', sign)
        this.#byte(from, 'E', sign)
        const digits = grammar.state()
        for (const text of ['+', '-']) this.#byte(sign, text, digits)
        grammar.skip(sign, digits)
        this.#addDigits(digits, 1, 2, end)
      }
    })
  }

  /** Any value, nested at most `depth` levels. */
  any(depth = anyJsonDepthMax): State {
    return this.rule(`any ${depth}`, (start, end) => {
      const grammar = this.#grammar
      grammar.anyText(start, ['null', 'true', 'false'], end)
      const rules = [this.string, this.number]
      if (depth > 0) rules.push(this.map(this.any(depth - 1)), this.#list(this.any(depth - 1)))
      for (const rule of rules) grammar.call(start, rule, end)
    })
  }

  /** An object with any names, each at most once. */
  map(value: State): State {
    const known = this.#rules.get(`map ${value}`)
    if (known !== undefined) return known
    const rule = this.series(
      '{',
      (from, to) => {
        const member = this.#grammar.state()
        this.#grammar.key(from, this.name, member)
        this.#grammar.call(this.after(member, ':'), value, to)
      },
      '}',
      { min: 0, max: Infinity },
    )
    this.#rules.set(`map ${value}`, rule)
    return rule
  }

  /** Returns the rule of `min` to `max` parts with commas between them. */
  series(
    opening: '[' | '{',
    addPart: (from: State, to: State) => void,
    closing: ']' | '}',
    counts: { min: number; max: number },
  ): State {
    const grammar = this.#grammar
    const [start, end] = [grammar.state(), grammar.state()]
    grammar.end(end)
    const ends = addSeries(grammar, grammar.text(start, opening), counts, {
      separate: (from) => this.after(from, ','),
      part: addPart,
    })
    for (const state of ends) this.#byte(state, closing, end)
    return start
  }

  /** Adds a separator and an optional space. Returns the state after them. */
  after(from: State, separator: ',' | ':'): State {
    const [read, next] = [this.#grammar.state(), this.#grammar.state()]
    this.#byte(from, separator, read)
    this.#grammar.skip(read, next)
    this.#byte(read, ' ', next)
    return next
  }

  /** One character of the set. It is escaped only if JSON requires that, and then in only one way. */
  oneOf(points: CodePoints): State {
    this.#grammar.budget.spend(points.length / 2)
    return this.rule(`one of ${points.join()}`, (start, end) => {
      // JSON requires escapes only for characters up to U+005C.
      const first = points.filter(([low]) => low <= 0x5c)
      this.#grammar.budget.spend(points.length + first.length * 2)
      const escapes: string[] = []
      for (let code = 0; code <= 0x5c; code++) {
        const mustBe = code < 0x20 || code === 0x22 || code === 0x5c
        if (mustBe && contains(first, code))
          escapes.push(JSON.stringify(String.fromCharCode(code)).slice(1, -1))
      }
      this.#grammar.anyText(start, escapes, end)
      for (const [first, last] of points) {
        for (const [low, high] of plainRanges) {
          this.#addUtf8Range(start, Math.max(first, low), Math.min(last, high), end)
        }
      }
    })
  }

  #list(item: State): State {
    return this.rule(`list ${item}`, (start, end) => {
      const grammar = this.#grammar
      const [first, rest] = [grammar.state(), grammar.state()]
      this.#byte(start, '[', first)
      grammar.call(first, item, rest)
      grammar.call(this.after(rest, ','), item, rest)
      for (const from of [first, rest]) this.#byte(from, ']', end)
    })
  }

  /** Returns the rule stored under `key`, and builds it on first use. A rule may call itself. */
  rule(key: string, build: (start: State, end: State) => void): State {
    const known = this.#rules.get(key)
    if (known !== undefined) return known
    const [start, end] = [this.#grammar.state(), this.#grammar.state()]
    this.#rules.set(key, start)
    this.#grammar.end(end)
    build(start, end)
    return start
  }

  #byte(from: State, character: string, to: State): void {
    const byte = character.charCodeAt(0)
    this.#grammar.bytes(from, byte, byte, to)
  }

  #addInteger(from: State, to: State): void {
    const grammar = this.#grammar
    const [digits, more] = [grammar.state(), grammar.state()]
    this.#byte(from, '-', digits)
    grammar.skip(from, digits)
    this.#byte(digits, '0', to)
    grammar.bytes(digits, 0x31, 0x39, more)
    this.#addDigits(more, 0, integerDigitsMax - 1, to)
  }

  #addDigits(from: State, min: number, max: number, to: State): void {
    let at = from
    for (let count = 0; count < max; count++) {
      if (count >= min) this.#grammar.skip(at, to)
      const next = count === max - 1 ? to : this.#grammar.state()
      this.#grammar.bytes(at, 0x30, 0x39, next)
      at = next
    }
  }

  /** Adds the optional escapes: `\/`, and `\u` with the digits of a character or of a surrogate pair. */
  #addFreeEscapes(from: State, to: State): void {
    const grammar = this.#grammar
    const escape = grammar.state()
    this.#byte(from, '\\', escape)
    this.#byte(escape, '/', to)
    const [first, second, third] = [grammar.state(), grammar.state(), grammar.state()]
    this.#byte(escape, 'u', first)
    this.#addClasses(first, ['0-9a-ce-fA-CE-F', hex], third)
    this.#addClasses(first, ['dD'], second)
    this.#addClasses(second, ['0-7'], third)
    this.#addClasses(third, [hex, hex], to)
    const halves = ['89abAB', hex, hex, '\\', 'u', 'dD', 'c-fC-F', hex, hex]
    this.#addClasses(second, halves, to)
  }

  /**
   * Adds a sequence of characters, one of each class. A class is written as in the brackets of a regular expression.
   */
  #addClasses(from: State, classes: readonly string[], to: State): void {
    let at = from
    for (const [index, characters] of classes.entries()) {
      const next = index === classes.length - 1 ? to : this.#grammar.state()
      for (const [, first = '', last = first] of characters.matchAll(/(.)(?:-(.))?/g)) {
        this.#grammar.bytes(at, first.charCodeAt(0), last.charCodeAt(0), next)
      }
      at = next
    }
  }

  #addUtf8Range(from: State, first: number, last: number, to: State): void {
    if (first > last) return
    const low = [...Buffer.from(String.fromCodePoint(first))]
    const high = [...Buffer.from(String.fromCodePoint(last))]
    this.#addByteRange(from, low, high, to)
  }

  /** Adds all byte sequences from `low` to `high`, which have the same length. */
  #addByteRange(from: State, low: number[], high: number[], to: State): void {
    const grammar = this.#grammar
    let [first = 0, ...lowRest] = low
    let [last = 0, ...highRest] = high
    if (lowRest.length === 0) {
      grammar.bytes(from, first, last, to)
      return
    }
    if (first === last) {
      const next = grammar.state()
      grammar.bytes(from, first, first, next)
      this.#addByteRange(next, lowRest, highRest, to)
      return
    }
    if (lowRest.some((byte) => byte !== 0x80)) {
      const next = grammar.state()
      grammar.bytes(from, first, first, next)
      this.#addByteRange(
        next,
        lowRest,
        lowRest.map(() => 0xbf),
        to,
      )
      first += 1
    }
    if (highRest.some((byte) => byte !== 0xbf)) {
      const next = grammar.state()
      grammar.bytes(from, last, last, next)
      this.#addByteRange(
        next,
        highRest.map(() => 0x80),
        highRest,
        to,
      )
      last -= 1
    }
    if (first <= last) grammar.bytes(from, first, last, this.#continuation(lowRest.length, to))
  }

  /** Returns a state from which any `count` continuation bytes of UTF-8 lead to `to`. */
  #continuation(count: number, to: State): State {
    if (count === 0) return to
    const key = `${count} ${to}`
    let state = this.#tails.get(key)
    if (state === undefined) {
      state = this.#grammar.state()
      this.#tails.set(key, state)
      this.#grammar.bytes(state, 0x80, 0xbf, this.#continuation(count - 1, to))
    }
    return state
  }
}

/** Ranges of characters that need no escape, split where the number of bytes in UTF-8 changes. */
const plainRanges: CodePoints = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x10ffff],
]
