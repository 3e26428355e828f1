import { isTrue, numberOf, TemplateError, textOf, typeName, type Value } from './values/values.ts'

/** The arguments of a filter, test, method or function, read by position or name. */
export class CallArguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>

  constructor(positional: readonly Value[], named: ReadonlyMap<string, Value> = new Map()) {
    this.positional = positional
    this.named = named
  }

  get(index: number, name: string): Value {
    return index < this.positional.length ? this.positional[index] : this.named.get(name)
  }

  has(index: number, name: string): boolean {
    return index < this.positional.length || this.named.has(name)
  }

  isTrue(index: number, name: string, otherwise = false): boolean {
    return this.has(index, name) ? isTrue(this.get(index, name)) : otherwise
  }

  text(index: number, name: string, otherwise?: string): string {
    const value = this.get(index, name) ?? otherwise
    if (typeof value === 'string') return value
    throw new TemplateError(`the argument ${name} is a ${typeName(value)}, not a text`)
  }

  number(index: number, name: string, otherwise?: number): number {
    const value = numberOf(this.get(index, name) ?? otherwise)
    if (value !== undefined) return value
    throw new TemplateError(`the argument ${name} is not a number`)
  }

  /** Returns the indentation: for a number that many spaces, for a text the text itself, for None undefined. */
  indent(index: number, name: string, otherwise?: number): string | undefined {
    const value = this.get(index, name) ?? otherwise
    if (value === undefined || value === null) return undefined
    return typeof value === 'string' ? value : ' '.repeat(boundedCount(numberOf(value) ?? 0))
  }

  /** Returns the arguments without the first `count` positional ones. */
  after(count: number): CallArguments {
    return new CallArguments(this.positional.slice(count), this.named)
  }
}

const countMax = 100_000

/** @throws TemplateError when the count would fill the memory */
export function boundedCount(count: number): number {
  if (count > countMax) throw new TemplateError(`a count of ${count} is too large`)
  return Math.max(0, Math.trunc(count))
}

/** Joins the items into one text, as Python's `join` does. */
export function joined(items: readonly Value[], separator: string): string {
  return items.map(textOf).join(separator)
}
