import { patternCharsMax, patternStatesMax } from '../../../limits.ts'
import { anyCodePoint, basicPlane, type CodePoints, overlap } from './code-points.ts'
import {
  complementOf,
  type Dfa,
  type DfaState,
  intersect,
  limitToBasicPlane,
  PatternRefused,
} from './dfa.ts'
import type { Budget } from '../grammar.ts'
import { type PatternNode, PatternReader } from './pattern-reader.ts'

/**
 * Compiles an ECMAScript pattern to an automaton for whole texts. Any text may stand before and after a pattern without
 * anchors. Matching takes linear time, without backtracking.
 * @throws PatternRefused
 */
export function compilePattern(source: string, budget: Budget): Dfa {
  if (source.length > patternCharsMax)
    throw new PatternRefused(`it has more than ${patternCharsMax} characters`)
  const isUnicode = isPattern(source, 'u')
  if (!isUnicode && (!isPattern(source, '') || /[^\0-\uffff]|\\[pPuk]/u.test(source)))
    throw new PatternRefused('it is not a valid regular expression')
  budget.spend(source.length / 4)
  const node = new PatternReader(source, budget).read()
  // Without the flag `u`, some validators read a character above U+FFFF as two.
  if (isUnicode) return new PatternCompiler(budget, anyCodePoint).search([node])
  return limitToBasicPlane(new PatternCompiler(budget, basicPlane).search([node]))
}

