import type { ArgumentsReader } from './arguments-reader.ts'

/** Reads a JSON object and returns it unchanged. */
export class JsonArgumentsReader implements ArgumentsReader {
  #depth = 0
  #place: 'before' | 'value' | 'string' | 'escape' = 'before'
  rest: string | undefined

  push(text: string): string {
    let begin = 0
    for (let index = 0; index < text.length; index++) {
      const character = text[index]
      switch (this.#place) {
        case 'before':
          if (character !== '{') continue
          this.#place = 'value'
          this.#depth = 1
          begin = index
          break
        case 'value':
          if (character === '"') this.#place = 'string'
          else if (character === '{' || character === '[') this.#depth += 1
          else if (character === '}' || character === ']') this.#depth -= 1
          if (this.#depth > 0) break
          this.rest = text.slice(index + 1)
          return text.slice(begin, index + 1)
        case 'string':
          if (character === '"') this.#place = 'value'
          else if (character === '\\') this.#place = 'escape'
          break
        case 'escape':
          this.#place = 'string'
      }
    }
    return this.#place === 'before' ? '' : text.slice(begin)
  }

  finish(): string {
    return ''
  }
}
