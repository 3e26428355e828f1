import { uniqueValuesMax } from '../../limits.ts'
import type { State } from './grammar.ts'
import { addNumberRange, integersIn } from './number-range.ts'
import type { RuleContext } from './rule-context.ts'
import { canonical } from './schemas/keyword-values.ts'
import { join, refused } from './schemas/schema-errors.ts'
import { type Alternative, itemOf, rangeOf, typesOf } from './schemas/schema-values.ts'
import { writtenLengths } from './string-rules.ts'

/**
 * Builds arrays without equal items. Items are compared by their text, so each value must have only one text. This
 * holds for strings without optional escapes, integers and listed values.
 */
export class UniqueItems {
  readonly #context: RuleContext
  readonly #array: Alternative
  readonly #path: string
  /** The texts of listed values, by their canonical JSON. */
  readonly #listed = new Map<string, string>()
  /** Number of different values of strings or of integers, whichever is larger. Listed values are not counted. */
  #others = 0

  constructor(context: RuleContext, array: Alternative, path: string) {
    this.#context = context
    this.#array = array
    this.#path = path
  }

  add(start: State, counts: { min: number; max: number; prefix: number }, end: State): void {
    const { grammar, json, logic } = this.#context
    if (counts.prefix > 0 || this.#array.some(({ contains }) => contains !== undefined))
      throw this.#refusal()
    const [item, last] = [grammar.state(), grammar.state()]
    grammar.end(last)
    for (const alternative of logic.alternatives(itemOf(this.#array, 0)))
      this.#addItem(item, alternative, last)
    grammar.anyText(item, [...this.#listed.values()], last)
    // Listed values and other values may overlap, so only the larger of the two numbers is certain.
    const values = Math.max(this.#listed.size, this.#others)
    const max = values > uniqueValuesMax ? counts.max : Math.min(counts.max, values)
    if (counts.min > max && this.#listed.size + this.#others >= counts.min)
      throw refused(
        join(this.#path, 'uniqueItems'),
        `with ${counts.min} items is supported only where the listed values or the others suffice alone`,
      )
    const addItem = (from: State, to: State): void => grammar.key(from, item, to, true)
    grammar.call(start, json.series('[', addItem, ']', { min: counts.min, max }), end)
  }

  #refusal(): Error {
    return refused(
      join(this.#path, 'uniqueItems'),
      'is supported for strings, integers and listed values',
    )
  }

  #addItem(start: State, alternative: Alternative, end: State): void {
    const { logic } = this.#context
    const values = logic.values(alternative)
    if (values !== undefined) {
      this.#list(values)
      return
    }
    for (const type of typesOf(alternative)) {
      if (alternative.some(({ excluded }) => excluded.length > 0)) throw this.#refusal()
      switch (type) {
        case 'null':
          this.#list([null])
          break
        case 'boolean':
          this.#list([true, false])
          break
        case 'integer':
          this.#addInteger(start, alternative, end)
          break
        case 'string':
          this.#addString(start, alternative, end)
          break
        case 'number':
        case 'array':
        case 'object':
          throw this.#refusal()
      }
    }
  }

  /** Lists each value once, although equal values may have their members in different orders. */
  #list(values: readonly unknown[]): void {
    for (const value of values) this.#listed.set(canonical(value), JSON.stringify(value))
  }

  #addInteger(start: State, alternative: Alternative, end: State): void {
    if (alternative.some(({ multiples }) => multiples.length > 0)) throw this.#refusal()
    const range = rangeOf([...alternative, ...alternative.flatMap((f) => f.numberFormat ?? [])])
    this.#others = Math.max(this.#others, integersIn(range))
    addNumberRange(this.#context.grammar, start, range, 'integer', end)
  }

  #addString(start: State, alternative: Alternative, end: State): void {
    const { grammar, strings } = this.#context
    const { min, max } = writtenLengths(alternative)
    const automata = alternative
      .flatMap(({ pattern, format }) => [pattern, format])
      .filter((dfa) => dfa !== undefined)
    if (min > max) return
    this.#others = Math.max(this.#others, strings.sizeOf({ automata, min, max }))
    grammar.call(start, strings.rule({ automata, min, max, isPlain: true }), end)
  }
}
