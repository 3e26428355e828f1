import type { ChatMessage, PrepareOptions, Prompt } from '../../engine.ts'
import type { ChildMessage, ParentMessage } from '../ipc.ts'
import type { Quarantine } from '../quarantine.ts'
import { quarantinedError } from '../quarantine.ts'
import { PendingPrepare } from './pending-prepare.ts'
import { PrepareLanes } from './prepare-lanes.ts'

type PrepareMessage = Extract<
  ChildMessage,
  { type: 'prepared' | 'refused' | 'tooLong' | 'postponed' | 'cancelled' }
>

/** Conversations that wait here for preparation, and those that the engine process is preparing. */
export class Prepares {
  readonly #send: (message: ParentMessage) => boolean
  readonly #quarantine: Quarantine
  readonly #lanes: PrepareLanes
  /** In order of their arrival. */
  readonly #pending = new Map<number, PendingPrepare>()

  constructor(send: (message: ParentMessage) => boolean, quarantine: Quarantine) {
    this.#send = send
    this.#quarantine = quarantine
    this.#lanes = new PrepareLanes((prepare) => send(prepare.message))
  }

  async prepare(
    id: number,
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    options: PrepareOptions,
  ): Promise<Prompt> {
    signal.throwIfAborted()
    const prepare = new PendingPrepare(id, messages, options)
    if (this.#quarantine.refuses(prepare)) throw quarantinedError()
    const onAbort = (): void => this.#cancel(prepare, signal.reason)
    signal.addEventListener('abort', onAbort)
    try {
      // Throws when the engine is closed.
      this.#lanes.add(prepare)
      this.#pending.set(id, prepare)
      return await prepare.prompt
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  handle(message: PrepareMessage, contextTokens: number): void {
    const prepare = this.#pending.get(message.id)
    if (prepare === undefined) return
    const { isWanted } = prepare
    this.#remove(prepare)
    switch (message.type) {
      case 'prepared':
        prepare.resolve(message.prompt)
        this.#quarantine.clear(prepare)
        break
      case 'refused':
        prepare.refuse(message)
        break
      case 'tooLong':
        prepare.refuseLength(message.tokensMin, contextTokens)
        break
      case 'postponed':
        if (!isWanted) break
        prepare.postpone()
        this.#pending.set(prepare.id, prepare)
        this.#lanes.add(prepare)
        break
      case 'cancelled':
    }
  }

  handleReady(): void {
    this.#lanes.sendAll()
  }

  /**
   * Returns the conversations that the engine process is working on. It prepares small ones one after the other, so
   * only the oldest of them counts.
   */
  inWork(): PendingPrepare[] {
    const threads = [...this.#pending.values()].filter(
      ({ isSent, lane }) => isSent && lane !== 'small',
    )
    return [...this.#oldestSmall(), ...threads]
  }

  /** Returns the conversations that may have kept the engine process from reading messages. */
  inWorkBetweenMessages(): PendingPrepare[] {
    return this.#oldestSmall()
  }

  /** Queues all wanted conversations for the next engine process, and fails those in quarantine. */
  handleExit(): void {
    const pending = [...this.#pending.values()]
    for (const prepare of pending) this.#remove(prepare)
    for (const prepare of pending) {
      if (this.#quarantine.refuses(prepare)) prepare.fail(quarantinedError())
      if (!prepare.isWanted) continue
      this.#pending.set(prepare.id, prepare)
      this.#lanes.add(prepare)
    }
  }

  failAll(error: Error): void {
    for (const prepare of this.#pending.values()) prepare.fail(error)
    this.#pending.clear()
    this.#lanes.clear()
  }

  /** Fails a conversation at once. The next one is sent only when the engine process has given up the failed one. */
  #cancel(prepare: PendingPrepare, reason: unknown): void {
    prepare.fail(reason)
    if (!this.#pending.has(prepare.id)) return
    if (prepare.isSent) this.#send({ type: 'cancel', id: prepare.id })
    else this.#remove(prepare)
  }

  #oldestSmall(): PendingPrepare[] {
    const oldest = [...this.#pending.values()].find(
      ({ isSent, lane }) => isSent && lane === 'small',
    )
    return oldest === undefined ? [] : [oldest]
  }

  #remove(prepare: PendingPrepare): void {
    this.#pending.delete(prepare.id)
    this.#lanes.remove(prepare)
  }
}
