import { createHash } from 'node:crypto'
import { contextLengthExceeded, ServiceError } from '../../../errors.ts'
import {
  grammarQuickWorkMax,
  grammarWorkMax,
  largePromptCharsMin,
  smallPromptCharsMax,
  smallPromptMessagesMax,
} from '../../../limits.ts'
import type {
  ChatMessage,
  PrepareOptions,
  Prompt,
  PromptCaller,
  TemplateVariables,
} from '../../engine.ts'
import { type ReplyFormat, schemaError } from '../../reply-format.ts'
import type { ChildMessage, ParentMessage, RefusalReason } from '../ipc.ts'

/**
 * The queue in which a conversation waits. `small`: prepared at once; `schema`: small, with a schema; `medium` and
 * `large`: by number of characters; `complex`: with a schema that a first attempt could not compile.
 */
export type Lane = 'small' | 'schema' | 'medium' | 'large' | 'complex'

/** One conversation that waits to be rendered and tokenised by the engine process. */
export class PendingPrepare {
  /** Message for the engine process and, if that crashes, for the next one. */
  message: Extract<ParentMessage, { type: 'prepare' }>
  lane: Lane
  readonly caller: PromptCaller
  /** True while the current engine process works on it. */
  isSent = false
  /** False once it has failed, for example because its caller left. */
  isWanted = true
  readonly #result = Promise.withResolvers<Prompt>()
  readonly prompt: Promise<Prompt> = this.#result.promise

  constructor(
    id: number,
    messages: readonly ChatMessage[],
    { caller = noCaller, format, variables, mustFit = false, isPlain, withTexts }: PrepareOptions,
  ) {
    const chars = charsOf(messages, format, variables)
    const isSmall =
      chars <= smallPromptCharsMax &&
      messages.length <= smallPromptMessagesMax &&
      !mayTokenizeSlowly(messages)
    const workMax = grammarQuickWorkMax
    const work = { format, variables, isSmall, mustFit, workMax, isPlain, withTexts }
    this.message = { type: 'prepare', id, messages, ...work }
    this.lane = laneOf(isSmall, chars, format !== undefined)
    this.caller = caller
  }

  get id(): number {
    return this.message.id
  }

  /** Returns a hash of the conversation and the format, for the quarantine. */
  fingerprint(): string {
    const { messages, format, variables } = this.message
    return createHash('sha256')
      .update(JSON.stringify([messages, format, variables]))
      .digest('base64')
  }

  /** Moves it to the queue of complex schemas, where compiling its schema may take the maximum work. */
  postpone(): void {
    this.lane = 'complex'
    this.message = { ...this.message, workMax: grammarWorkMax }
  }

  resolve(prompt: Prompt): void {
    this.#result.resolve(prompt)
  }

  refuse({ reason, message, path }: Extract<ChildMessage, { type: 'refused' }>): void {
    this.fail(refusalError(reason, message, reason === 'schema' ? path : this.#param))
  }

  refuseLength(tokensMin: number, contextTokens: number): void {
    this.fail(contextLengthExceeded(`at least ${tokensMin}`, contextTokens, { param: this.#param }))
  }

  get #param(): 'text' | 'messages' {
    return this.message.isPlain === true ? 'text' : 'messages'
  }

  fail(error: unknown): void {
    this.isWanted = false
    this.#result.reject(error)
  }
}

const noCaller: PromptCaller = { accountId: '', keyId: '' }

function laneOf(isSmall: boolean, chars: number, hasFormat: boolean): Lane {
  if (isSmall) return hasFormat ? 'schema' : 'small'
  return chars < largePromptCharsMin ? 'medium' : 'large'
}

/** Returns true for rows of characters for which some tokenizers take time quadratic in their length. */
function mayTokenizeSlowly(messages: readonly ChatMessage[]): boolean {
  return messages.some(({ content, reasoning = '', toolCalls = [] }) =>
    [content, reasoning, ...toolCalls.map((call) => call.arguments)].some((text) =>
      /\s{256}|\d{256}/.test(text),
    ),
  )
}

/** Characters that a template may write around a call or a tool, at least about. */
const charsAround = 64

/** Counts the characters that are rendered. */
function charsOf(
  messages: readonly ChatMessage[],
  format: ReplyFormat | undefined,
  variables: TemplateVariables = {},
): number {
  let chars = 0
  for (const { content, reasoning = '', toolCalls = [] } of messages) {
    chars += content.length + reasoning.length
    for (const call of toolCalls)
      chars += call.id.length + call.name.length + call.arguments.length + charsAround
  }
  for (const value of Object.values(variables)) if (typeof value === 'string') chars += value.length
  if (format?.type !== 'tools') return chars
  for (const { name, description = '', parameters = '' } of format.tools)
    chars += name.length + description.length + parameters.length + charsAround
  return chars
}

function refusalError(reason: RefusalReason, message: string, param: string): ServiceError {
  switch (reason) {
    case 'conversation':
      return new ServiceError(
        'invalid_value',
        `The model cannot read this conversation: ${message}`,
        { param },
      )
    case 'schema':
      return schemaError({ path: param, message })
    case 'busy':
      return new ServiceError(
        'overloaded',
        'The machine was too busy to read this request. Try again in a moment.',
        { retryAfterMs: 2000, cause: new Error(message) },
      )
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
