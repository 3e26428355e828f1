import { schemaPropertiesMax, uniqueValuesMax } from '../../limits.ts'
import type { State } from './grammar.ts'
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
import type { RuleContext } from './rule-context.ts'
import type { Located } from './schemas/facts.ts'
import { join, refused } from './schemas/schema-errors.ts'
import { type Alternative, lengthsOf, memberOf, typesOf } from './schemas/schema-values.ts'

/** Names whose values have the same schemas. `names` is undefined for all names. */
type Region = { readonly names: Dfa | undefined; readonly schemas: readonly Located[] }

/** Builds the objects that are valid against one alternative of a schema. */
export class ObjectRules {
  readonly #context: RuleContext
  readonly #object: Alternative
  readonly #min: number
  readonly #max: number

  constructor(context: RuleContext, alternative: Alternative) {
    this.#context = context
    this.#object = alternative
    this.#min = Math.max(0, ...alternative.map(({ minProperties }) => minProperties))
    this.#max = Math.min(Infinity, ...alternative.map(({ maxProperties }) => maxProperties))
  }

  add(start: State, end: State): void {
    if (this.#min > this.#max) return
    const { budget } = this.#context.grammar
    const object = this.#object
    const listed = object.reduce((sum, f) => sum + f.properties.size + f.required.length, 0)
    budget.spend(listed / 2)
    const required = new Set(object.flatMap((facts) => facts.required))
    const names = new Set([...object.flatMap((f) => [...f.properties.keys()]), ...required])
    if (names.size > schemaPropertiesMax) {
      const largest = object.find(({ properties }) => properties.size > 0)
      throw this.#refusal(
        'properties',
        `is supported with up to ${schemaPropertiesMax} names`,
        largest?.path,
      )
    }
    const hasOthers = object.some(
      (f) => f.additional !== undefined || f.patternProperties.length > 0,
    )
    const isMap = names.size === 0 && (hasOthers || !object.some((facts) => facts.declares))
    if (isMap) this.#addMap(start, end)
    else this.#addMembers(start, this.#allowed(names, required), required, end)
  }

