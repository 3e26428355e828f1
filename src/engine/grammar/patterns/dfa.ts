import { patternStatesMax } from '../../../limits.ts'
import type { Budget } from '../grammar.ts'
import { anyCodePoint, basicPlane, type CodePoints, complement, overlap } from './code-points.ts'

/** A deterministic automaton over code points; state 0 is the start. */
export type Dfa = readonly DfaState[]
export type DfaState = {
  readonly accepts: boolean
  /** Ascending, without overlaps. */
  readonly moves: readonly { readonly first: number; readonly last: number; readonly to: number }[]
}

/** Thrown for an invalid or unsupported pattern. The message is a clause like "it has more than 1000 characters". */
export class PatternRefused extends Error {
  override readonly name = 'PatternRefused'
}

export function accepts(dfa: Dfa, text: string, budget: Budget): boolean {
  let state = dfa[0]
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    budget.spend((state?.moves.length ?? 0) / 50)
    const move = state?.moves.find(({ first, last }) => first <= code && code <= last)
    if (move === undefined) return false
    state = dfa[move.to]
  }
  return state?.accepts ?? false
}

/**
 * Returns the automaton of the texts that both automata accept.
 * @throws PatternRefused when it is too large
 */
export function intersect(a: Dfa, b: Dfa, budget: Budget): Dfa {
  return keepLimit(
    product(a, b, (left, right) => left && right, budget),
    a,
    b,
  )
}

/**
 * Returns the automaton of the texts that at least one of the two accepts.
 * @throws PatternRefused when it is too large
 */
export function unionOf(a: Dfa, b: Dfa, budget: Budget): Dfa {
  const [left, right] = [complete(a, anyCodePoint, budget), complete(b, anyCodePoint, budget)]
  return keepLimit(
    product(left, right, (one, other) => one || other, budget),
    a,
    b,
  )
}

/** Reads a text in both automata at the same time. `isEnd` tells from the ends of both whether the text is accepted. */
function product(
  a: Dfa,
  b: Dfa,
  isEnd: (left: boolean, right: boolean) => boolean,
  budget: Budget,
): Dfa {
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
    budget.spend(1)
    const moves: { first: number; last: number; to: number }[] = []
    for (const one of a[left]?.moves ?? []) {
      for (const other of b[right]?.moves ?? []) {
        budget.spend(1)
        const first = Math.max(one.first, other.first)
        const last = Math.min(one.last, other.last)
        if (first <= last) moves.push({ first, last, to: idOf(one.to, other.to) })
      }
    }
    states.push({
      accepts: isEnd(a[left]?.accepts ?? false, b[right]?.accepts ?? false),
      moves: moves.toSorted((m, n) => m.first - n.first),
    })
  }
  return states
}

export function isEmpty(dfa: Dfa, budget: Budget): boolean {
  const seen = new Set([0])
  for (const id of seen) {
    budget.spend(1 + (dfa[id]?.moves.length ?? 0) / 10)
    if (dfa[id]?.accepts === true) return false
    for (const { to } of dfa[id]?.moves ?? []) seen.add(to)
  }
  return true
}

/** Returns true if no text is accepted by all automata; false also if they are too large to tell. */
export function haveNothingCommon(automata: readonly Dfa[], budget: Budget): boolean {
  try {
    return isEmpty(
      automata.reduce((a, b) => intersect(a, b, budget)),
      budget,
    )
  } catch (error) {
    if (error instanceof PatternRefused) return false
    throw error
  }
}

/** Returns the length in characters of the longest accepted text; Infinity if there is no longest. */
export function longest(dfa: Dfa, budget: Budget): number {
  return numberOfStart(dfa, budget, ({ moves }, lengthFrom) => {
    const next = new Set(moves.map(({ to }) => to))
    return Math.max(0, ...[...next].map((to) => 1 + lengthFrom(to)))
  })
}

/**
 * Returns the number of the start. `numberOf` computes the number of a state from those of the states that it leads
 * to, which is Infinity within a cycle. The stack is a list, because recursion would overflow on a long text.
 */
function numberOfStart(
  given: Dfa,
  budget: Budget,
  numberOf: (state: DfaState, numberFrom: (id: number) => number) => number,
): number {
  // A cycle counts only if its texts can end.
  const dfa = withoutDeadEnds(given, budget)
  const numbers = new Map<number, number>()
  const numberFrom = (id: number): number => numbers.get(id) ?? 0
  const done = new Set<number>()
  const open = [0]
  for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
    const state = dfa[id] ?? { accepts: false, moves: [] }
    if (!numbers.has(id)) {
      budget.spend(1 + state.moves.length / 10)
      // A state that is reached again before its number is known is part of a cycle.
      numbers.set(id, Infinity)
      for (const { to } of state.moves) if (!numbers.has(to)) open.push(to)
      continue
    }
    open.pop()
    if (!done.has(id)) numbers.set(id, numberOf(state, numberFrom))
    done.add(id)
  }
  return numberFrom(0)
}

/** Removes the moves after which no text is accepted. The states keep their places. */
function withoutDeadEnds(dfa: Dfa, budget: Budget): Dfa {
  const sources = dfa.map((): number[] => [])
  for (const [id, { moves }] of dfa.entries()) {
    budget.spend((1 + moves.length / 10) / 2)
    for (const { to } of moves) sources[to]?.push(id)
  }
  const useful = new Set([...dfa.keys()].filter((id) => dfa[id]?.accepts))
  for (const id of useful) for (const source of sources[id] ?? []) useful.add(source)
  return dfa.map(({ accepts: isEnd, moves }) => ({
    accepts: isEnd,
    moves: moves.filter(({ to }) => useful.has(to)),
  }))
}

