import type { Tool } from '../../tools.ts'
import { alternativesOf, isCallAtStart, openingsOf, type ToolForm } from '../tool-form.ts'
import type { ArgumentsReader } from './arguments-reader.ts'
import { DictionaryArgumentsReader } from './dictionary-arguments-reader.ts'
import { JsonArgumentsReader } from './json-arguments-reader.ts'
import { PythonArgumentsReader } from './python-arguments-reader.ts'
import { readUntilAny } from './read-until.ts'
import { TaggedArgumentsReader } from './tagged-arguments-reader.ts'
import { ArgumentTypes } from './value-types.ts'

/** Part of a tool call: its name first, then pieces of its arguments, which are JSON text. */
export type ToolCallDelta =
  | { readonly type: 'call'; readonly call: number; readonly name: string }
  | { readonly type: 'arguments'; readonly call: number; readonly text: string }

type Read = { text: string; calls: ToolCallDelta[] }

type Place =
  /** `start`: nothing has been read. `content`: the reply is not a call. */
  | { readonly in: 'start' | 'text' | 'content' | 'opening' | 'name' | 'closing' | 'between' }
  | { readonly in: 'arguments'; readonly reader: ArgumentsReader }

/**
 * Separates tool calls and text in a reply that follows the grammar of `compile-tools`. A call that is cut off is
 * passed on up to the cut.
 */
export class ToolCallReader {
  readonly #form: ToolForm
  readonly #tools: readonly Tool[]
  readonly #openings: readonly string[]
  /** Texts that begin a call anywhere in a reply. */
  readonly #begins: readonly string[]
  /** True if only the start of the reply can be a call. */
  readonly #isAtStart: boolean
  /** Beginnings of a reply that is a call, each with its opening. */
  readonly #starts: readonly { readonly opening: string; readonly call: string }[]
  #place: Place
  #pending = ''
  #call = -1

  /** @param hasFinal a reply without calls has a format of its own, whose texts may contain what begins a call */
  constructor(form: ToolForm, tools: readonly Tool[], hasFinal = false) {
    this.#form = form
    this.#tools = tools
    this.#openings = openingsOf(form)
    const first = alternativesOf(form.first ?? [])
    this.#begins = this.#openings.filter((text) => !first.includes(text))
    this.#isAtStart = isCallAtStart(form, hasFinal)
    this.#starts = this.#openings.flatMap((opening) =>
      this.#callsAfter(opening).map((call) => ({ opening, call })),
    )
    this.#place = { in: this.#isAtStart || first.length > 0 ? 'start' : 'text' }
  }

  /** True if the text ended with a complete call, whose last mark may be missing. */
  get hasCalled(): boolean {
    return this.#place.in === 'closing' || this.#place.in === 'between'
  }

  /** Returns true if a reply of this text would be read as a call, or end with one. */
  isCall(text: string): boolean {
    if (this.#starts.some(({ call }) => text.startsWith(call))) return true
    return !this.#isAtStart && this.#begins.some((begin) => text.includes(begin))
  }

  push(text: string): Read {
    this.#pending += text
    const read: Read = { text: '', calls: [] }
    while (this.#step(read));
    return read
  }

  finish(): Read {
    const read: Read = { text: '', calls: [] }
    if (this.#place.in === 'text' || this.#place.in === 'start') read.text = this.#pending
    if (this.#place.in === 'arguments') this.#addArguments(read, this.#place.reader.finish())
    this.#pending = ''
    return read
  }

  /** Returns false when it needs more text. */
  #step(read: Read): boolean {
    switch (this.#place.in) {
      case 'start':
        return this.#readStart()
      case 'text': {
        const { before, rest, isFound } = readUntilAny(this.#pending, this.#begins)
        read.text += before
        this.#pending = rest
        if (isFound) this.#place = { in: 'opening' }
        return isFound
      }
      case 'content':
        read.text += this.#pending
        this.#pending = ''
        return false
      case 'opening':
        return this.#skip(lastOf(this.#form.name), 'name')
      case 'name':
        return this.#readName(read)
      case 'arguments': {
        const { reader } = this.#place
        const text = this.#pending
        this.#pending = ''
        this.#addArguments(read, reader.push(text))
        if (reader.rest === undefined) return false
        this.#pending = reader.rest
        this.#place = { in: 'closing' }
        return true
      }
      case 'closing':
        return this.#skip(lastOf(this.#form.callEnd), 'between')
      case 'between':
        return this.#readBetween()
    }
  }

  /** Decides whether the reply begins with a call. */
  #readStart(): boolean {
    let isOpen = false
    for (const { opening, call } of this.#starts) {
      if (this.#pending.startsWith(call)) {
        this.#pending = this.#pending.slice(opening.length)
        this.#place = { in: 'opening' }
        return true
      }
      isOpen ||= call.startsWith(this.#pending)
    }
    if (!isOpen) this.#place = { in: this.#isAtStart ? 'content' : 'text' }
    return !isOpen
  }

  /** Returns the beginnings of a call up to where no other text has them. */
  #callsAfter(opening: string): readonly string[] {
    const { open = '', name: before, lead } = this.#form
    // A value of the final format begins with no opening, except of a form with a lead.
    if (this.#isAtStart && lead === undefined) return [opening]
    const ends = alternativesOf(this.#form.arguments).map(firstOf)
    return this.#tools.flatMap(({ name }) =>
      ends.map((end) => opening + open + before + name + end),
    )
  }

  #readName(read: Read): boolean {
    const [all = '', name] = /^\s*([\w-]+)(?=[^\w-])/.exec(this.#pending) ?? []
    if (name === undefined) return false
    this.#call += 1
    read.calls.push({ type: 'call', call: this.#call, name })
    this.#pending = this.#pending.slice(all.length)
    this.#place = { in: 'arguments', reader: this.#readerFor(name) }
    return true
  }

  #readBetween(): boolean {
    const { between, name, isSingle = false } = this.#form
    if (isSingle) return false
    const [written = ''] = alternativesOf(between)
    // Some families write no line break.
    const mark = written.trim() === '' ? written : written.trim()
    const next = mark === '' ? firstOf(name) : mark
    const at = this.#pending.indexOf(next)
    if (at === -1) return false
    this.#pending = this.#pending.slice(at + mark.length)
    this.#place = { in: 'opening' }
    return true
  }

  /** Skips a mark and the text before it. */
  #skip(mark: string, next: 'name' | 'between'): boolean {
    const at = this.#pending.indexOf(mark)
    if (at === -1) return false
    this.#pending = this.#pending.slice(at + mark.length)
    this.#place = { in: next }
    return true
  }

  #readerFor(name: string): ArgumentsReader {
    const form = this.#form
    switch (form.type) {
      case 'json':
        return new JsonArgumentsReader()
      case 'tagged': {
        const tool = this.#tools.find((each) => each.name === name)
        return new TaggedArgumentsReader(form, new ArgumentTypes(tool))
      }
      case 'dictionary':
        return new DictionaryArgumentsReader(form)
      case 'python':
        return new PythonArgumentsReader()
    }
  }

  #addArguments(read: Read, text: string): void {
    if (text !== '') read.calls.push({ type: 'arguments', call: this.#call, text })
  }
}

/** Returns the part of a mark before its id. */
function firstOf(mark: string): string {
  return mark.split(/[#*]/)[0] ?? ''
}

/** Returns the part of a mark after its id. */
function lastOf(mark: string): string {
  return mark.split(/[#*]/).at(-1) ?? ''
}
