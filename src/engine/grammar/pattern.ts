import { patternCharsMax, patternStatesMax } from '../../limits.ts'
import { anyCodePoint, characters, type CodePoints, complement, union } from './code-points.ts'
import type { Budget } from './grammar.ts'

/** Not a pattern, or more of one than is enforced here; the message says what. */
export class PatternRefused extends Error {
  override readonly name = 'PatternRefused'
}

/** A deterministic automaton over code points; state 0 is the first. */
export type Dfa = readonly DfaState[]
export type DfaState = {
  readonly accepts: boolean
  /** Ascending, without overlaps. */
  readonly moves: readonly { readonly first: number; readonly last: number; readonly to: number }[]
}

/**
 * An ECMAScript pattern (with its flag `u`) as an automaton for whole texts: what is not anchored may
 * have any text beside it. There is no backtracking, so none of them is slow to match.
 * @throws PatternRefused
 */
export function compilePattern(source: string, budget: Budget): Dfa {
  if (source.length > patternCharsMax)
    throw new PatternRefused(`it has more than ${patternCharsMax} characters`)
  try {
    // oxlint-disable-next-line no-new
    new RegExp(source, 'u')
  } catch {
    throw new PatternRefused('it is not a valid regular expression')
  }
  const nfa = new Nfa(budget)
  const start = nfa.state()
  const end = nfa.state()
  for (const branch of new PatternReader(source).readBranches()) {
    const from = nfa.state()
    const to = nfa.state()
    nfa.skip(start, from)
    nfa.skip(to, end)
    if (!branch.fromStart) nfa.move(from, anyCodePoint, from)
    if (!branch.toEnd) nfa.move(to, anyCodePoint, to)
    nfa.add(branch.node, from, to)
  }
  return determinize(nfa, start, end, budget)
}

export function accepts(dfa: Dfa, text: string): boolean {
  let state = dfa[0]
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const move = state?.moves.find(({ first, last }) => first <= code && code <= last)
    if (move === undefined) return false
    state = dfa[move.to]
  }
  return state?.accepts ?? false
}

/** The texts that both have. */
export function intersect(a: Dfa, b: Dfa, budget: Budget): Dfa {
  const ids = new Map<string, number>()
  const pairs: [number, number][] = []
  const idOf = (left: number, right: number): number => {
    const key = `${left},${right}`
    let id = ids.get(key)
    if (id === undefined) {
      id = pairs.length
      if (id >= patternStatesMax) throw new PatternRefused('together with others it is too large')
      ids.set(key, id)
      pairs.push([left, right])
    }
    return id
  }
  idOf(0, 0)
  const states: DfaState[] = []
  for (let next = 0; next < pairs.length; next++) {
    const [left = 0, right = 0] = pairs[next] ?? []
    const moves: { first: number; last: number; to: number }[] = []
    for (const one of a[left]?.moves ?? []) {
      for (const other of b[right]?.moves ?? []) {
        budget.spend(1)
        const first = Math.max(one.first, other.first)
        const last = Math.min(one.last, other.last)
        if (first <= last) moves.push({ first, last, to: idOf(one.to, other.to) })
      }
    }
    const isEnd = (a[left]?.accepts ?? false) && (b[right]?.accepts ?? false)
    states.push({ accepts: isEnd, moves: moves.toSorted((m, n) => m.first - n.first) })
  }
  return states
}

export function isEmpty(dfa: Dfa): boolean {
  const seen = new Set([0])
  for (const id of seen) {
    if (dfa[id]?.accepts === true) return false
    for (const { to } of dfa[id]?.moves ?? []) seen.add(to)
  }
  return true
}

/** Of its texts, in characters. */
export function longest(dfa: Dfa): number {
  const lengths = new Map<number, number>()
  const from = (id: number): number => {
    const known = lengths.get(id)
    if (known !== undefined) return known
    // Who comes back here while it is looked at goes round in a circle.
    lengths.set(id, Infinity)
    const next = new Set(dfa[id]?.moves.map(({ to }) => to))
    const length = Math.max(0, ...[...next].map((to) => 1 + from(to)))
    lengths.set(id, length)
    return length
  }
  return from(0)
}

