import { alternativesOf, type TaggedForm } from '../tool-form.ts'
import type { ArgumentsReader } from './arguments-reader.ts'
import { readUntil } from './read-until.ts'
import { typeOf, type ValueType } from './value-types.ts'

type Place =
  | { readonly in: 'members' | 'name' }
  /** `isText`: it is a string in any case, and is passed on in pieces. */
  | { readonly in: 'value'; readonly types: ReadonlySet<ValueType>; readonly isText: boolean }

/** Reads arguments between tags, and returns them as a JSON object. */
export class TaggedArgumentsReader implements ArgumentsReader {
  readonly #form: TaggedForm
  readonly #typesOf: (name: string) => ReadonlySet<ValueType>
  #place: Place = { in: 'members' }
  #pending = ''
  #json = ''
  #count = 0
  rest: string | undefined

  constructor(form: TaggedForm, types: (name: string) => ReadonlySet<ValueType>) {
    this.#form = form
    this.#typesOf = types
  }

  push(text: string): string {
    this.#pending += text
    while (this.rest === undefined && this.#step());
    return this.#take()
  }

  finish(): string {
    if (this.#place.in === 'value' && this.#place.isText) this.#json += escaped(this.#pending)
    return this.#take()
  }

  /** Returns false when it needs more text. */
  #step(): boolean {
    switch (this.#place.in) {
      case 'members':
        return this.#readMember()
      case 'name':
        return this.#readName()
      case 'value':
        return this.#readValue(this.#place)
    }
  }

  #readMember(): boolean {
    const { key, callEnd } = this.#form
    const [member, end] = [this.#pending.indexOf(key), this.#pending.indexOf(callEnd)]
    if (end !== -1 && (member === -1 || end < member)) {
      this.#json += this.#count === 0 ? '{}' : '}'
      this.rest = this.#pending.slice(end)
      return false
    }
    if (member === -1) return false
    this.#pending = this.#pending.slice(member + key.length)
    this.#place = { in: 'name' }
    return true
  }

  #readName(): boolean {
    const { value, stringValue } = this.#form
    const marks = [...alternativesOf(value), ...(stringValue === undefined ? [] : [stringValue])]
    const found = marks
      .map((mark) => ({ mark, at: this.#pending.indexOf(mark) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)[0]
    if (found === undefined) return false
    const name = this.#pending.slice(0, found.at)
    this.#pending = this.#pending.slice(found.at + found.mark.length)
    const types = this.#typesOf(name)
    const isText =
      stringValue === undefined
        ? types.size === 1 && types.has('string')
        : found.mark === stringValue
    this.#json += `${this.#count === 0 ? '{' : ', '}${JSON.stringify(name)}: ${isText ? '"' : ''}`
    this.#count += 1
    this.#place = { in: 'value', types, isText }
    return true
  }

  #readValue({ types, isText }: Extract<Place, { in: 'value' }>): boolean {
    const { valueEnd } = this.#form
    if (isText) {
      const { before, rest, isFound } = readUntil(this.#pending, valueEnd)
      this.#json += escaped(before) + (isFound ? '"' : '')
      this.#pending = rest
      if (isFound) this.#place = { in: 'members' }
      return isFound
    }
    const end = this.#pending.indexOf(valueEnd)
    if (end === -1) return false
    this.#json += valueOf(this.#pending.slice(0, end), types)
    this.#pending = this.#pending.slice(end + valueEnd.length)
    this.#place = { in: 'members' }
    return true
  }

  #take(): string {
    const json = this.#json
    this.#json = ''
    return json
  }
}

/** Returns the value as JSON if it can be of that type, else as a string. */
function valueOf(text: string, types: ReadonlySet<ValueType>): string {
  const trimmed = text.trim()
  try {
    const type = typeOf(JSON.parse(trimmed))
    if (type !== 'string' && (types.has(type) || !types.has('string'))) return trimmed
  } catch {
    // A plain string.
  }
  return JSON.stringify(text)
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
