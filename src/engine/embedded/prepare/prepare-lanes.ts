import { quickPreparesMax } from '../../../limits.ts'
import { CallerTurns } from './caller-turns.ts'
import type { Lane, PendingPrepare } from './pending-prepare.ts'

/** Maximum number of conversations of each queue that the engine process has at the same time. */
const sentMax: Readonly<Record<Lane, number>> = {
  small: Infinity,
  schema: quickPreparesMax,
  medium: 1,
  large: 1,
  complex: 1,
}

type Line = { readonly waiting: CallerTurns; readonly sent: Set<number> }

/**
 * Conversations that wait for the engine process, in queues by the work that they cost: a small one never
 * waits behind large ones. In each queue the callers take turns. Conversations survive a crash of that process, and are
 * dropped as soon as their caller leaves.
 */
export class PrepareLanes {
  /** Sends to the engine process; returns false while it is not ready. */
  readonly #send: (prepare: PendingPrepare) => boolean
  readonly #lines: Readonly<Record<Lane, Line>> = {
    small: newLine(),
    schema: newLine(),
    medium: newLine(),
    large: newLine(),
    complex: newLine(),
  }

  constructor(send: (prepare: PendingPrepare) => boolean) {
    this.#send = send
  }

  /** Queues the conversation, and sends it when its turn comes and the limit of its queue allows. */
  add(prepare: PendingPrepare): void {
    this.#lines[prepare.lane].waiting.add(prepare)
    this.#sendNext(prepare.lane)
  }

  /** Forgets a conversation that is done or no longer wanted, and sends the next one of its queue. */
  remove(prepare: PendingPrepare): void {
    prepare.isSent = false
    const { waiting, sent } = this.#lines[prepare.lane]
    waiting.remove(prepare)
    sent.delete(prepare.id)
    this.#sendNext(prepare.lane)
  }

  /** Forgets all conversations; call it when the engine is closed. */
  clear(): void {
    for (const { waiting, sent } of Object.values(this.#lines)) {
      waiting.clear()
      sent.clear()
    }
  }

  /** Sends as many conversations of each queue as allowed; call it when the engine process is ready. */
  sendAll(): void {
    for (const lane of Object.keys(sentMax) as Lane[]) this.#sendNext(lane)
  }

  #sendNext(lane: Lane): void {
    const { waiting, sent } = this.#lines[lane]
    while (sent.size < sentMax[lane]) {
      const prepare = waiting.next()
      if (prepare === undefined || !this.#send(prepare)) return
      prepare.isSent = true
      waiting.take(prepare)
      sent.add(prepare.id)
    }
  }
}

function newLine(): Line {
  return { waiting: new CallerTurns(), sent: new Set() }
}
