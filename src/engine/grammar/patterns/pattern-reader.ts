import { characters, type CodePoints, complement, union } from './code-points.ts'
import { PatternRefused } from './dfa.ts'
import type { Budget } from '../grammar.ts'

export type PatternNode =
  | { type: 'set'; set: CodePoints }
  | { type: 'sequence'; nodes: PatternNode[] }
  | { type: 'choice'; nodes: PatternNode[] }
  | { type: 'repeat'; node: PatternNode; min: number; max: number }
  /** The anchors `^` and `$`. */
  | { type: 'start' }
  | { type: 'end' }
  /** `(?=…)` and `(?!…)`: a lookahead on the text that follows. */
  | { type: 'look'; node: PatternNode; isNegated: boolean }

const repetitionsMax = 1000
const groupsDepthMax = 40
/** Budget steps charged for one scan of all Unicode characters. */
const propertyWork = 25_000

const digits: CodePoints = [[0x30, 0x39]]
const wordCharacters = union(digits, [[0x41, 0x5a]], [[0x5f, 0x5f]], [[0x61, 0x7a]])
const lineEnds: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
const spaces = union(
  [[0x09, 0x0d]],
  [[0x20, 0x20]],
  [[0xa0, 0xa0]],
  [[0x1680, 0x1680]],
  [[0x2000, 0x200a]],
  [[0x2028, 0x2029]],
  [[0x202f, 0x202f]],
  [[0x205f, 0x205f]],
  [[0x3000, 0x3000]],
  [[0xfeff, 0xfeff]],
)
const classEscapes: Readonly<Record<string, CodePoints>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
}
const controlEscapes: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

const hyphen = 0x2d

/** A character, or the characters of an escape such as `\d`. */
type ClassAtom = number | CodePoints

function setOf(atom: ClassAtom): CodePoints {
  return typeof atom === 'number' ? characters(atom, atom) : atom
}

/** Parses patterns that `RegExp` accepts, and refuses syntax that is not supported here. */
export class PatternReader {
  readonly #source: string
  readonly #budget: Budget
  readonly #properties = new Map<string, CodePoints>()
  #at = 0
  #depth = 0

  constructor(source: string, budget: Budget) {
    this.#source = source
    this.#budget = budget
  }

