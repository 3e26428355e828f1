import type { ArgumentsReader } from './arguments-reader.ts'
import { PythonLiteralReader } from './python-literal-reader.ts'

/** Reads keyword arguments of Python, such as `(city="Bern", exact=True)`, and returns them as a JSON object. */
export class PythonArgumentsReader implements ArgumentsReader {
  #pending = ''
  #place: 'before' | 'name' | PythonLiteralReader = 'before'
  #count = 0
  rest: string | undefined

  push(text: string): string {
    this.#pending += text
    let json = ''
    while (this.rest === undefined) {
      const read = this.#step()
      if (read === undefined) break
      json += read
    }
    return json
  }

  finish(): string {
    return ''
  }

  /** Returns undefined when it needs more text. */
  #step(): string | undefined {
    if (this.#place === 'name') return this.#readName()
    if (this.#place === 'before') {
      const begin = this.#pending.indexOf('(')
      if (begin === -1) return undefined
      this.#pending = this.#pending.slice(begin + 1)
      this.#place = 'name'
      return ''
    }
    if (this.#pending === '') return undefined
    const json = this.#place.push(this.#pending)
    this.#pending = this.#place.rest ?? ''
    if (this.#place.rest !== undefined) this.#place = 'name'
    return json
  }

  /** Reads the name of an argument and the comma before it, or the end of the call. */
  #readName(): string | undefined {
    const written = /^[\s,]*(?:(\))|([^\s=,()]+)\s*=\s*(?=\S))/.exec(this.#pending)
    if (written === null) return undefined
    const [all, end, name] = written
    if (end !== undefined) {
      this.rest = this.#pending.slice(all.length - 1)
      return this.#count === 0 ? '{}' : '}'
    }
    this.#pending = this.#pending.slice(all.length)
    this.#place = new PythonLiteralReader()
    this.#count += 1
    return `${this.#count === 1 ? '{' : ', '}${JSON.stringify(name)}: `
  }
}
