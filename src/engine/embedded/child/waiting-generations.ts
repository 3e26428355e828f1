import type { ReplyFormat } from '../../reply-format.ts'
import type { ChildMessage, ParentMessage } from '../ipc.ts'
import type { Generations } from './generations.ts'
import type { Grammars } from './grammars.ts'
import type { Preparer } from './prepare/preparer.ts'

type GenerateMessage = Extract<ParentMessage, { type: 'generate' }>

/** Starts each generation as soon as its grammar is available. Compiles it again if the cache no longer has it. */
export class WaitingGenerations {
  readonly #generations: Generations
  readonly #grammars: Grammars
  readonly #preparer: Pick<Preparer, 'compile'>
  readonly #send: (message: ChildMessage) => void
  readonly #waiting = new Set<number>()

  constructor(
    generations: Generations,
    grammars: Grammars,
    preparer: Pick<Preparer, 'compile'>,
    send: (message: ChildMessage) => void,
  ) {
    this.#generations = generations
    this.#grammars = grammars
    this.#preparer = preparer
    this.#send = send
  }

  start(message: GenerateMessage): void {
    const { format } = message.request
    const grammar = format && this.#grammars.find(format)
    if (format === undefined || grammar !== undefined) this.#start(message, grammar)
    else void this.#startLater(message, format)
  }

  abort(id: number): void {
    if (this.#waiting.delete(id)) {
      const event = { type: 'finish', id, reason: 'aborted', completionTokens: 0 } as const
      this.#send({ type: 'step', events: [event] })
    } else this.#generations.abort(id)
  }

  #start(message: GenerateMessage, grammar: Int32Array | undefined): void {
    const end = this.#generations.start(message, grammar)
    if (end !== undefined) this.#send({ type: 'step', events: [end] })
  }

  async #startLater(message: GenerateMessage, format: ReplyFormat): Promise<void> {
    const { id } = message
    this.#waiting.add(id)
    let grammar: Int32Array
    try {
      grammar = await this.#preparer.compile(format)
    } catch {
      if (this.#waiting.delete(id)) this.#send({ type: 'step', events: [{ type: 'failed', id }] })
      return
    }
    if (this.#waiting.delete(id)) this.#start(message, grammar)
  }
}