/**
 * Automata for which it is open whether they accept certain texts with characters above U+FFFF, because validators read
 * their patterns differently there. They and their complements accept none of those texts.
 */
const ofBasicPlane = new WeakSet<Dfa>()

/** Makes the automaton's complement accept no text with characters above U+FFFF. */
export function limitToBasicPlane(dfa: Dfa): Dfa {
  ofBasicPlane.add(dfa)
  return dfa
}

function keepLimit(dfa: Dfa, a: Dfa, b: Dfa): Dfa {
  return ofBasicPlane.has(a) || ofBasicPlane.has(b) ? limitToBasicPlane(dfa) : dfa
}

/**
 * Returns the complement of `dfa`: an automaton that accepts exactly the texts that `dfa` does not accept, or of those
 * only the ones without characters above U+FFFF if `dfa` is limited to them.
 */
export function complementOf(dfa: Dfa, budget: Budget): Dfa {
  const isLimited = ofBasicPlane.has(dfa)
  const states = complete(dfa, isLimited ? basicPlane : anyCodePoint, budget)
  const others = states.map(({ accepts: isEnd, moves }) => ({ accepts: !isEnd, moves }))
  return isLimited ? limitToBasicPlane(others) : others
}

/** Returns the automaton with a move from each state for exactly the characters of `any`. */
function complete(dfa: Dfa, any: CodePoints, budget: Budget): Dfa {
  const rest = dfa.length
  const states = dfa.map(({ accepts: isEnd, moves }): DfaState => {
    budget.spend(1 + moves.length)
    const ranges = moves.map(({ first, last }): [number, number] => [first, last])
    const own = moves.flatMap(({ first, last, to }) => movesOf(overlap([[first, last]], any), to))
    const added = movesOf(overlap(complement(ranges), any), rest)
    return { accepts: isEnd, moves: [...own, ...added].toSorted((a, b) => a.first - b.first) }
  })
  return [...states, { accepts: false, moves: movesOf(any, rest) }]
}

/** Returns the automaton of the listed texts. */
export function dfaOfTexts(texts: readonly string[], budget: Budget): Dfa {
  const states: { accepts: boolean; next: Map<number, number> }[] = [
    { accepts: false, next: new Map() },
  ]
  for (const text of texts) {
    let at = 0
    budget.spend(text.length)
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      const known = states[at]?.next.get(code) ?? states.length
      states[at]?.next.set(code, known)
      if (known === states.length) states.push({ accepts: false, next: new Map() })
      at = known
    }
    const last = states[at]
    if (last !== undefined) last.accepts = true
  }
  return states.map(({ accepts: isEnd, next }) => ({
    accepts: isEnd,
    moves: [...next]
      .map(([code, to]) => ({ first: code, last: code, to }))
      .toSorted((a, b) => a.first - b.first),
  }))
}

function movesOf(set: CodePoints, to: number): DfaState['moves'] {
  return set.map(([first, last]) => ({ first, last, to }))
}

/** Returns the automaton of all texts of `min` to `max` characters. */
export function dfaOfLengths(min: number, max: number, budget: Budget): Dfa {
  const last = max === Infinity ? min : max
  if (last >= patternStatesMax) throw new PatternRefused('with these lengths it is too large')
  return Array.from({ length: last + 1 }, (_, count) => {
    budget.spend(1)
    const to = count < last ? count + 1 : count
    return {
      accepts: count >= min,
      moves: count < last || max === Infinity ? movesOf(anyCodePoint, to) : [],
    }
  })
}

/** Returns the number of texts that the automaton accepts; Infinity if it is unlimited. */
export function sizeOf(dfa: Dfa, budget: Budget): number {
  return numberOfStart(dfa, budget, ({ accepts: isEnd, moves }, sizeFrom) => {
    let size = isEnd ? 1 : 0
    for (const { first, last, to } of moves) {
      const more = sizeFrom(to)
      if (more > 0) size += more * (last - first + 1)
    }
    return size
  })
}

/**
 * Returns the number of accepted texts of `min` to `max` characters. Stops counting above `enough`, and returns any
 * larger number then.
 */
export function sizeWithin(
  given: Dfa,
  { min, max, enough }: { min: number; max: number; enough: number },
  budget: Budget,
): number {
  if (max === Infinity && sizeOf(given, budget) === Infinity) return Infinity
  const dfa = withoutDeadEnds(given, budget)
  // The number of texts so far, by the state after them.
  let ways = new Map([[0, 1]])
  let size = 0
  for (let length = 0; length <= max && ways.size > 0 && size <= enough; length++) {
    const next = new Map<number, number>()
    for (const [id, texts] of ways) {
      const { accepts: isEnd, moves } = dfa[id] ?? { accepts: false, moves: [] }
      budget.spend(1 + moves.length / 10)
      if (isEnd && length >= min) size += texts
      for (const { first, last, to } of moves)
        next.set(to, (next.get(to) ?? 0) + texts * (last - first + 1))
    }
    ways = next
  }
  return size
}