  #refusal(keyword: string, what: string, path?: string): Error {
    const at = path ?? this.#object.find((facts) => Object.hasOwn(facts, keyword))?.path ?? ''
    return refused(join(at, keyword), what)
  }

  /** Returns the allowed names; undefined if a required name is not allowed. */
  #allowed(names: ReadonlySet<string>, required: ReadonlySet<string>): string[] | undefined {
    const { grammar, logic } = this.#context
    const forbidden = new Set(this.#object.flatMap((facts) => facts.forbidden))
    const rules = this.#object.flatMap(({ propertyNames }) => propertyNames ?? [])
    const allowed = [...names].filter((name) => {
      grammar.budget.spend(1)
      return !forbidden.has(name) && rules.every((rule) => logic.admits(rule, name))
    })
    const isPossible = allowed.filter((name) => required.has(name)).length === required.size
    return isPossible ? allowed : undefined
  }

  /**
   * Adds the listed members in their order. The states before a member tell how many members were written, as far as
   * `minProperties` or `maxProperties` depends on it.
   */
  #addMembers(
    start: State,
    names: readonly string[] | undefined,
    required: ReadonlySet<string>,
    end: State,
  ): void {
    if (names === undefined || required.size > this.#max) return
    if (this.#min > names.length) throw this.#tooFewNames()
    const { grammar, json, rule } = this.#context
    const isLimited = this.#max < names.length
    const levels = isLimited ? this.#max : Math.max(1, this.#min > required.size ? this.#min : 1)
    // States after the members so far. The index is the number of members that were written.
    let at: (State | undefined)[] = [grammar.text(start, '{')]
    for (const name of names) {
      const schemas = memberOf(this.#object, name, grammar.budget)
      grammar.budget.spend(this.#object.length / 4)
      const members: State[] = []
      const next: State[] = []
      for (const [level, state] of at.entries()) {
        if (state === undefined || (isLimited && level === levels)) continue
        const more = Math.min(level + 1, levels)
        const member = (members[more] ??= grammar.state())
        grammar.skip(level === 0 ? state : json.after(state, ','), member)
      }
      for (const [level, member] of members.entries()) {
        if (member === undefined) continue
        const value = json.after(grammar.text(member, JSON.stringify(name)), ':')
        const to = (next[level] = grammar.state())
        grammar.call(value, rule(schemas), to)
      }
      if (!required.has(name)) {
        for (const [level, state] of at.entries()) {
          if (state === undefined) continue
          if (next[level] === undefined) next[level] = state
          else grammar.skip(state, next[level])
        }
      }
      at = next
    }
    const least = this.#min > required.size ? this.#min : 0
    for (const [level, state] of at.entries())
      if (state !== undefined && level >= least) grammar.text(state, '}', end)
  }

  #tooFewNames(): Error {
    const at = this.#object.find(({ minProperties }) => minProperties === this.#min)?.path
    return this.#refusal('minProperties', 'is supported up to the number of listed properties', at)
  }

  /** Adds objects with any names that the schemas admit, each at most once. */
  #addMap(start: State, end: State): void {
    const { grammar, json, strings, rule } = this.#context
    const regions = this.#regions()
    const [only] = regions
    if (
      regions.length === 1 &&
      only?.names === undefined &&
      this.#min === 0 &&
      this.#max === Infinity
    ) {
      grammar.call(start, json.map(rule(only?.schemas ?? [])), end)
      return
    }
    const sizes = regions.map(({ names }) =>
      names === undefined ? Infinity : sizeOf(names, grammar.budget),
    )
    const size = sizes.reduce((sum, one) => sum + one, 0)
    const most = size > uniqueValuesMax ? this.#max : Math.min(this.#max, size)
    const addMember = (from: State, to: State): void => {
      for (const { names, schemas } of regions) {
        const automata = names === undefined ? [] : [names]
        const name = strings.rule({ automata, min: 0, max: Infinity, isPlain: true })
        const colon = grammar.state()
        grammar.key(from, name, colon, names !== undefined)
        grammar.call(json.after(colon, ':'), rule(schemas), to)
      }
    }
    const rest = json.series('{', addMember, '}', { min: this.#min, max: most })
    grammar.call(start, rest, end)
  }

  /** Groups all names by the schemas that apply to their values. */
  #regions(): readonly Region[] {
    let regions: readonly Region[] = [{ names: this.#names(), schemas: [] }]
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
        let parts: (Region & { isMatched: boolean })[] = [{ ...region, isMatched: false }]
        for (const { dfa, schema } of patternProperties)
          parts = parts.flatMap((part) => this.#split(part, dfa, schema, path))
        if (parts.length > regionsMax)
          throw this.#refusal('patternProperties', 'has too many patterns that overlap', path)
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
  #split(
    { names, schemas, isMatched }: Region & { isMatched: boolean },
    dfa: Dfa,
    schema: Located,
    path: string,
  ): (Region & { isMatched: boolean })[] {
    const { budget } = this.#context.grammar
    try {
      const others = complementOf(dfa, budget)
      const matching = names === undefined ? dfa : intersect(names, dfa, budget)
      const rest = names === undefined ? others : intersect(names, others, budget)
      return [
        { names: matching, schemas: [...schemas, schema], isMatched: true },
        { names: rest, schemas, isMatched },
      ].filter((part) => !isEmpty(part.names, budget))
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error
      throw this.#refusal('patternProperties', `is refused: ${error.message}`, path)
    }
  }

  /** Returns the automaton of the allowed names; undefined if all are allowed. */
  #names(): Dfa | undefined {
    const { grammar } = this.#context
    const forbidden = this.#object.flatMap((facts) => facts.forbidden)
    const automata =
      forbidden.length === 0
        ? []
        : [complementOf(dfaOfTexts(forbidden, grammar.budget), grammar.budget)]
    for (const { propertyNames, path } of this.#object) {
      if (propertyNames === undefined) continue
      try {
        const dfa = this.#stringsOf(propertyNames)
        if (dfa !== undefined) automata.push(dfa)
      } catch (error) {
        if (!(error instanceof PatternRefused)) throw error
        throw this.#refusal('propertyNames', `is refused: ${error.message}`, path)
      }
    }
    const [first, ...others] = automata
    return first === undefined
      ? undefined
      : others.reduce((a, b) => intersect(a, b, grammar.budget), first)
  }

  /** Returns the automaton of the strings that are valid against a schema; undefined for all strings. */
  #stringsOf(schema: Located): Dfa | undefined {
    const { grammar, logic } = this.#context
    const { budget } = grammar
    const text = { schema: { type: 'string' }, path: schema.path }
    const strings = logic
      .alternatives([schema, text])
      .filter((alternative) => typesOf(alternative).includes('string'))
    const found = strings.map((alternative): Dfa | undefined => {
      const values = logic.values(alternative)
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

const regionsMax = 16
