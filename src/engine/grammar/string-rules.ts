import { schemaStringCharsMax, schemaStringStatesMax, uniqueValuesMax } from '../../limits.ts'
import type { GrammarBuilder, State } from './grammar.ts'
import type { JsonRules } from './json-rules.ts'
import { anyCodePoint, union } from './patterns/code-points.ts'
import {
  type Dfa,
  type DfaState,
  intersect,
  longest,
  PatternRefused,
  sizeWithin,
} from './patterns/dfa.ts'
import { join, refused } from './schemas/schema-errors.ts'
import { type Alternative, lengthsOf } from './schemas/schema-values.ts'

type StringLimits = {
  readonly automata: readonly Dfa[]
  readonly min: number
  readonly max: number
  /** True for strings without optional escapes, so that equal strings have equal bytes. */
  readonly isPlain: boolean
}

/**
 * Returns the lengths with which strings are written. A `maxLength` above the service's limit counts as that limit.
 * @throws SchemaRefused
 */
export function writtenLengths(strings: Alternative): { min: number; max: number } {
  const { min, max } = lengthsOf(strings)
  if (min > schemaStringCharsMax) {
    const path = strings.find(({ minLength }) => minLength === min)?.path ?? ''
    throw refused(join(path, 'minLength'), `is supported up to ${schemaStringCharsMax}`)
  }
  return { min, max: max === Infinity ? max : Math.min(max, schemaStringCharsMax) }
}

/** Builds the rules of strings. Strings with the same constraints share one rule. */
export class StringRules {
  readonly #grammar: GrammarBuilder
  readonly #json: JsonRules
  readonly #strings = new Map<string, State>()
  readonly #rests = new Map<State, State[]>()
  readonly #automatonIds = new Map<Dfa, number>()

  constructor(grammar: GrammarBuilder, json: JsonRules) {
    this.#grammar = grammar
    this.#json = json
  }

  /** @throws PatternRefused */
  rule({ automata, min, max, isPlain }: StringLimits): State {
    if (automata.length === 0 && min === 0 && max === Infinity)
      return isPlain ? this.#json.name : this.#json.string
    const ids = automata.map((dfa) => {
      const id = this.#automatonIds.get(dfa) ?? this.#automatonIds.size
      this.#automatonIds.set(dfa, id)
      return id
    })
    const key = `${ids.join()} ${min} ${max} ${isPlain}`
    const known = this.#strings.get(key)
    if (known !== undefined) return known
    const grammar = this.#grammar
    const start = grammar.state()
    this.#strings.set(key, start)
    const inside = grammar.text(start, '"')
    const dfa = this.#intersection(automata)
    if (dfa === undefined) {
      const character = isPlain ? this.#json.oneOf(anyCodePoint) : this.#json.character
      this.#addCharacters(inside, min, max, character)
    } else this.#addMatching(inside, dfa, min, this.#mostOf(dfa, max))
    return start
  }

  /**
   * Returns the number of strings of the rule with these limits, or any number above `uniqueValuesMax` if there are
   * more than that. `max` must not be less than `min`.
   * @throws PatternRefused
   */
  sizeOf({ automata, min, max }: Omit<StringLimits, 'isPlain'>): number {
    const dfa = this.#intersection(automata)
    if (dfa === undefined) return max === 0 ? 1 : Infinity
    const limits = { min, max: this.#mostOf(dfa, max), enough: uniqueValuesMax }
    return sizeWithin(dfa, limits, this.#grammar.budget)
  }

  /** Returns undefined for all strings. */
  #intersection([first, ...others]: readonly Dfa[]): Dfa | undefined {
    if (first === undefined) return undefined
    return others.reduce((a, b) => intersect(a, b, this.#grammar.budget), first)
  }

  /** Returns the maximum of characters in the grammar. One that needs too many states is lowered. */
  #mostOf(dfa: Dfa, max: number): number {
    if (longest(dfa, this.#grammar.budget) <= max) return Infinity
    return Math.min(max, countsMaxOf(dfa))
  }

  #addCharacters(from: State, min: number, max: number, character: State): void {
    const grammar = this.#grammar
    let at = from
    for (let count = 0; count < min; count++) {
      const next = grammar.state()
      grammar.call(at, character, next)
      at = next
    }
    if (max === Infinity) grammar.call(at, character, at)
    grammar.skip(at, this.#rest(max === Infinity ? 0 : max - min, character))
  }

  /**
   * Returns a state that is followed by at most `count` characters and the closing quote. All counts share one chain of
   * states.
   */
  #rest(count: number, character: State): State {
    const grammar = this.#grammar
    const rests = this.#rests.get(character) ?? []
    if (rests.length === 0) {
      const [closing, end] = [grammar.state(), grammar.state()]
      grammar.text(closing, '"', end)
      grammar.end(end)
      rests.push(closing)
      this.#rests.set(character, rests)
    }
    const [closing = 0] = rests
    for (let more = rests.length; more <= count; more++) {
      const state = grammar.state()
      grammar.skip(state, closing)
      grammar.call(state, character, rests[more - 1] ?? closing)
      rests.push(state)
    }
    return rests[count] ?? closing
  }

  /**
   * Adds the automaton's texts of `min` to `most` characters. Each of its states is copied for every character count
   * that matters.
   */
  #addMatching(from: State, dfa: Dfa, min: number, most: number): void {
    if (min > countsMaxOf(dfa)) throw new PatternRefused('with these lengths it is too large')
    const countMax = most === Infinity ? min : most
    const states = new Map<number, State>()
    const todo: { id: number; count: number; state: State }[] = []
    const callsOf: { target: number; rule: State }[][] = []
    const stateOf = (id: number, count: number): State => {
      const key = id * (countMax + 1) + count
      let state = states.get(key)
      if (state === undefined) {
        state = this.#grammar.state()
        states.set(key, state)
        todo.push({ id, count, state })
      }
      return state
    }
    this.#grammar.skip(from, stateOf(0, 0))
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { id, count, state } = next
      const { accepts, moves } = dfa[id] ?? { accepts: false, moves: [] }
      if (accepts && count >= min) this.#grammar.skip(state, this.#rest(0, this.#json.character))
      if (count === most) continue
      const after = Math.min(count + 1, countMax)
      const calls = callsOf[id] ?? this.#callsOf(moves)
      callsOf[id] = calls
      for (const { target, rule } of calls) this.#grammar.call(state, rule, stateOf(target, after))
    }
  }

  /** Returns the targets of the moves, each with the rule of the characters that lead to it. */
  #callsOf(moves: DfaState['moves']): { target: number; rule: State }[] {
    this.#grammar.budget.spend(moves.length / 2)
    return [...Map.groupBy(moves, (move) => move.to)].map(([target, ranges]) => {
      const points = union(ranges.map(({ first, last }) => [first, last]))
      return { target, rule: this.#json.oneOf(points) }
    })
  }
}

/** Returns the most characters for which each state of the automaton can be copied. */
function countsMaxOf(dfa: Dfa): number {
  return Math.floor(schemaStringStatesMax / dfa.length) - 1
}
