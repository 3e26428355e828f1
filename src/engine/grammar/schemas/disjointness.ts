import { isEmptyRange } from '../number-range.ts'
import { haveNothingCommon } from '../patterns/dfa.ts'
import type { Located, Type } from './facts.ts'
import type { SchemaReader } from './schema-reader.ts'
import {
  type Alternative,
  countsOf,
  lengthsOf,
  memberOf,
  rangeOf,
  spendOnNames,
  typesOf,
  type ValueCheck,
} from './schema-values.ts'

type Alternatives = readonly Alternative[]

const disjointDepthMax = 4
/** Most names of properties to try as the tag of a union. */
const tagsMax = 4

/** Tells which branches of `oneOf` have no value in common. */
export class Disjointness {
  readonly #reader: SchemaReader
  readonly #check: ValueCheck
  readonly #roughly: (schemas: readonly Located[]) => Alternatives

  /** @param roughly returns alternatives that admit every valid value and perhaps others */
  constructor(
    reader: SchemaReader,
    check: ValueCheck,
    roughly: (schemas: readonly Located[]) => Alternatives,
  ) {
    this.#reader = reader
    this.#check = check
    this.#roughly = roughly
  }

  /** Returns names of properties for which every branch lists the values, whether it requires the property or not. */
  tags(branches: readonly Alternatives[]): readonly string[] {
    const { budget } = this.#reader
    const alternatives = branches.flat().filter((one) => typesOf(one).includes('object'))
    spendOnNames(alternatives.flat(), budget)
    const names = alternatives[0]?.flatMap(({ properties }) => [...properties.keys()]) ?? []
    const isListed = (alternative: Alternative, name: string) =>
      memberOf(alternative, name, budget).some((schema) => {
        const facts = this.#reader.read(schema)
        return facts?.values !== undefined
      })
    return [...new Set(names)]
      .filter((name) => alternatives.every((one) => isListed(one, name)))
      .slice(0, tagsMax)
  }

  /** Returns, for each branch, the indexes of the branches that may overlap with it. */
  overlaps(branches: readonly Alternatives[]): readonly (readonly number[])[] {
    const found = branches.map((): number[] => [])
    for (const [index, branch] of branches.entries()) {
      const rest = branches.slice(index + 1)
      this.#reader.budget.spend((branches.length + rest.flat().length) / 10)
      for (const [offset, others] of rest.entries()) {
        const other = index + 1 + offset
        if (branch.every((one) => others.every((two) => this.#areDisjoint(one, two, 0)))) continue
        found[index]?.push(other)
        found[other]?.push(index)
      }
    }
    return found
  }

  #areDisjoint(one: Alternative, other: Alternative, depth: number): boolean {
    this.#reader.budget.spend(20 + one.length + other.length)
    if (depth > disjointDepthMax) return false
    for (const [some, rest] of [
      [one, other],
      [other, one],
    ] as const) {
      const values = some.find((facts) => facts.values !== undefined)?.values
      if (values?.every((value) => !this.#check.holds([...some, ...rest], value, true))) return true
    }
    const common = typesOf([...one, ...other])
    return common.every((type) => this.#differ(type, one, other, depth))
  }

  #differ(type: Type, one: Alternative, other: Alternative, depth: number): boolean {
    const all = [...one, ...other]
    switch (type) {
      case 'null':
      case 'boolean':
        return false
      case 'integer':
      case 'number':
        return isEmptyRange(rangeOf(all))
      case 'string': {
        if (lengthsOf(all).min > lengthsOf(all).max) return true
        const patterns = all.map(({ pattern }) => pattern).filter((dfa) => dfa !== undefined)
        return patterns.length > 1 && haveNothingCommon(patterns, this.#reader.budget)
      }
      case 'array':
        return countsOf(all).min > countsOf(all).max
      case 'object':
        return this.#haveOtherMembers(one, other, depth)
    }
  }

  /** Returns true if there is a required property for which no value is valid in both alternatives. */
  #haveOtherMembers(one: Alternative, other: Alternative, depth: number): boolean {
    const { budget } = this.#reader
    const required = new Set([...one, ...other].flatMap((facts) => facts.required))
    spendOnNames([...one, ...other], budget)
    return [...required].some((name) => {
      budget.spend(one.length + other.length)
      const [left, right] = [one, other].map((facts) =>
        this.#roughly(memberOf(facts, name, budget)),
      )
      if (left === undefined || right === undefined) return false
      return left.every((a) => right.every((b) => this.#areDisjoint(a, b, depth + 1)))
    })
  }
}
