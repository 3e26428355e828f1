const styles = { bold: '1', dim: '2', italic: '3', code: '36' } as const
type Style = keyof typeof styles

/**
 * Formats streamed Markdown for a terminal: bold, italic, code, headings, lists and quotes. Holds back only text that
 * may still turn out to be a mark.
 */
export class MarkdownWriter {
  #held = ''
  #atLineStart = true
  #inFence = false
  #isHeading = false
  readonly #on = new Set<Style>()
  #last = '\n'

  write(text: string): string {
    this.#held += withoutControls(text)
    return this.#take(false)
  }

  /** Returns the text that was held back, and ends all styles. */
  end(): string {
    const rest = this.#take(true)
    return rest + this.#reset()
  }

  #take(isEnd: boolean): string {
    let out = ''
    while (this.#held !== '') {
      const next = this.#atLineStart ? this.#lineStart(isEnd) : this.#inline(isEnd)
      if (next === undefined) break
      out += next
    }
    return out
  }

  /** Formats the start of a line. Returns undefined until enough has arrived to tell the kind of line. */
  #lineStart(isEnd: boolean): string | undefined {
    const line = /^[^\n]*/.exec(this.#held)?.[0] ?? ''
    const isWhole = isEnd || line.length < this.#held.length
    if (!isWhole && /^\s*(`{0,2}|`{3}.*)$/.test(line)) return undefined
    if (/^\s*```/.test(line)) return this.#fence(line)
    if (this.#inFence) {
      this.#atLineStart = false
      return this.#open('code')
    }
    if (!isWhole && /^\s*(#{1,6}|[-*+>]|\*\*)$/.test(line)) return undefined
    this.#atLineStart = false
    const heading = /^#{1,6} +/.exec(line)
    if (heading !== null) return this.#drop(heading[0], this.#heading())
    const bullet = /^(\s*)[-*+] +/.exec(line)
    if (bullet !== null) return this.#drop(bullet[0], `${bullet[1] ?? ''}• `)
    const quote = /^> ?/.exec(line)
    if (quote !== null) return this.#drop(quote[0], `${this.#open('dim')}│ ${this.#close('dim')}`)
    return ''
  }

  #fence(line: string): string {
    this.#inFence = !this.#inFence
    const end = this.#held.startsWith('\n', line.length) ? '\n' : ''
    return this.#drop(line + end, `${this.#open('dim')}${line}${this.#reset()}${end}`)
  }

  #heading(): string {
    this.#isHeading = true
    return this.#open('bold')
  }

  #drop(mark: string, shown: string): string {
    this.#held = this.#held.slice(mark.length)
    this.#last = ' '
    return shown
  }

  /** Returns the text up to the next mark. At a mark, returns the escape codes that replace it. */
  #inline(isEnd: boolean): string | undefined {
    const plain = this.#inFence ? /^[^\n]+/ : this.#on.has('code') ? /^[^\n`]+/ : /^[^\n`*]+/
    const text = plain.exec(this.#held)?.[0]
    if (text !== undefined) {
      this.#held = this.#held.slice(text.length)
      this.#last = text.at(-1) ?? ''
      return text
    }
    if (this.#held.startsWith('\n')) {
      this.#atLineStart = true
      this.#isHeading = false
      return this.#drop('\n', `${this.#reset()}\n`)
    }
    const mark = /^(`|\*\*|\*)/.exec(this.#held)?.[0] ?? ''
    // The next character tells whether * is the start of **, and whether a mark opens a style or is plain text.
    if (this.#held.length <= mark.length && !isEnd) return undefined
    const style = mark === '`' ? 'code' : mark === '**' ? 'bold' : 'italic'
    if (this.#on.has(style) && !(style === 'bold' && this.#isHeading))
      return this.#dropMark(mark, this.#close(style))
    const next = this.#held[mark.length] ?? ' '
    if (/\s/.test(next) || (mark === '*' && /\w/.test(this.#last)))
      return this.#dropMark(mark, mark)
    return this.#dropMark(mark, this.#isHeading && style === 'bold' ? '' : this.#open(style))
  }

  #dropMark(mark: string, shown: string): string {
    this.#held = this.#held.slice(mark.length)
    this.#last = mark
    return shown
  }

  #open(style: Style): string {
    this.#on.add(style)
    return `\u001B[${styles[style]}m`
  }

  #close(style: Style): string {
    this.#on.delete(style)
    return `\u001B[0m${[...this.#on].map((left) => `\u001B[${styles[left]}m`).join('')}`
  }

  #reset(): string {
    if (this.#on.size === 0) return ''
    this.#on.clear()
    return '\u001B[0m'
  }
}

/** Replaces control characters: with them, a reply could control the terminal. */
export function withoutControls(text: string): string {
  const shown = (control: string) => (control === '\n' || control === '\t' ? control : '\uFFFD')
  return text.replaceAll('\r\n', '\n').replace(/\p{Cc}/gu, shown)
}
