import { uniqueValuesMax } from '../../limits.ts'
import type { Budget } from './grammar.ts'
import {
  complementOf,
  type Dfa,
  dfaOfLengths,
  dfaOfTexts,
  intersect,
  isEmpty,
  PatternRefused,
  sizeOf,
  unionOf,
} from './patterns/dfa.ts'
import type { Located } from './schemas/facts.ts'
import { join, refused } from './schemas/schema-errors.ts'
import type { SchemaLogic } from './schemas/schema-logic.ts'
import { type Alternative, lengthsOf, typesOf } from './schemas/schema-values.ts'

/** Names whose values have the same schemas. `names` is undefined for all names. */
export type Region = { readonly names: Dfa | undefined; readonly schemas: readonly Located[] }

type Part = Region & { readonly isMatched: boolean }

/** Groups all names of a map by the schemas that apply to their values. */
export class NameRegions {
  readonly #object: Alternative
  readonly #budget: Budget
  readonly #logic: SchemaLogic

  constructor(object: Alternative, budget: Budget, logic: SchemaLogic) {
    this.#object = object
    this.#budget = budget
    this.#logic = logic
  }

  /** With `only`, the other names are left out. @throws SchemaRefused */
  read(only?: Dfa): readonly Region[] {
    let regions: readonly Region[] = [{ names: this.#names(only), schemas: [] }]
    for (const { patternProperties, additional, path } of this.#object) {
      if (patternProperties.length === 0) {
        if (additional === undefined) continue
        regions = regions.map(({ names, schemas }) => ({
          names,
          schemas: [...schemas, additional],
        }))
        continue
      }
      regions = regions.flatMap((region) => {
        let parts: Part[] = [{ ...region, isMatched: false }]
        for (const { dfa, schema } of patternProperties)
          parts = parts.flatMap((part) => this.#split(part, dfa, schema, path))
        if (parts.length > regionsMax)
          throw refused(join(path, 'patternProperties'), 'has too many patterns that overlap')
        // Without `additionalProperties`, an object that declares patterns has no other names. The same holds for an
        // object that declares properties.
        return parts.flatMap(({ names, schemas, isMatched }) => {
          if (isMatched) return [{ names, schemas }]
          return additional === undefined ? [] : [{ names, schemas: [...schemas, additional] }]
        })
      })
    }
    return regions.filter(({ schemas }) => schemas.every(({ schema }) => schema !== false))
  }

  /** Splits a region into names that match the automaton and names that do not. */
  #split({ names, schemas, isMatched }: Part, dfa: Dfa, schema: Located, path: string): Part[] {
    try {
      const others = complementOf(dfa, this.#budget)
      const matching = names === undefined ? dfa : intersect(names, dfa, this.#budget)
      const rest = names === undefined ? others : intersect(names, others, this.#budget)
      return [
        { names: matching, schemas: [...schemas, schema], isMatched: true },
        { names: rest, schemas, isMatched },
      ].filter((part) => !isEmpty(part.names, this.#budget))
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error
      throw refused(join(path, 'patternProperties'), `is refused: ${error.message}`)
    }
  }

  /** Returns the automaton of the allowed names; undefined if all are allowed. */
  #names(only: Dfa | undefined): Dfa | undefined {
    const budget = this.#budget
    const forbidden = this.#object.flatMap((facts) => facts.forbidden)
    let names = only
    if (forbidden.length > 0) {
      const others = complementOf(dfaOfTexts(forbidden, budget), budget)
      names = names === undefined ? others : intersect(names, others, budget)
    }
    for (const { propertyNames, path } of this.#object) {
      if (propertyNames === undefined) continue
      try {
        const dfa = this.#stringsOf(propertyNames)
        names =
          names === undefined || dfa === undefined ? (dfa ?? names) : intersect(names, dfa, budget)
      } catch (error) {
        if (!(error instanceof PatternRefused)) throw error
        throw refused(join(path, 'propertyNames'), `is refused: ${error.message}`)
      }
    }
    return names
  }

  /** Returns the automaton of the strings that are valid against a schema; undefined for all strings. */
  #stringsOf(schema: Located): Dfa | undefined {
    const budget = this.#budget
    const text = { schema: { type: 'string' }, path: schema.path }
    const strings = this.#logic
      .alternatives([schema, text])
      .filter((alternative) => typesOf(alternative).includes('string'))
    const found = strings.map((alternative): Dfa | undefined => {
      const values = this.#logic.values(alternative)
      if (values !== undefined)
        return dfaOfTexts(
          values.filter((value) => typeof value === 'string'),
          budget,
        )
      const { min, max } = lengthsOf(alternative)
      const excluded = alternative.flatMap((facts) => facts.excluded)
      const texts = excluded.filter((value) => typeof value === 'string')
      const automata = alternative
        .flatMap(({ pattern, format }) => [pattern, format])
        .filter((dfa) => dfa !== undefined)
      if (texts.length > 0) automata.push(complementOf(dfaOfTexts(texts, budget), budget))
      if (min > 0 || max < Infinity) automata.push(dfaOfLengths(min, max, budget))
      const [first, ...others] = automata
      return first === undefined
        ? undefined
        : others.reduce((a, b) => intersect(a, b, budget), first)
    })
    const [first, ...others] = found
    if (found.length === 0) return dfaOfTexts([], budget)
    if (first === undefined || others.includes(undefined)) return undefined
    return others.filter((dfa) => dfa !== undefined).reduce((a, b) => unionOf(a, b, budget), first)
  }
}

/**
 * Returns `max`, or the number of names with a possible value if that is smaller and small enough to run out.
 * `isPossible` tells whether a value can be valid against all of the schemas.
 */
export function membersMaxOf(
  regions: readonly Region[],
  max: number,
  isPossible: (schemas: readonly Located[]) => boolean,
  budget: Budget,
): number {
  const sizes = regions.map(({ names }) => (names === undefined ? Infinity : sizeOf(names, budget)))
  // Most maps have no such region, so that no schema needs to be tried.
  if (sizes.every((size) => size > uniqueValuesMax)) return max
  const possible = sizes.filter((_, index) => isPossible(regions[index]?.schemas ?? []))
  const size = possible.reduce((sum, one) => sum + one, 0)
  return size > uniqueValuesMax ? max : Math.min(max, size)
}

const regionsMax = 16
