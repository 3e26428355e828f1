import { entriesInOrder } from '../../../../../json-order.ts'

/** A value of a template, with Python's meaning. `undefined` is a variable that is not set. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | Float
  | string
  | Tuple
  | readonly Value[]
  | Dict
  | Namespace
  | LoopState
  | Callable

/** Members by name or number. */
export type Dict = ReadonlyMap<Value, Value>

/** A number that Python writes with a fraction or an exponent. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** A list that Python writes in round brackets. */
export class Tuple {
  readonly items: readonly Value[]
  /** Names of the items, for the tuples of `groupby`. */
  readonly #names: readonly string[]

  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items
    this.#names = names
  }

  member(name: string): Value {
    return this.items[this.#names.indexOf(name)]
  }
}

/** An object whose members a template may set. */
export class Namespace {
  readonly members: Map<string, Value>

  constructor(members: Map<string, Value>) {
    this.members = members
  }
}

export class Callable {
  readonly call: (positional: readonly Value[], named: ReadonlyMap<string, Value>) => Value

  constructor(call: Callable['call']) {
    this.call = call
  }
}

/** The variable `loop`. */
export class LoopState {
  readonly #items: readonly Value[]
  readonly #index: number
  readonly #depth: number
  /** Runs the loop again with other items. Set only for a loop that is `recursive`. */
  readonly recursion: Callable | undefined
  readonly #changed: Callable

  constructor(
    items: readonly Value[],
    index: number,
    depth: number,
    recursion: Callable | undefined,
    changed: Callable,
  ) {
    this.#items = items
    this.#index = index
    this.#depth = depth
    this.recursion = recursion
    this.#changed = changed
  }

  member(name: string): Value {
    const [index, count] = [this.#index, this.#items.length]
    switch (name) {
      case 'index':
        return index + 1
      case 'index0':
        return index
      case 'revindex':
        return count - index
      case 'revindex0':
        return count - index - 1
      case 'first':
        return index === 0
      case 'last':
        return index === count - 1
      case 'length':
        return count
      case 'previtem':
        return index > 0 ? this.#items[index - 1] : undefined
      case 'nextitem':
        return this.#items[index + 1]
      case 'depth':
        return this.#depth + 1
      case 'depth0':
        return this.#depth
      case 'cycle':
        return new Callable((values) => values[index % Math.max(values.length, 1)])
      case 'changed':
        return this.#changed
      default:
        return undefined
    }
  }
}

/** An error of a template. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** Maximum length of a text in UTF-16 units, so that a template cannot fill the memory. */
const textCharsMax = 4 * 1024 * 1024
/** Maximum number of items of a list that a template has made longer. */
const listItemsMax = 100_000

export function isDict(value: Value): value is Dict {
  return value instanceof Map
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** Converts a JSON value to a value of a template. */
export function toValue(json: unknown): Value {
  if (typeof json === 'number') return Number.isInteger(json) ? json : new Float(json)
  if (typeof json === 'object' && json !== null) {
    if (Array.isArray(json)) return json.map(toValue)
    if (json instanceof Float || json instanceof Callable) return json
    return new Map(entriesInOrder(json).map(([name, member]) => [name, toValue(member)]))
  }
  if (typeof json === 'string' || typeof json === 'boolean' || typeof json === 'bigint') return json
  return json === null ? null : undefined
}

/** Returns the items of a value that Python can iterate; undefined for any other. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (value === undefined) return []
  if (typeof value === 'string') return Array.from(value)
  if (value instanceof Tuple) return value.items
  if (isDict(value)) return [...value.keys()]
  return isList(value) ? value : undefined
}

/** @throws TemplateError when the value has no items */
export function requireItems(value: Value): readonly Value[] {
  const items = itemsOf(value)
  if (items === undefined) throw new TemplateError(`a ${typeName(value)} has no items`)
  return items
}

export function isTrue(value: Value): boolean {
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Tuple) return value.items.length > 0
  if (isDict(value)) return value.size > 0
  if (isList(value)) return value.length > 0
  return Boolean(value)
}

/** Returns the number that Python uses for the value in arithmetic; undefined if it is not a number. */
export function numberOf(value: Value): number | undefined {
  if (value instanceof Float) return value.value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return Number(value)
  return undefined
}

export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return true
  const [leftNumber, rightNumber] = [numberOf(left), numberOf(right)]
  if (leftNumber !== undefined) return leftNumber === rightNumber
  if (left instanceof Tuple && right instanceof Tuple) return isEqual(left.items, right.items)
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index]))
  if (!isDict(left) || !isDict(right) || left.size !== right.size) return false
  return [...left].every(([name, member]) => right.has(name) && isEqual(member, right.get(name)))
}

