type Cell = { readonly character: string; readonly style: string }

const colours = ['#000', '#e66', '#6c6', '#cc6', '#69f', '#c6c', '#6cc', '#ddd']
const styles: Record<number, string> = {
  1: 'font-weight:bold',
  2: 'opacity:0.6',
  3: 'font-style:italic',
  4: 'text-decoration:underline',
}

/** Draws a program's output like a terminal. Knows the control sequences that the command line uses. */
export class Screen {
  readonly #columns: number
  #lines: Cell[][] = [[]]
  #row = 0
  #column = 0
  #styles: readonly number[] = []

  constructor(columns: number) {
    this.#columns = columns
  }

  write(output: string): void {
    // oxlint-disable-next-line no-control-regex -- control sequences are what a terminal reads
    for (const [part, parameters, final] of output.matchAll(/\u001B\[([?\d;]*)([A-Za-z])|[^]/gu))
      if (final === undefined) this.#print(part)
      else this.#obey(final, parameters ?? '')
  }

  /** Returns the lines without styles and without spaces at their ends. */
  text(): string {
    return this.#lines
      .map((line) =>
        line
          .map(({ character }) => character)
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd()
  }

  html(): string {
    const cells = (line: Cell[]) =>
      line.map(({ character, style }) => `<span style="${style}">${escape(character)}</span>`)
    return this.#lines.map((line) => cells(line).join('')).join('\n')
  }

  #print(character: string): void {
    if (character === '\r') this.#column = 0
    else if (character === '\n') this.#moveTo(this.#row + 1, this.#column)
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1)
    else if (character >= ' ') {
      if (this.#column === this.#columns) this.#moveTo(this.#row + 1, 0)
      const line = this.#lines[this.#row] ?? []
      while (line.length < this.#column) line.push({ character: ' ', style: '' })
      line[this.#column] = { character, style: this.#style() }
      this.#column += 1
    }
  }

  #moveTo(row: number, column: number): void {
    while (this.#lines.length <= row) this.#lines.push([])
    this.#row = row
    this.#column = column
  }

  #obey(final: string, parameters: string): void {
    const [first = 0, second = 0] = parameters.split(';').map(Number)
    switch (final) {
      case 'm':
        for (const code of parameters.split(';').map(Number)) this.#setStyle(code)
        break
      case 'A':
        this.#moveTo(Math.max(0, this.#row - (first || 1)), this.#column)
        break
      case 'C':
        this.#column += first || 1
        break
      case 'D':
        this.#column = Math.max(0, this.#column - (first || 1))
        break
      case 'G':
        this.#column = (first || 1) - 1
        break
      case 'H':
        this.#moveTo((first || 1) - 1, (second || 1) - 1)
        break
      case 'K':
        if (first === 0) this.#lines[this.#row]?.splice(this.#column)
        else this.#lines[this.#row] = []
        break
      case 'J':
        if (first === 2) this.#lines = this.#lines.map(() => [])
        else {
          this.#lines[this.#row]?.splice(this.#column)
          this.#lines.splice(this.#row + 1)
        }
        break
      default:
        // Modes, such as a hidden cursor, change no text.
        break
    }
  }

  #setStyle(code: number): void {
    if (code === 0) this.#styles = []
    else if (code === 22) this.#styles = this.#styles.filter((one) => one !== 1 && one !== 2)
    else if (code === 23 || code === 24)
      this.#styles = this.#styles.filter((one) => one !== code - 20)
    else if (code === 39) this.#styles = this.#styles.filter((one) => one < 30)
    else this.#styles = [...this.#styles, code]
  }

  #style(): string {
    const one = (code: number) =>
      styles[code] ?? (code >= 30 && code < 38 ? `color:${colours[code - 30]}` : '')
    return this.#styles.map(one).join(';')
  }
}

function escape(character: string): string {
  return character === '<' ? '&lt;' : character === '&' ? '&amp;' : character
}
