import { schemaAlternativesMax, schemaDepthMax } from '../../../limits.ts'
import { SchemaRefused } from '../grammar.ts'
import { Disjointness } from './disjointness.ts'
import type { Facts, Located } from './facts.ts'
import { type Negation, Opposite, oppositeOf, PlainNegation } from './negation.ts'
import { join, refused } from './schema-errors.ts'
import type { SchemaReader } from './schema-reader.ts'
import { type Alternative, memberOf, spendOnNames, typesOf, ValueCheck } from './schema-values.ts'

type Alternatives = readonly Alternative[]

/** Expands schemas into alternatives, and compares alternatives with each other and with values. */
export class SchemaLogic {
  readonly #reader: SchemaReader
  readonly #check: ValueCheck
  readonly #disjointness: Disjointness
  /** Opposites created so far, by the schema that they negate. */
  readonly #opposites = new Map<unknown, Located>()
  readonly #copies = new Map<Facts, Facts>()
  /** True once an expansion has left out valid values. */
  #isStricter = false

  constructor(reader: SchemaReader) {
    this.#reader = reader
    this.#check = new ValueCheck(reader)
    this.#disjointness = new Disjointness(reader, this.#check, (schemas) => this.#roughly(schemas))
  }

  /**
   * Expands schemas into equivalent alternatives: a value is valid if and only if at least one alternative admits it.
   */
  alternatives(schemas: readonly Located[]): Alternatives {
    let all: Alternatives = [[]]
    for (const schema of schemas) all = this.#product(all, this.#expand(schema, []), schema.path)
    return all
  }