  /** @throws PatternRefused */
  read(): PatternNode {
    const node = this.#readChoice()
    if (this.#at < this.#source.length) throw this.#refusal()
    return node
  }

  #readChoice(): PatternNode {
    const nodes = [this.#readSequence()]
    while (this.#take('|')) nodes.push(this.#readSequence())
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { type: 'choice', nodes }
  }

  #readSequence(): PatternNode {
    const nodes: PatternNode[] = []
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) {
      if (this.#take('^')) nodes.push({ type: 'start' })
      else if (this.#take('$')) nodes.push({ type: 'end' })
      else nodes.push(this.#readRepeat(this.#readAtom()))
    }
    return { type: 'sequence', nodes }
  }

  #readRepeat(node: PatternNode): PatternNode {
    let bounds: [number, number] | undefined
    if (this.#take('*')) bounds = [0, Infinity]
    else if (this.#take('+')) bounds = [1, Infinity]
    else if (this.#take('?')) bounds = [0, 1]
    else if (this.#sees('{')) bounds = this.#readCounts()
    if (bounds === undefined) return node
    // A lazy quantifier matches the same texts, so its `?` is skipped.
    this.#take('?')
    const [min, max] = bounds
    return { type: 'repeat', node, min, max }
  }

  #readCounts(): [number, number] {
    const [text, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#rest()) ?? []
    if (text === undefined) throw this.#refusal()
    this.#at += text.length
    const min = Number(least)
    const max = comma === '' ? min : most === '' ? Infinity : Number(most)
    if (min > repetitionsMax || (max !== Infinity && max > repetitionsMax))
      throw new PatternRefused(`it repeats more than ${repetitionsMax} times`)
    return [min, max]
  }

  #readAtom(): PatternNode {
    if (this.#take('(')) return this.#readGroup()
    if (this.#take('[')) return { type: 'set', set: this.#readClass() }
    if (this.#take('.')) return { type: 'set', set: complement(lineEnds) }
    if (this.#take('\\')) return { type: 'set', set: setOf(this.#readEscape()) }
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += String.fromCodePoint(code).length
    return { type: 'set', set: characters(code, code) }
  }

  #readGroup(): PatternNode {
    if (this.#take('?:') || !this.#sees('?')) return this.#readGroupRest()
    const isNegated = this.#sees('?!')
    if (this.#take('?=') || this.#take('?!'))
      return { type: 'look', node: this.#readGroupRest(), isNegated }
    const [name] = /^\?<[^=!>][^>]*>/.exec(this.#rest()) ?? []
    if (name === undefined)
      throw new PatternRefused('it looks behind or sets flags, which is not supported')
    this.#at += name.length
    return this.#readGroupRest()
  }

  #readGroupRest(): PatternNode {
    this.#depth += 1
    if (this.#depth > groupsDepthMax)
      throw new PatternRefused(`its groups nest deeper than ${groupsDepthMax} levels`)
    const node = this.#readChoice()
    if (!this.#take(')')) throw this.#refusal()
    this.#depth -= 1
    return node
  }

  #readClass(): CodePoints {
    const isNegated = this.#take('^')
    const sets: CodePoints[] = []
    while (!this.#take(']')) {
      const from = this.#readClassAtom()
      const isRange = this.#sees('-') && this.#source[this.#at + 1] !== ']'
      if (!isRange) {
        sets.push(setOf(from))
        continue
      }
      this.#at += 1
      const to = this.#readClassAtom()
      // Without the flag `u`, a hyphen beside a class is a character, and begins no range.
      if (typeof from !== 'number') sets.push(from, setOf(hyphen), setOf(to))
      else if (typeof to === 'number') sets.push(characters(from, to))
      else throw this.#refusal()
    }
    const set = union(...sets)
    return isNegated ? complement(set) : set
  }

  #readClassAtom(): ClassAtom {
    if (this.#take('\\')) return this.#take('b') ? 8 : this.#readEscape()
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += String.fromCodePoint(code).length
    return code
  }

  #readEscape(): ClassAtom {
    const letter = this.#source[this.#at] ?? ''
    this.#at += 1
    const set = classEscapes[letter]
    if (set !== undefined) return set
    // Without the flag `u`, more digits after `\0` make it an octal number.
    if (letter === '0' && /^\d/.test(this.#rest())) throw this.#refusal()
    const control = controlEscapes[letter]
    if (control !== undefined) return control
    if (letter === 'p' || letter === 'P') return this.#readProperty(letter === 'P')
    if (/[!-/:-@[-`{-~ ]/.test(letter)) return letter.charCodeAt(0)
    const [text, pair, two, four, braced] =
      /^(?:u([dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})/.exec(
        letter + this.#rest(),
      ) ?? []
    if (text === undefined)
      throw new PatternRefused(`\`\\${letter}\` is not supported in a pattern`)
    this.#at += text.length - 1
    if (pair === undefined) return Number.parseInt(two ?? four ?? braced ?? '0', 16)
    const [high, low] = [pair.slice(0, 4), pair.slice(6)].map((half) => Number.parseInt(half, 16))
    return String.fromCharCode(high ?? 0, low ?? 0).codePointAt(0) ?? 0
  }

  /** Reads the `{Name}` of a Unicode property, and returns its characters. */
  #readProperty(isNegated: boolean): CodePoints {
    const [text, name] = /^\{([A-Za-z_]{1,40}(?:=[A-Za-z_]{1,40})?)\}/.exec(this.#rest()) ?? []
    if (text === undefined || name === undefined) throw this.#refusal()
    this.#at += text.length
    const set = this.#properties.get(name) ?? this.#readSet(name)
    this.#budget.spend(set.length)
    return isNegated ? complement(set) : set
  }

  #readSet(name: string): CodePoints {
    this.#budget.spend(propertyWork)
    const set = propertySet(name)
    this.#properties.set(name, set)
    return set
  }

  #refusal(): PatternRefused {
    return new PatternRefused(`this syntax is not supported (at character ${this.#at + 1})`)
  }

  #rest(): string {
    return this.#source.slice(this.#at)
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#at += text.length
    return true
  }
}

/** Ranges that contain assigned characters. All other code points are unassigned or private. */
const assigned: CodePoints = [
  [0, 0xd7ff],
  [0xe000, 0x33fff],
  [0xe0000, 0xe01ef],
]
/**
 * Samples of unassigned and private code points. A property that matches one of them is refused, because it covers more
 * than `assigned`.
 */
const unassigned = [0x34000, 0x40000, 0xdffff, 0xe0fff, 0xf0000, 0x10ffff]

/** Collects the characters of a Unicode property. */
function propertySet(name: string): CodePoints {
  const one = new RegExp(`\\p{${name}}`, 'u')
  const run = new RegExp(`\\p{${name}}+`, 'gu')
  if (unassigned.some((code) => one.test(String.fromCodePoint(code))))
    throw new PatternRefused(`the property ${name} is not supported`)
  const ranges: [number, number][] = []
  for (const [first, last] of assigned) {
    for (let from = first; from <= last; from += 0x1000) {
      const codes = Array.from({ length: Math.min(0x1000, last - from + 1) }, (_, at) => from + at)
      const text = String.fromCodePoint(...codes)
      const width = from > 0xffff ? 2 : 1
      for (const { index, 0: found } of text.matchAll(run))
        ranges.push([from + index / width, from + (index + found.length) / width - 1])
    }
  }
  return union(ranges)
}
