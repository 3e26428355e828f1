import { setTimeout as delay } from 'node:timers/promises'

const fence = '"""'
/** Lines that arrive closer together than this were pasted, and belong to one message. */
const pasteMs = 30
const waitingLinesMax = 100_000

/** Joins lines into messages: pasted lines, lines that end with a backslash, and lines between """ marks. */
export class MessageReader {
  #lines: string[] = []
  #message: string[] = []
  #inFence = false
  #wake: () => void = () => {}

  /** True while a message of several lines is incomplete. */
  get isOpen(): boolean {
    return this.#inFence || this.#message.length > 0
  }

  push(line: string): void {
    if (this.#lines.length < waitingLinesMax) this.#lines.push(line)
    this.#wake()
  }

  /** Drops the lines of the incomplete message. */
  clear(): void {
    this.#message = []
    this.#inFence = false
  }

  /** Returns messages until `ended`. Calls `onLine` after a line that does not complete a message. */
  async *messages(ended: Promise<void>, onLine: () => void): AsyncGenerator<string> {
    let isOver = false
    void ended.then(() => {
      isOver = true
      this.#wake()
    })
    while (!isOver || this.#lines.length > 0) {
      if (this.#lines.length === 0) {
        await new Promise<void>((resolve) => (this.#wake = resolve))
        continue
      }
      const lines = await this.#pasted()
      const whole = this.#add(lines)
      if (whole === undefined) onLine()
      else yield whole
    }
  }

  /** Takes the first line and the lines pasted with it. A command is taken alone. */
  async #pasted(): Promise<string[]> {
    if (this.#lines[0]?.startsWith('/')) return this.#lines.splice(0, 1)
    for (let seen = 0; seen < this.#lines.length;) {
      seen = this.#lines.length
      await delay(pasteMs)
    }
    return this.#lines.splice(0)
  }

  /** Adds lines to the message. Returns the message if it is now complete and not empty. */
  #add(lines: readonly string[]): string | undefined {
    let isContinued = false
    for (const line of lines) {
      const marks = line.split(fence).length - 1
      if (marks % 2 === 1) this.#inFence = !this.#inFence
      isContinued = !this.#inFence && line.endsWith('\\')
      const text = line.replaceAll(fence, '')
      this.#message.push(isContinued ? text.slice(0, -1) : text)
    }
    if (this.#inFence || isContinued) return undefined
    const message = this.#message.join('\n').trim()
    this.clear()
    return message === '' ? undefined : message
  }
}