  /**
   * Returns alternatives that admit every valid value and perhaps others, because they ignore `not`, `if` and similar
   * keywords.
   */
  #roughly(schemas: readonly Located[]): Alternatives {
    let all: Alternatives = [[]]
    for (const schema of schemas)
      all = this.#product(all, this.#expandRoughly(schema, []), schema.path)
    return all
  }

  #expandRoughly(schema: Located, within: readonly Facts[]): Alternatives {
    const facts = this.#enter(schema, within)
    if (facts === undefined) return [[]]
    if (facts === null) return []
    const inner = [...within, facts]
    let all: Alternatives = [[facts]]
    for (const part of [...facts.references, ...facts.allOf])
      all = this.#product(all, this.#expandRoughly(part, inner), facts.path)
    for (const branches of [facts.anyOf, facts.oneOf]) {
      if (branches === undefined) continue
      const ways = branches.flatMap((branch) => this.#expandRoughly(branch, inner))
      all = this.#product(all, ways, facts.path)
    }
    return all
  }

  /** Returns the listed values (`enum`, `const`) that are valid; undefined if no values are listed. */
  values(alternative: Alternative): readonly unknown[] | undefined {
    const listed = alternative.find(({ values }) => values !== undefined)?.values
    return listed?.filter((value) => this.#check.holds(alternative, value, false))
  }

  /** Returns true if every JSON Schema validator accepts the value. Validators differ about formats. */
  admits(schema: Located, value: unknown): boolean {
    return this.#check.admits(schema, value, false)
  }

  /** Returns the schema of all values that are invalid against a schema. */
  opposite(schema: Located): Located {
    return oppositeOf(schema, this.#opposites)
  }

  #expand(schema: Located, within: readonly Facts[]): Alternatives {
    const facts = this.#enter(schema, within)
    if (facts === undefined) return [[]]
    if (facts === null) return []
    const inner = [...within, facts]
    const { path } = facts
    let all: Alternatives = [[facts]]
    for (const part of [...facts.references, ...facts.allOf])
      all = this.#product(all, this.#expand(part, inner), path)
    if (facts.anyOf !== undefined) {
      const branches = facts.anyOf.flatMap((branch) => this.#expand(branch, inner))
      all = this.#product(all, branches, path)
    }
    for (const ways of this.#conditions(facts, inner)) all = this.#product(all, ways, path)
    if (facts.not !== undefined) {
      const { alternatives, isComplete } = this.#negate(facts.not, inner)
      this.#isStricter ||= !isComplete
      all = this.#possible(this.#product(all, alternatives, path))
      if (all.length === 0 && !isComplete && !(schema.schema instanceof Opposite))
        throw refused(join(path, 'not'), 'is not supported with this schema')
    }
    if (facts.oneOf !== undefined) all = this.#expandOneOf(all, facts.oneOf, inner)
    return facts.isClosed || facts.isClosedList ? all.map((one) => this.#close(one, facts)) : all
  }

  /** Expands a schema, and tells whether the alternatives admit all its values. */
  #expandBranch(schema: Located, within: readonly Facts[]): Negation {
    const before = this.#isStricter
    this.#isStricter = false
    const alternatives = this.#expand(schema, within)
    const isComplete = !this.#isStricter
    this.#isStricter ||= before
    return { alternatives, isComplete }
  }

  /** Reads a schema nested in the schemas `within`; undefined for the schema `true` and null for `false`. */
  #enter(schema: Located, within: readonly Facts[]): Facts | undefined | null {
    this.#reader.budget.spend(1 + within.length / 8)
    const facts = this.#reader.read(schema)
    if (facts === undefined || facts === null) return facts
    if (within.includes(facts))
      throw new SchemaRefused(schema.path, 'The schema refers to itself without end.')
    if (within.length >= schemaDepthMax)
      throw new SchemaRefused(schema.path, `The schema nests deeper than ${schemaDepthMax} levels.`)
    return facts
  }

  /** Returns the alternatives of each condition: of `if`, and of each property with dependents. */
  #conditions(facts: Facts, inner: readonly Facts[]): readonly Alternatives[] {
    const { path } = facts
    const all = facts.dependents.map(({ name, required, schema }): Alternatives => {
      const needs = this.#derive(path, { required })
      const valid = schema === undefined ? [[]] : this.#expand(schema, inner)
      return [[this.#derive(path, { forbidden: [name] })], ...valid.map((one) => [needs, ...one])]
    })
    if (facts.condition === undefined) return all
    const { test, passed, failed } = facts.condition
    const expand = (branch: Located | undefined): Alternatives =>
      branch === undefined ? [[]] : this.#expand(branch, inner)
    const [yes, no] = [expand(passed), expand(failed)]
    const ways = this.#product(this.#expand(test, inner), yes, path)
    const { alternatives, isComplete } = this.#negate(test, inner)
    this.#isStricter ||= !isComplete
    if (alternatives.length === 0 && !isComplete)
      throw refused(join(path, 'if'), 'is not supported with this schema')
    return [...all, [...ways, ...this.#product(alternatives, no, path)]]
  }

  #derive(path: string, more: Partial<Facts>): Facts {
    return Object.assign(this.#reader.make(path), more, { isDerived: true })
  }

  /** Returns a copy of the facts as derived ones. */
  #unstated(facts: Facts): Facts {
    const known = this.#copies.get(facts)
    if (known !== undefined) return known
    const { id } = this.#reader.make(facts.path)
    const copy = { ...facts, id, isDerived: true }
    this.#copies.set(facts, copy)
    return copy
  }

  /** Returns alternatives whose values are all invalid against the schema. */
  #negate(schema: Located, within: readonly Facts[], others: readonly string[] = []): Negation {
    const facts = this.#enter(schema, within)
    if (facts === undefined) return { alternatives: [], isComplete: true }
    if (facts === null) return { alternatives: [[]], isComplete: true }
    const inner = [...within, facts]
    const { path } = facts
    const known = { opposites: this.#opposites, others }
    const plain = new PlainNegation(this.#reader, facts, known).read()
    const found = [...plain.alternatives]
    let { isComplete } = plain
    const add = (negation: Negation): void => {
      found.push(...negation.alternatives)
      isComplete &&= negation.isComplete
    }
    for (const part of [...facts.references, ...facts.allOf]) add(this.#negate(part, inner, others))
    for (const branches of [facts.anyOf, facts.oneOf]) {
      if (branches === undefined) continue
      const negations = branches.map((branch) => this.#negate(branch, inner, others))
      let none: Alternatives = [[]]
      for (const { alternatives } of negations)
        none = this.#possible(this.#product(none, alternatives, path))
      found.push(...none)
      isComplete &&= branches === facts.anyOf && negations.every((one) => one.isComplete)
    }
    if (facts.not !== undefined) {
      // Properties and items that only `not` sees do not count as evaluated.
      const inside = this.#expandBranch(facts.not, inner)
      isComplete &&= inside.isComplete
      for (const one of inside.alternatives) found.push(one.map((f) => this.#unstated(f)))
    }
    if (facts.condition !== undefined) isComplete = false
    if (facts.dependents.some(({ schema: whole }) => whole !== undefined)) isComplete = false
    return { alternatives: this.#limited(found, path), isComplete }
  }

  /** Drops alternatives that obviously admit no value. */
  #possible(all: Alternatives): Alternatives {
    return all.filter((one) => {
      this.#reader.budget.spend(1 + one.length / 2)
      if (typesOf(one).length === 0) return false
      const forbidden = new Set(one.flatMap((facts) => facts.forbidden))
      spendOnNames(one, this.#reader.budget)
      return !one.some(({ required }) =>
        required.some((name) => {
          if (forbidden.has(name)) return true
          const schemas = memberOf(one, name, this.#reader.budget)
          this.#reader.budget.spend(schemas.length / 4)
          return schemas.some(({ schema }) => schema === false)
        }),
      )
    })
  }

  /** Forbids the properties or items that the alternative does not list itself. */
  #close(alternative: Alternative, { path, isClosed, isClosedList }: Facts): Alternative {
    this.#reader.budget.spend(alternative.length)
    const stated = alternative.filter(({ isDerived }) => !isDerived)
    const added: Facts[] = []
    const free = { schema: true, path }
    if (isClosed && !stated.some(({ additional }) => additional !== undefined)) {
      const names = stated.flatMap(({ properties }) => [...properties.keys()])
      this.#reader.budget.spend(names.length)
      added.push(
        this.#derive(path, {
          declares: true,
          properties: new Map(names.map((name) => [name, free])),
          patternProperties: stated
            .flatMap(({ patternProperties }) => patternProperties)
            .map(({ dfa }) => ({ dfa, schema: free })),
          additional: { schema: false, path },
        }),
      )
    }
    if (isClosedList && !stated.some(({ items }) => items !== undefined)) {
      const length = Math.max(0, ...stated.map(({ prefix }) => prefix.length))
      const prefix = Array.from({ length }, () => free)
      added.push(this.#derive(path, { prefix, items: { schema: false, path } }))
    }
    return [...alternative, ...added]
  }

  #product(left: Alternatives, right: Alternatives, path: string): Alternatives {
    this.#requireFew(left.length * right.length, path)
    // The facts of each pair are copied into a new alternative.
    const copied = left.length * factsIn(right) + right.length * factsIn(left)
    this.#reader.budget.spend(left.length * right.length + copied / 4)
    return left.flatMap((one) => right.map((other) => [...new Set([...one, ...other])]))
  }

  #limited(all: Alternatives, path: string): Alternatives {
    this.#requireFew(all.length, path)
    return all
  }

  #requireFew(alternatives: number, path: string): void {
    if (alternatives > schemaAlternativesMax)
      throw new SchemaRefused(
        path,
        `The schema has more than ${schemaAlternativesMax} alternatives in one place.`,
      )
  }

  /** Removes from each branch of `oneOf` the values of other branches that may overlap with it. */
  #expandOneOf(
    all: Alternatives,
    oneOf: readonly Located[],
    inner: readonly Facts[],
  ): Alternatives {
    const path = inner.at(-1)?.path ?? ''
    const expanded = oneOf.map((branch) => this.#expandBranch(branch, inner))
    const branches = expanded.map(({ alternatives }) => this.#product(all, alternatives, path))
    // A value that the expansion of a branch leaves out is of that branch all the same.
    const whole = branches.map((branch, index) =>
      expanded[index]?.isComplete === true
        ? branch
        : this.#product(all, this.#expandRoughly(oneOf[index] ?? never, inner), path),
    )
    const overlaps = this.#disjointness.overlaps(whole)
    if (overlaps.some((others) => others.length > 0)) {
      const tagged = this.#tagged(branches, whole, path)
      if (tagged !== undefined) return this.#limited(tagged.flat(), path)
    }
    const exclusive = branches.map((branch, index) => {
      let rest: Alternatives = branch
      const names = new Set(branch.flat().flatMap(({ properties }) => [...properties.keys()]))
      this.#reader.budget.spend(names.size)
      const some = [...names].slice(0, otherNamesMax)
      for (const other of overlaps[index] ?? []) {
        const { alternatives, isComplete } = this.#negate(oneOf[other] ?? never, inner, some)
        const apart = this.#possible(this.#product(rest, alternatives, path))
        if (apart.length === 0 && rest.length > 0 && !isComplete)
          throw refused(
            join(path, 'oneOf'),
            'is supported only where no value can be of two branches: use anyOf, or give each branch a required property with a const of its own',
          )
        rest = this.#plainest(rest, apart)
        this.#isStricter ||= !isComplete || rest !== apart
      }
      return rest
    })
    return this.#limited(exclusive.flat(), path)
  }

  /**
   * Requires of each branch the property that tells them apart. Pydantic does not require a tag that has a default, but
   * refuses a value without it.
   * @returns undefined if there is no such property
   */
  #tagged(
    branches: readonly Alternatives[],
    whole: readonly Alternatives[],
    path: string,
  ): readonly Alternatives[] | undefined {
    for (const name of this.#disjointness.tags(whole)) {
      const needs = [[this.#derive(path, { required: [name] })]]
      const withTag = (all: readonly Alternatives[]) =>
        all.map((branch) => this.#product(branch, needs, path))
      if (this.#disjointness.overlaps(withTag(whole)).some(({ length }) => length > 0)) continue
      this.#isStricter = true
      return withTag(branches)
    }
    return undefined
  }

  /** Keeps the alternatives whose required property names all occur in `before`. If there are none, keeps them all. */
  #plainest(before: Alternatives, all: Alternatives): Alternatives {
    const names = new Set(
      before.flat().flatMap(({ properties, required }) => [...properties.keys(), ...required]),
    )
    this.#reader.budget.spend(names.size / 4 + all.length)
    const plain = all.filter((one) => {
      spendOnNames(one, this.#reader.budget)
      return one.every(({ required }) => required.every((name) => names.has(name)))
    })
    return plain.length > 0 && plain.length < all.length ? plain : all
  }
}

/** Most property names to try, to tell a branch of `oneOf` apart from a branch without additional properties. */
const otherNamesMax = 16
const never: Located = { schema: false, path: '' }

function factsIn(alternatives: Alternatives): number {
  return alternatives.reduce((sum, { length }) => sum + length, 0)
}
