import { createHash } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import type { ChatMessage, Prompt } from '../engine.ts'
import { type ReplyFormat, schemaError } from '../reply-format.ts'
import type { ChildMessage, ParentMessage, RefusalReason } from './ipc.ts'

/** One conversation that waits to be rendered and tokenised by the engine process. */
export class PendingPrepare {
  /** For the engine process and, if that crashes, for the next one. */
  readonly message: Extract<ParentMessage, { type: 'prepare' }>
  /** True once the current engine process has it. */
  isSent = false
  readonly #result = Promise.withResolvers<Prompt>()
  readonly prompt: Promise<Prompt> = this.#result.promise

  constructor(id: number, messages: readonly ChatMessage[], format: ReplyFormat | undefined) {
    this.message = { type: 'prepare', id, messages, format }
  }

  /** Identifies the conversation and the format, for the quarantine. */
  fingerprint(): string {
    const { messages, format } = this.message
    return createHash('sha256')
      .update(JSON.stringify([messages, format]))
      .digest('base64')
  }

  resolve(prompt: Prompt): void {
    this.#result.resolve(prompt)
  }

  refuse({ reason, message, path }: Extract<ChildMessage, { type: 'refused' }>): void {
    this.fail(refusalError(reason, message, path))
  }

  fail(error: unknown): void {
    this.#result.reject(error)
  }
}

function refusalError(reason: RefusalReason, message: string, path: string): ServiceError {
  switch (reason) {
    case 'conversation':
      return new ServiceError(
        'invalid_value',
        `The model's chat template refuses this conversation: ${message}`,
        { param: 'messages' },
      )
    case 'schema':
      return schemaError({ path, message })
    case 'engine':
      return new ServiceError(
        'engine_failed',
        'The engine could not read this conversation. Try again.',
        {
          cause: new Error(message),
        },
      )
  }
}
