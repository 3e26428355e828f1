import { schemaArrayItemsMax, schemaStringCharsMax } from '../../../limits.ts'
import { complementOf, type Dfa } from '../patterns/dfa.ts'
import { type Facts, type Located, types } from './facts.ts'
import type { SchemaReader } from './schema-reader.ts'
import type { Alternative } from './schema-values.ts'

/**
 * Alternatives whose values are all invalid against a schema. If some are missing, the grammar is stricter than the
 * schema, but still correct.
 */
export type Negation = {
  readonly alternatives: readonly Alternative[]
  /** False if the alternatives may lack some of the invalid values. */
  readonly isComplete: boolean
}

/** Schema of the values that are invalid against another schema. If it cannot be enforced, it admits no value. */
export class Opposite {
  readonly not: unknown

  constructor(not: unknown) {
    this.not = not
  }
}

/** Negates the keywords of one schema object. Each alternative violates one of them. */
export class PlainNegation {
  readonly #reader: SchemaReader
  readonly #opposites: Map<unknown, Located>
  readonly #facts: Facts
  readonly #found: Facts[] = []
  readonly #names: readonly string[]
  #isComplete = true

  /** `others`: names of further properties. Requiring one of them violates `additionalProperties: false`. */
  constructor(
    reader: SchemaReader,
    facts: Facts,
    { opposites, others }: { opposites: Map<unknown, Located>; others: readonly string[] },
  ) {
    this.#reader = reader
    this.#facts = facts
    this.#opposites = opposites
    this.#names = others
  }

  read(): Negation {
    this.#reader.budget.spend(5)
    this.#breakTypes()
    this.#breakNumbers()
    this.#breakStrings()
    this.#breakArrays()
    this.#breakObjects()
    return { alternatives: this.#found.map((facts) => [facts]), isComplete: this.#isComplete }
  }

  #add(more: Partial<Facts>): void {
    this.#found.push(Object.assign(this.#reader.make(this.#facts.path), more, { isDerived: true }))
  }

  #opposite(schema: Located): Located {
    return oppositeOf(schema, this.#opposites)
  }

  #breakTypes(): void {
    const { types: allowed, values } = this.#facts
    if (values !== undefined) this.#add({ excluded: values })
    if (allowed === undefined) return
    const isNumeric = allowed.has('number') || allowed.has('integer')
    // No facts can express "a number that is not an integer".
    if (isNumeric && !allowed.has('number')) this.#isComplete = false
    const rest = types.filter(
      (type) => !allowed.has(type) && !(isNumeric && (type === 'integer' || type === 'number')),
    )
    if (rest.length > 0) this.#add({ types: new Set(rest) })
  }

  #breakNumbers(): void {
    const { least, most, multiples, numberFormat } = this.#facts
    const numbers = new Set(['number'] as const)
    if (least !== undefined)
      this.#add({ types: numbers, most: { value: least.value, isOpen: !least.isOpen } })
    if (most !== undefined)
      this.#add({ types: numbers, least: { value: most.value, isOpen: !most.isOpen } })
    if (multiples.length > 0 || numberFormat !== undefined) this.#isComplete = false
  }

  #breakStrings(): void {
    const { minLength, maxLength, pattern, format } = this.#facts
    const strings = new Set(['string'] as const)
    if (minLength > 0) this.#add({ types: strings, maxLength: minLength - 1 })
    if (maxLength < schemaStringCharsMax) this.#add({ types: strings, minLength: maxLength + 1 })
    // A text or an array that is longer than that is not supported.
    else if (maxLength < Infinity) this.#isComplete = false
    if (pattern !== undefined) this.#add({ types: strings, pattern: this.#others(pattern) })
    if (format !== undefined) this.#isComplete = false
  }

  #others(pattern: Dfa): Dfa {
    return complementOf(pattern, this.#reader.budget)
  }

  #breakArrays(): void {
    const { prefix, items, minItems, maxItems, isUnique, contains, isClosedList } = this.#facts
    const arrays = new Set(['array'] as const)
    for (const [index, item] of prefix.entries()) {
      const before = prefix.slice(0, index).map(({ path }) => ({ schema: true, path }))
      this.#add({ types: arrays, minItems: index + 1, prefix: [...before, this.#opposite(item)] })
    }
    if (items !== undefined && prefix.length === 0)
      this.#add({ types: arrays, contains: this.#opposite(items) })
    else if (items !== undefined) this.#isComplete = false
    if (minItems > 0) this.#add({ types: arrays, maxItems: minItems - 1 })
    if (maxItems < schemaArrayItemsMax) this.#add({ types: arrays, minItems: maxItems + 1 })
    else if (maxItems < Infinity) this.#isComplete = false
    const { minContains, maxContains } = this.#facts
    if (contains !== undefined && minContains === 1 && maxContains === Infinity)
      this.#add({ types: arrays, items: this.#opposite(contains) })
    else if (contains !== undefined) this.#isComplete = false
    if (isUnique || isClosedList) this.#isComplete = false
  }

  #breakObjects(): void {
    const { properties, required, forbidden, minProperties, maxProperties } = this.#facts
    const objects = new Set(['object'] as const)
    for (const name of required) this.#add({ types: objects, forbidden: [name] })
    for (const name of forbidden) this.#add({ types: objects, required: [name] })
    if (minProperties > 0) this.#add({ types: objects, maxProperties: minProperties - 1 })
    if (maxProperties < Infinity) this.#add({ types: objects, minProperties: maxProperties + 1 })
    for (const [name, schema] of properties) {
      if (this.#isFree(schema)) continue
      const opposite = new Map([[name, this.#opposite(schema)]])
      this.#add({ types: objects, required: [name], properties: opposite })
    }
    for (const { name, required: needed } of this.#facts.dependents) {
      for (const other of needed)
        this.#add({ types: objects, required: [name], forbidden: [other] })
    }
    const { additional, propertyNames, patternProperties, isClosed } = this.#facts
    if (additional?.schema === false && patternProperties.length === 0) {
      for (const name of this.#names)
        if (!properties.has(name)) this.#add({ types: objects, required: [name] })
    }
    const others = [additional, propertyNames, ...patternProperties.map(({ schema }) => schema)]
    if (isClosed || others.some((schema) => schema !== undefined && !this.#isFree(schema)))
      this.#isComplete = false
  }

  #isFree({ schema }: Located): boolean {
    return (
      schema === true ||
      (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0)
    )
  }
}

/** Returns the schema of all values that are invalid against a schema. The same schema gets the same object. */
export function oppositeOf({ schema, path }: Located, known: Map<unknown, Located>): Located {
  const opposite = known.get(schema) ?? { schema: new Opposite(schema), path }
  known.set(schema, opposite)
  return opposite
}
