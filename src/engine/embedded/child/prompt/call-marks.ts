import { newNonce } from '../new-nonce.ts'

const digits = 2

/**
 * Marks of calls that the service writes into messages. Placeholders stand for them while a template renders, so that
 * the model's tokens are found in these marks, and never in the names and arguments between them.
 */
export class CallMarks {
  readonly #nonce = newNonce()
  readonly #marks: string[] = []

  /** Returns a placeholder for a mark. It consists of digits, which no filter of a template changes. */
  add(mark: string): string {
    if (mark === '') return ''
    if (!this.#marks.includes(mark)) this.#marks.push(mark)
    return this.#nonce + String(this.#marks.indexOf(mark)).padStart(digits, '0')
  }

  /** Splits a rendered text at its placeholders, and puts the marks in their place. */
  split(text: string): { readonly text: string; readonly isMark: boolean }[] {
    const [first = '', ...rest] = text.split(this.#nonce)
    const pieces = rest.flatMap((piece) => [
      { text: this.#marks[Number(piece.slice(0, digits))] ?? '', isMark: true },
      { text: piece.slice(digits), isMark: false },
    ])
    return [{ text: first, isMark: false }, ...pieces].filter((piece) => piece.text !== '')
  }
}