type Node =
  | { type: 'set'; set: CodePoints }
  | { type: 'sequence'; nodes: Node[] }
  | { type: 'choice'; nodes: Node[] }
  | { type: 'repeat'; node: Node; min: number; max: number }

const repetitionsMax = 1000
const groupsDepthMax = 40

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

/** Reads what `RegExp` has taken already, so it only has to tell what it does not enforce. */
class PatternReader {
  readonly #source: string
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  readBranches(): { node: Node; fromStart: boolean; toEnd: boolean }[] {
    const branches: { node: Node; fromStart: boolean; toEnd: boolean }[] = []
    do {
      const fromStart = this.#take('^')
      const node = this.#readSequence()
      const toEnd = this.#take('$')
      branches.push({ node, fromStart, toEnd })
    } while (this.#take('|'))
    if (this.#at < this.#source.length) throw this.#refusal()
    return branches
  }

  #readChoice(): Node {
    const nodes = [this.#readSequence()]
    while (this.#take('|')) nodes.push(this.#readSequence())
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { type: 'choice', nodes }
  }

  #readSequence(): Node {
    const nodes: Node[] = []
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) {
      if (this.#sees('$')) break
      nodes.push(this.#readRepeat(this.#readAtom()))
    }
    return { type: 'sequence', nodes }
  }

  #readRepeat(node: Node): Node {
    let bounds: [number, number] | undefined
    if (this.#take('*')) bounds = [0, Infinity]
    else if (this.#take('+')) bounds = [1, Infinity]
    else if (this.#take('?')) bounds = [0, 1]
    else if (this.#sees('{')) bounds = this.#readCounts()
    if (bounds === undefined) return node
    // A lazy one matches the same texts.
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

  #readAtom(): Node {
    if (this.#take('(')) return this.#readGroup()
    if (this.#take('[')) return { type: 'set', set: this.#readClass() }
    if (this.#take('.')) return { type: 'set', set: complement(lineEnds) }
    if (this.#sees('^')) throw this.#refusal()
    if (this.#take('\\')) return { type: 'set', set: this.#readEscape() }
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += String.fromCodePoint(code).length
    return { type: 'set', set: characters(code, code) }
  }

  #readGroup(): Node {
    if (this.#take('?:') || !this.#sees('?')) return this.#readGroupRest()
    const [name] = /^\?<[^=!>][^>]*>/.exec(this.#rest()) ?? []
    if (name === undefined)
      throw new PatternRefused('it looks ahead or behind, or sets flags, which is not supported')
    this.#at += name.length
    return this.#readGroupRest()
  }

  #readGroupRest(): Node {
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
      const first = from[0]?.[0]
      const isOne = from.length === 1 && first !== undefined && first === from[0]?.[1]
      if (isOne && this.#sees('-') && this.#source[this.#at + 1] !== ']') {
        this.#at += 1
        const last = this.#readClassAtom()[0]?.[1] ?? first
        sets.push(characters(first, last))
      } else sets.push(from)
    }
    const set = union(...sets)
    return isNegated ? complement(set) : set
  }

  #readClassAtom(): CodePoints {
    if (this.#take('\\')) return this.#take('b') ? characters(8, 8) : this.#readEscape()
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += String.fromCodePoint(code).length
    return characters(code, code)
  }

  #readEscape(): CodePoints {
    const letter = this.#source[this.#at] ?? ''
    this.#at += 1
    const set = classEscapes[letter]
    if (set !== undefined) return set
    const control = controlEscapes[letter]
    if (control !== undefined) return characters(control, control)
    if (/[\^$\\.*+?()[\]{}|/-]/.test(letter)) {
      const code = letter.charCodeAt(0)
      return characters(code, code)
    }
    const [text, pair, two, four, braced] =
      /^(?:u([dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})/.exec(
        letter + this.#rest(),
      ) ?? []
    if (text === undefined)
      throw new PatternRefused(`\`\\${letter}\` is not supported in a pattern`)
    this.#at += text.length - 1
    const code =
      pair === undefined
        ? Number.parseInt(two ?? four ?? braced ?? '0', 16)
        : (String.fromCharCode(
            Number.parseInt(pair.slice(0, 4), 16),
            Number.parseInt(pair.slice(6), 16),
          ).codePointAt(0) ?? 0)
    return characters(code, code)
  }

  #refusal(): PatternRefused {
    const what = this.#sees('^') || this.#sees('$') ? 'an anchor inside it' : 'this syntax'
    return new PatternRefused(`${what} is not supported (at character ${this.#at + 1})`)
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

class Nfa {
  readonly skips: number[][] = []
  readonly moves: { set: CodePoints; to: number }[][] = []
  readonly #budget: Budget

  constructor(budget: Budget) {
    this.#budget = budget
  }

  state(): number {
    this.#budget.spend(1)
    if (this.skips.length >= patternStatesMax) throw new PatternRefused('it is too large')
    this.skips.push([])
    this.moves.push([])
    return this.skips.length - 1
  }

  skip(from: number, to: number): void {
    this.skips[from]?.push(to)
  }

  move(from: number, set: CodePoints, to: number): void {
    this.moves[from]?.push({ set, to })
  }

  add(node: Node, from: number, to: number): void {
    switch (node.type) {
      case 'set':
        this.move(from, node.set, to)
        break
      case 'sequence': {
        let at = from
        for (const [index, one] of node.nodes.entries()) {
          const next = index === node.nodes.length - 1 ? to : this.state()
          this.add(one, at, next)
          at = next
        }
        if (node.nodes.length === 0) this.skip(from, to)
        break
      }
      case 'choice':
        for (const one of node.nodes) this.add(one, from, to)
        break
      case 'repeat':
        this.#addRepeat(node.node, node.min, node.max, from, to)
    }
  }

  #addRepeat(node: Node, min: number, max: number, from: number, to: number): void {
    let at = from
    for (let count = 0; count < min; count++) {
      const next = this.state()
      this.add(node, at, next)
      at = next
    }
    if (max === Infinity) {
      const loop = this.state()
      this.skip(at, loop)
      const back = this.state()
      this.add(node, loop, back)
      this.skip(back, loop)
      this.skip(loop, to)
      return
    }
    for (let count = min; count < max; count++) {
      this.skip(at, to)
      const next = this.state()
      this.add(node, at, next)
      at = next
    }
    this.skip(at, to)
  }
}

function determinize(nfa: Nfa, start: number, end: number, budget: Budget): Dfa {
  const closure = (kernel: Iterable<number>): number[] => {
    const seen = new Set(kernel)
    for (const state of seen) for (const next of nfa.skips[state] ?? []) seen.add(next)
    budget.spend(seen.size / 4)
    return [...seen].toSorted((a, b) => a - b)
  }
  const ids = new Map<string, number>()
  const sets: number[][] = []
  const idOf = (set: number[]): number => {
    const key = set.join()
    let id = ids.get(key)
    if (id === undefined) {
      id = sets.length
      if (id >= patternStatesMax) throw new PatternRefused('it is too large')
      ids.set(key, id)
      sets.push(set)
    }
    return id
  }
  idOf(closure([start]))
  const states: DfaState[] = []
  for (let next = 0; next < sets.length; next++) {
    const set = sets[next] ?? []
    const moves = set.flatMap((state) => nfa.moves[state] ?? [])
    const cuts = new Set<number>()
    for (const { set: points } of moves) {
      for (const [first, last] of points) cuts.add(first).add(last + 1)
    }
    const sorted = [...cuts].toSorted((a, b) => a - b)
    budget.spend((sorted.length * moves.length) / 4)
    const joined: { first: number; last: number; to: number }[] = []
    for (const [index, first] of sorted.entries()) {
      const last = (sorted[index + 1] ?? first + 1) - 1
      const targets = moves.filter(({ set: points }) => has(points, first)).map(({ to }) => to)
      if (targets.length === 0) continue
      const to = idOf(closure(targets))
      const before = joined.at(-1)
      if (before?.to === to && before.last === first - 1) before.last = last
      else joined.push({ first, last, to })
    }
    states.push({ accepts: set.includes(end), moves: joined })
  }
  return states
}

function has(points: CodePoints, code: number): boolean {
  return points.some(([first, last]) => first <= code && code <= last)
}
