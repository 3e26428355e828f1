import type { DictionaryForm } from '../tool-form.ts'
import type { ArgumentsReader } from './arguments-reader.ts'
import { readUntil } from './read-until.ts'

/** Reads an object with bare keys and marked strings, and returns it as JSON. */
export class DictionaryArgumentsReader implements ArgumentsReader {
  readonly #quote: string
  #pending = ''
  #place: 'before' | 'value' | 'string' = 'before'
  #depth = 0
  rest: string | undefined

  constructor({ quote }: DictionaryForm) {
    this.#quote = quote
  }

  push(text: string): string {
    this.#pending += text
    let json = ''
    while (this.rest === undefined) {
      const read = this.#step()
      json += read ?? ''
      if (read === undefined) break
    }
    return json
  }

  finish(): string {
    return this.#place === 'string' ? escaped(this.#pending) : ''
  }

  /** Returns undefined when it needs more text. */
  #step(): string | undefined {
    switch (this.#place) {
      case 'before': {
        const begin = this.#pending.indexOf('{')
        if (begin === -1) return undefined
        this.#pending = this.#pending.slice(begin)
        this.#place = 'value'
        return ''
      }
      case 'value':
        return this.#readValue()
      case 'string': {
        const { before, rest, isFound } = readUntil(this.#pending, this.#quote)
        this.#pending = rest
        if (isFound) this.#place = 'value'
        else if (before === '') return undefined
        return escaped(before) + (isFound ? '"' : '')
      }
    }
  }

  /** Reads a quote mark, a bracket, a comma or a bare word. A bare word is complete once punctuation follows. */
  #readValue(): string | undefined {
    const text = this.#pending
    if (text.startsWith(this.#quote)) {
      this.#pending = text.slice(this.#quote.length)
      this.#place = 'string'
      return '"'
    }
    // The text may be the start of a quote mark.
    if (this.#quote.startsWith(text)) return undefined
    const [character = ''] = text
    if ('{}[],'.includes(character)) return this.#readPunctuation(character)
    const word = /^[^{}[\],:]+(?=[{}[\],:])/.exec(text)?.[0]
    if (word === undefined) return undefined
    const isKey = text[word.length] === ':'
    this.#pending = text.slice(word.length + (isKey ? 1 : 0))
    return isKey ? `${JSON.stringify(word)}: ` : word
  }

  #readPunctuation(character: string): string {
    this.#pending = this.#pending.slice(1)
    if (character === '{' || character === '[') this.#depth += 1
    if (character === '}' || character === ']') this.#depth -= 1
    if (this.#depth === 0) {
      this.rest = this.#pending
      this.#pending = ''
    }
    return character === ',' ? ', ' : character
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
