import { alternativesOf, type TaggedForm } from '../tool-form.ts'
import type { ArgumentsReader } from './arguments-reader.ts'
import { jsonOfPython } from './python-literal-reader.ts'
import { readUntil } from './read-until.ts'
import type { ArgumentType, ArgumentTypes } from './value-types.ts'

type Place =
  | { readonly in: 'members' | 'name' }
  /**
   * `isText`: the value is certainly a string and is passed on in pieces. `isJson`: it is certainly JSON, whose
   * `strings` may contain `end`, the mark after the value. The mark is searched for from the position `from` on.
   */
  | {
      readonly in: 'value'
      readonly name: string
      /** The part of a text that was passed on, unless it is too long to tell alternatives apart. */
      readonly begun: string
      readonly type: ArgumentType
      readonly isText: boolean
      readonly isJson: boolean
      readonly end: string
      readonly from: number
      readonly strings: StringScanner
    }

type ValuePlace = Extract<Place, { in: 'value' }>

/** Characters of an argument by which alternatives of the arguments are told apart. */
const narrowingMax = 256

/** Reads arguments between tags, and returns them as a JSON object. */
export class TaggedArgumentsReader implements ArgumentsReader {
  readonly #form: TaggedForm
  readonly #types: ArgumentTypes
  #place: Place = { in: 'members' }
  #pending = ''
  #json = ''
  #count = 0
  rest: string | undefined

  constructor(form: TaggedForm, types: ArgumentTypes) {
    this.#form = form
    this.#types = types
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
    const { value, stringValue, valueEnd, markup } = this.#form
    const marks = [...alternativesOf(value), ...(stringValue === undefined ? [] : [stringValue])]
    const found = marks
      .map((mark) => ({ mark, at: this.#pending.indexOf(mark) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)[0]
    if (found === undefined) return false
    const name = this.#pending.slice(0, found.at)
    const written = this.#pending.slice(found.at + found.mark.length)
    const isMarkup = markup !== undefined && written.startsWith(markup.begin)
    if (markup !== undefined && !isMarkup && markup.begin.startsWith(written)) return false
    this.#pending = isMarkup ? written.slice(markup.begin.length) : written
    const type = this.#types.of(name)
    const { types } = type
    const isString =
      stringValue === undefined
        ? types.size === 1 && types.has('string')
        : found.mark === stringValue
    const isText = isMarkup || isString
    const isJson = stringValue === undefined ? !types.has('string') : !isString
    this.#json += `${this.#count === 0 ? '{' : ', '}${JSON.stringify(name)}: ${isText ? '"' : ''}`
    this.#count += 1
    const end = isMarkup ? markup.end + valueEnd : valueEnd
    const strings = new StringScanner()
    this.#place = { in: 'value', name, begun: '', type, isText, isJson, end, from: 0, strings }
    return true
  }

  #readValue(place: ValuePlace): boolean {
    const { type, isText, isJson, end: mark, from, strings } = place
    if (isText) return this.#readText(place)
    const end = this.#pending.indexOf(mark, from)
    if (end === -1) {
      const next = this.#pending.length - mark.length + 1
      this.#place = { ...place, from: Math.max(from, next) }
      return false
    }
    if (isJson && strings.isInsideAt(this.#pending, end)) {
      this.#place = { ...place, from: end + 1 }
      return true
    }
    const text = this.#pending.slice(0, end)
    if (isJson && jsonOf(text) === undefined) {
      // No JSON has the mark outside its strings, so this value never ends.
      this.#place = { ...place, from: Infinity }
      return false
    }
    const json = valueOf(text, type)
    if (json.length <= narrowingMax) this.#types.narrow(place.name, JSON.parse(json))
    this.#json += json
    this.#pending = this.#pending.slice(end + mark.length)
    this.#place = { in: 'members' }
    return true
  }

  #readText(place: ValuePlace): boolean {
    const { before, rest, isFound } = readUntil(this.#pending, place.end)
    this.#json += escaped(before) + (isFound ? '"' : '')
    this.#pending = rest
    const begun = place.begun.length > narrowingMax ? place.begun : place.begun + before
    if (isFound && begun.length <= narrowingMax) this.#types.narrow(place.name, begun)
    this.#place = isFound ? { in: 'members' } : { ...place, begun }
    return isFound
  }

  #take(): string {
    const json = this.#json
    this.#json = ''
    return json
  }
}

/** Tells which positions of JSON or a Python literal are inside a string. Reads each character once. */
class StringScanner {
  #quote: string | undefined
  #at = 0

  /** @param at not less than in the calls before */
  isInsideAt(text: string, at: number): boolean {
    for (; this.#at < at; this.#at++) {
      const character = text[this.#at]
      if (this.#quote === undefined) {
        if (character === '"' || character === "'") this.#quote = character
      } else if (character === '\\') this.#at += 1
      else if (character === this.#quote) this.#quote = undefined
    }
    return this.#quote !== undefined
  }
}

/** Returns the value as JSON if that is valid or only JSON is, else as a string. */
function valueOf(text: string, { types, admits }: ArgumentType): string {
  const json = jsonOf(text)
  if (json !== undefined) {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'string' && (!types.has('string') || admits(value))) return json
  }
  return JSON.stringify(text)
}

/**
 * Returns the text if it is JSON. Python literals such as `True` are accepted, because templates write them into
 * earlier calls.
 */
function jsonOf(text: string): string | undefined {
  const trimmed = text.trim()
  return isJson(trimmed) ? trimmed : jsonOfPython(trimmed)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
