import { setTimeout as delay } from 'node:timers/promises'
import { slashWords } from './slash-commands.ts'

const fence = '"""'
/** Lines that arrive closer together than this were pasted, and belong to one message. */
const pasteMs = 30
const waitingLinesMax = 100_000

export type Message = { text: string; isCommand: boolean }

/**
 * Joins lines into messages: pasted lines, lines after one that ends with a backslash, and lines between """ marks. Other
 * text is left as it is. A single line that begins with a word such as /help is a command.
 */
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
  async *messages(ended: Promise<void>, onLine: () => void): AsyncGenerator<Message> {
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

  /** Takes the first line and the lines pasted with it. A known command is taken alone: lines may be typed ahead. */
  async #pasted(): Promise<string[]> {
    const [word = ''] = this.#lines[0]?.split(' ') ?? []
    if (!this.isOpen && slashWords.includes(word)) return this.#lines.splice(0, 1)
    for (let seen = 0; seen < this.#lines.length;) {
      seen = this.#lines.length
      await delay(pasteMs)
    }
    return this.#lines.splice(0)
  }

  /** Adds lines to the message. Returns the message if it is now complete and not empty. */
  #add(lines: readonly string[]): Message | undefined {
    let isContinued = false
    for (const [index, line] of lines.entries()) {
      // Only a line that may have been typed opens a block, so that pasted code keeps its marks.
      const isMarked = (this.#inFence || index === 0) && hasMark(line)
      if (isMarked) this.#inFence = !this.#inFence
      isContinued = !this.#inFence && index === lines.length - 1 && line.endsWith('\\')
      this.#message.push(isMarked ? withoutMark(line) : isContinued ? line.slice(0, -1) : line)
    }
    if (this.#inFence || isContinued) return undefined
    const text = this.#message.join('\n').trim()
    const isCommand = this.#message.length === 1 && /^\/[a-z]+(?:\s|$)/.test(text)
    this.clear()
    return text === '' ? undefined : { text, isCommand }
  }
}

/** True for a line that opens or closes a block: it begins or ends with a mark that has no partner on the line. */
function hasMark(line: string): boolean {
  const isOdd = line.split(fence).length % 2 === 0
  return isOdd && (line.startsWith(fence) || line.endsWith(fence))
}

function withoutMark(line: string): string {
  return line.startsWith(fence) ? line.slice(fence.length) : line.slice(0, -fence.length)
}
