import { patternCharsMax, patternStatesMax } from '../../limits.ts'
import { anyCodePoint, type CodePoints, contains } from './code-points.ts'
import { type Dfa, type DfaState, PatternRefused } from './dfa.ts'
import type { Budget } from './grammar.ts'
import { type PatternNode, PatternReader } from './pattern-reader.ts'

/**
 * Compiles an ECMAScript pattern with the flag `u` to an automaton for whole texts. Any text may stand
 * before and after a pattern without anchors. Matching takes linear time: there is no backtracking.
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

/** A nondeterministic automaton: `skips` read nothing, `moves` read one code point. */
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

  add(node: PatternNode, from: number, to: number): void {
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

/** Sets of states of an automaton, each numbered once. */
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
    for (const state of seen) for (const next of nfa.skips[state] ?? []) seen.add(next)
    budget.spend(seen.size / 4)
    return [...seen].toSorted((a, b) => a - b)
  }
  const states: DfaState[] = []
  const stateSets = new StateSets()
  stateSets.idOf(closure([start]))
  for (let next = 0; next < stateSets.sets.length; next++) {
    const set = stateSets.sets[next] ?? []
    const moves = set.flatMap((state) => nfa.moves[state] ?? [])
    const cuts = cutPoints(moves)
    budget.spend((cuts.length * moves.length) / 4)
    const joined: { first: number; last: number; to: number }[] = []
    for (const [index, first] of cuts.entries()) {
      const last = (cuts[index + 1] ?? first + 1) - 1
      const targets = moves.filter((move) => contains(move.set, first)).map(({ to }) => to)
      if (targets.length === 0) continue
      const to = stateSets.idOf(closure(targets))
      const before = joined.at(-1)
      if (before?.to === to && before.last === first - 1) before.last = last
      else joined.push({ first, last, to })
    }
    states.push({ accepts: set.includes(end), moves: joined })
  }
  return states
}

/** Returns the code points at which a range of a move begins, or after which one ends; ascending. */
function cutPoints(moves: readonly { set: CodePoints }[]): number[] {
  const cuts = new Set<number>()
  for (const { set } of moves) for (const [first, last] of set) cuts.add(first).add(last + 1)
  return [...cuts].toSorted((a, b) => a - b)
}