function isPattern(source: string, flags: string): boolean {
  try {
    // oxlint-disable-next-line no-new
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

/**
 * Compiles a pattern by combining automata of the parts before and after each condition, which is an anchor or a
 * lookahead.
 */
class PatternCompiler {
  readonly #budget: Budget
  readonly #any: CodePoints
  readonly #anyText: PatternNode

  constructor(budget: Budget, any: CodePoints) {
    this.#budget = budget
    this.#any = any
    this.#anyText = { type: 'repeat', node: { type: 'set', set: any }, min: 0, max: Infinity }
  }

  /** Returns the automaton of the texts that contain the sequence. */
  search(nodes: readonly PatternNode[]): Dfa {
    const at = nodes.findIndex(({ type }) => type !== 'look')
    const first = nodes[at]
    // Lookaheads read nothing, so those before a `^` mean the same after it.
    const [looks, rest] = [nodes.slice(0, Math.max(at, 0)), nodes.slice(at + 1)]
    this.#budget.spend(2 + nodes.length / 4)
    if (first?.type === 'start') return this.#match([...looks, ...rest], true)
    if (first !== undefined && hasStart(first)) {
      const ways = waysOf(first)
      if (ways === undefined) throw startRefused()
      return this.#union(ways.map((way) => this.search([...looks, ...way, ...rest])))
    }
    return this.#match([this.#anyText, ...nodes], false)
  }

  /** Returns the automaton of the texts that begin with the sequence. `isAtStart`: nothing stands before them. */
  #match(nodes: readonly PatternNode[], isAtStart: boolean): Dfa {
    this.#budget.spend(2 + nodes.length / 4)
    const at = nodes.findIndex(isConditional)
    if (at === -1) return this.#automaton([...nodes, this.#anyText], undefined)
    const [before, node, after] = [nodes.slice(0, at), nodes[at], nodes.slice(at + 1)]
    const isStillAtStart = isAtStart && before.length === 0
    switch (node?.type) {
      case undefined:
      case 'set':
        throw new PatternRefused('this syntax is not supported')
      case 'start':
        if (!isStillAtStart) throw startRefused()
        return this.#match(after, true)
      case 'end': {
        const isEnd =
          after.length === 0 || (this.#match(after, isStillAtStart)[0]?.accepts ?? false)
        return isEnd ? this.#automaton(before, undefined) : [{ accepts: false, moves: [] }]
      }
      case 'look': {
        const seen = this.#match([node.node], isStillAtStart)
        const wanted = node.isNegated ? complementOf(seen, this.#budget) : seen
        const tail = intersect(this.#match(after, isStillAtStart), wanted, this.#budget)
        return before.length === 0 ? tail : this.#automaton(before, tail)
      }
      case 'sequence':
      case 'choice':
      case 'repeat': {
        const ways = waysOf(node)
        if (ways === undefined)
          throw new PatternRefused('a condition that repeats is not supported')
        return this.#union(ways.map((way) => this.#match([...before, ...way, ...after], isAtStart)))
      }
    }
  }

  /** Returns the automaton of a sequence without conditions, followed by the texts of `tail`. */
  #automaton(nodes: readonly PatternNode[], tail: Dfa | undefined): Dfa {
    const nfa = new Nfa(this.#budget, this.#any)
    const [start, inner, end] = [nfa.state(), nfa.state(), nfa.state()]
    nfa.add({ type: 'sequence', nodes: [...nodes] }, start, inner)
    if (tail === undefined) nfa.skip(inner, end)
    else nfa.embed(tail, inner, end)
    return determinize(nfa, start, end, this.#budget)
  }

  #union(automata: readonly Dfa[]): Dfa {
    const [only] = automata
    if (automata.length === 1 && only !== undefined) return only
    const nfa = new Nfa(this.#budget, this.#any)
    const [start, end] = [nfa.state(), nfa.state()]
    for (const dfa of automata) nfa.embed(dfa, start, end)
    return determinize(nfa, start, end, this.#budget)
  }
}

function startRefused(): PatternRefused {
  return new PatternRefused('an anchor inside it is not supported')
}

function hasStart(node: PatternNode): boolean {
  switch (node.type) {
    case 'start':
      return true
    case 'sequence': {
      const first = node.nodes.find(({ type }) => type !== 'look')
      return first !== undefined && hasStart(first)
    }
    case 'choice':
      return node.nodes.some(hasStart)
    case 'repeat':
      return hasStart(node.node)
    case 'set':
    case 'end':
    case 'look':
      return false
  }
}

function isConditional(node: PatternNode): boolean {
  switch (node.type) {
    case 'start':
    case 'end':
    case 'look':
      return true
    case 'sequence':
    case 'choice':
      return node.nodes.some(isConditional)
    case 'repeat':
      return isConditional(node.node)
    case 'set':
      return false
  }
}

/** Expands a node into all sequences that it stands for; undefined if there are too many. */
function waysOf(node: PatternNode): readonly (readonly PatternNode[])[] | undefined {
  switch (node.type) {
    case 'sequence':
      return [node.nodes]
    case 'choice':
      return node.nodes.map((one) => [one])
    case 'repeat':
      if (node.max > waysMax) return undefined
      return Array.from({ length: node.max - node.min + 1 }, (_, more) =>
        Array.from({ length: node.min + more }, () => node.node),
      )
    case 'set':
    case 'start':
    case 'end':
    case 'look':
      return [[node]]
  }
}

const waysMax = 4

/** A nondeterministic automaton: `skips` read nothing, `moves` read one code point. */
class Nfa {
  readonly skips: number[][] = []
  readonly moves: { set: CodePoints; to: number }[][] = []
  readonly #budget: Budget
  readonly #any: CodePoints

  constructor(budget: Budget, any: CodePoints) {
    this.#budget = budget
    this.#any = any
  }

  state(): number {
    this.#budget.spend(1)
    if (this.skips.length >= patternStatesMax) throw new PatternRefused('it is too large')
    this.skips.push([])
    this.moves.push([])
    return this.skips.length - 1
  }

  skip(from: number, to: number): void {
    this.#budget.spend(0.25)
    this.skips[from]?.push(to)
  }

  move(from: number, set: CodePoints, to: number): void {
    this.#budget.spend(0.25)
    this.moves[from]?.push({ set, to })
  }

  add(node: PatternNode, from: number, to: number): void {
    switch (node.type) {
      case 'set':
        this.move(from, this.#any === anyCodePoint ? node.set : overlap(node.set, this.#any), to)
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
        break
      case 'start':
      case 'end':
      case 'look':
        throw new PatternRefused('this syntax is not supported')
    }
  }

  /** Copies an automaton between the states `from` and `to`. */
  embed(dfa: Dfa, from: number, to: number): void {
    const states = dfa.map(() => this.state())
    this.skip(from, states[0] ?? to)
    for (const [index, { accepts, moves }] of dfa.entries()) {
      const state = states[index] ?? from
      if (accepts) this.skip(state, to)
      for (const move of moves) this.move(state, [[move.first, move.last]], states[move.to] ?? to)
    }
  }

  #addRepeat(node: PatternNode, min: number, max: number, from: number, to: number): void {
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

/** Numbers sets of states, so that equal sets have the same number. */
class StateSets {
  readonly sets: number[][] = []
  readonly #ids = new Map<string, number>()

  idOf(set: number[]): number {
    const key = set.join()
    let id = this.#ids.get(key)
    if (id === undefined) {
      id = this.sets.length
      if (id >= patternStatesMax) throw new PatternRefused('it is too large')
      this.#ids.set(key, id)
      this.sets.push(set)
    }
    return id
  }
}

/** Subset construction: each set of states that can be reached together becomes one state. */
function determinize(nfa: Nfa, start: number, end: number, budget: Budget): Dfa {
  const closure = (kernel: Iterable<number>): number[] => {
    const seen = new Set(kernel)
    for (const state of seen) {
      const skips = nfa.skips[state] ?? []
      budget.spend((2 + skips.length) / 4)
      for (const next of skips) seen.add(next)
    }
    return [...seen].toSorted((a, b) => a - b)
  }
  const states: DfaState[] = []
  const stateSets = new StateSets()
  stateSets.idOf(closure([start]))
  for (let next = 0; next < stateSets.sets.length; next++) {
    const set = stateSets.sets[next] ?? []
    const moves = set.flatMap((state) => nfa.moves[state] ?? [])
    const joined: { first: number; last: number; to: number }[] = []
    for (const { first, last, targets } of segments(moves, budget)) {
      const to = stateSets.idOf(closure(targets))
      const before = joined.at(-1)
      if (before?.to === to && before.last === first - 1) before.last = last
      else joined.push({ first, last, to })
    }
    states.push({ accepts: set.includes(end), moves: joined })
  }
  return states
}

/**
 * Splits the ranges of all moves at every point where one of them begins or ends. Yields the parts in ascending order,
 * each with the targets of the moves that cover it.
 */
function* segments(
  moves: readonly { set: CodePoints; to: number }[],
  budget: Budget,
): Generator<{ first: number; last: number; targets: number[] }, void, undefined> {
  const changes: { at: number; move: number; begins: boolean }[] = []
  for (const [move, { set }] of moves.entries()) {
    budget.spend(set.length / 2)
    for (const [first, last] of set)
      changes.push({ at: first, move, begins: true }, { at: last + 1, move, begins: false })
  }
  // Where one range ends and another begins, the end comes first in the order: the two may belong to one move, which
  // must stay open.
  changes.sort((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins))
  const open = new Set<number>()
  let first = 0
  for (const { at, move, begins } of changes) {
    if (at > first && open.size > 0) {
      budget.spend(1 + open.size / 4)
      yield { first, last: at - 1, targets: [...open].map((one) => moves[one]?.to ?? 0) }
    }
    first = at
    if (begins) open.add(move)
    else open.delete(move)
  }
}