/** Returns a number below, equal to or above 0, as `Array.sort` expects. @throws TemplateError if there is no order */
export function compare(left: Value, right: Value): number {
  const [leftNumber, rightNumber] = [numberOf(left), numberOf(right)]
  if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber - rightNumber
  if (typeof left === 'string' && typeof right === 'string')
    return left < right ? -1 : Number(left > right)
  const [leftItems, rightItems] = [orderedItems(left), orderedItems(right)]
  if (leftItems === undefined || rightItems === undefined)
    throw new TemplateError(`a ${typeName(left)} and a ${typeName(right)} have no order`)
  for (const [index, item] of leftItems.entries())
    if (index < rightItems.length && !isEqual(item, rightItems[index]))
      return compare(item, rightItems[index])
  return leftItems.length - rightItems.length
}

function orderedItems(value: Value): readonly Value[] | undefined {
  if (value instanceof Tuple) return value.items
  return isList(value) ? value : undefined
}

/** Returns true if Python's `in` finds the item. */
export function contains(container: Value, item: Value): boolean {
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item)
    if (item === undefined) return false
    throw new TemplateError(`a text does not contain a ${typeName(item)}`)
  }
  if (isDict(container)) return container.has(keyOf(item))
  return requireItems(container).some((each) => isEqual(each, item))
}

/** Converts a value to the form in which a dict stores it as a key. */
export function keyOf(value: Value): Value {
  return value instanceof Float ? value.value : value
}

/** Returns the text that `{{ value }}` writes. */
export function textOf(value: Value): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : reprOf(value)
}

/** Returns Python's `repr`. */
export function reprOf(value: Value): string {
  if (value === undefined) return 'Undefined'
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Float) return floatText(value.value)
  if (value instanceof Tuple)
    return `(${value.items.map(reprOf).join(', ')}${value.items.length === 1 ? ',' : ''})`
  if (isList(value)) return `[${value.map(reprOf).join(', ')}]`
  if (!isDict(value)) return `<${typeName(value)}>`
  const members = [...value].map(([name, member]) => `${reprOf(name)}: ${reprOf(member)}`)
  return `{${members.join(', ')}}`
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\x00-\x1f\x7f-\xa0\xad]/g, (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(2, '0')
      return escapes[character] ?? `\\x${code}`
    })
  return `${quote}${inner}${quote}`
}

/** Returns a float as Python writes it. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4))
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  const text = String(value)
  if (Object.is(value, -0)) return '-0.0'
  return Number.isInteger(value) ? `${text}.0` : text
}

export function typeName(value: Value): string {
  if (value === undefined) return 'variable that is not set'
  if (value === null) return 'None'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'truth value'
  if (numberOf(value) !== undefined) return 'number'
  if (value instanceof Tuple) return 'tuple'
  if (isDict(value)) return 'dict'
  if (value instanceof Namespace || value instanceof LoopState) return 'namespace'
  return value instanceof Callable ? 'function' : 'list'
}

/** Returns the text. @throws TemplateError when it is longer than the maximum */
export function boundedText(text: string): string {
  if (text.length > textCharsMax) throw new TemplateError('the rendered prompt is too long')
  return text
}

/** @throws TemplateError when a list of this length would fill the memory */
export function assertListLength(length: number): void {
  if (length > listItemsMax) throw new TemplateError('a list is too long')
}
