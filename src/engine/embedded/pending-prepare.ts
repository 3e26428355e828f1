import { createHash } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import type { ChatMessage, Prompt } from '../engine.ts'
import type { ParentMessage, RefusalReason } from './ipc.ts'

/** A conversation that is on its way to become tokens. */
export class PendingPrepare {
  readonly id: number
  /** The engine process of now has it. */
  isSent = false
  readonly #messages: readonly ChatMessage[]
  readonly #prompt = Promise.withResolvers<Prompt>()

  constructor(id: number, messages: readonly ChatMessage[]) {
    this.id = id
    this.#messages = messages
  }

  get prompt(): Promise<Prompt> {
    return this.#prompt.promise
  }

  toMessage(): ParentMessage {
    return { type: 'prepare', id: this.id, messages: this.#messages }
  }

  fingerprint(): string {
    return createHash('sha256').update(JSON.stringify(this.#messages)).digest('base64')
  }

  resolve(prompt: Prompt): void {
    this.#prompt.resolve(prompt)
  }

  refuse(reason: RefusalReason, message: string): void {
    this.fail(
      reason === 'conversation'
        ? new ServiceError(
            'invalid_value',
            `The model's chat template refuses this conversation: ${message}`,
            { param: 'messages' },
          )
        : new ServiceError('engine_failed', 'The engine could not read this conversation.', {
            cause: new Error(message),
          }),
    )
  }

  fail(error: unknown): void {
    this.#prompt.reject(error)
  }
}
