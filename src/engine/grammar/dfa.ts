import { patternStatesMax } from '../../limits.ts'
import type { Budget } from './grammar.ts'

/** A deterministic automaton over code points; state 0 is the start. */
export type Dfa = readonly DfaState[]
export type DfaState = {
  readonly accepts: boolean
  /** Ascending, without overlaps. */
  readonly moves: readonly { readonly first: number; readonly last: number; readonly to: number }[]
}

/** Thrown for an invalid or unsupported pattern; the message is a clause about the pattern. */
export class PatternRefused extends Error {
  override readonly name = 'PatternRefused'
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

/**
 * Returns the automaton of the texts that both accept.
 * @throws PatternRefused when it is too large
 */
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

/** Returns the length of the longest text, in characters; Infinity if there is none. */
export function longest(dfa: Dfa): number {
  const lengths = new Map<number, number>()
  const from = (id: number): number => {
    const known = lengths.get(id)
    if (known !== undefined) return known
    // A state that is reached again before its length is known is part of a cycle.
    lengths.set(id, Infinity)
    const next = new Set(dfa[id]?.moves.map(({ to }) => to))
    const length = Math.max(0, ...[...next].map((to) => 1 + from(to)))
    lengths.set(id, length)
    return length
  }
  return from(0)
}
