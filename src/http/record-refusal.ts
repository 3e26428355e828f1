import type { FastifyRequest } from 'fastify'
import type { CompletionServices } from '../completions/completion-services.ts'
import { endingOfRefusal } from '../completions/ending.ts'
import type { Interruption } from '../completions/interruption.ts'
import type { ServiceError } from '../errors.ts'
import { modelId } from '../protocol/chat/model-id.ts'
import { createChatCompletion, createChatCompletionAlias } from '../protocol/operations/chat.ts'
import { playgroundContracts } from '../protocol/operations/panel/playground.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** True once the completion runs. From then on, its settlement records the outcome. */
    isRunning: boolean
    /** True if the caller asked for a stream. Set by the handler, before which `body` becomes undefined. */
    asksForStream: boolean
  }
}

const completionPaths: ReadonlySet<string | undefined> = new Set([
  createChatCompletion.path,
  createChatCompletionAlias.path,
  playgroundContracts.complete.path,
])

/**
 * Records a completion that was refused, or whose client hung up, before it ran, with a receipt. Other requests leave no
 * receipt.
 */
export function recordRefusal(
  { ledger, metrics, now }: Pick<CompletionServices, 'ledger' | 'metrics' | 'now'>,
  request: FastifyRequest,
  error: ServiceError | Interruption,
): void {
  const { id, caller, isRunning, asksForStream, body, routeOptions } = request
  const route = routeOptions.url
  if (caller === null || isRunning || route === undefined || !completionPaths.has(route)) return
  const entry = {
    requestId: id,
    accountId: caller.accountId,
    keyId: caller.keyId,
    model: modelId,
    route,
    stream: asksForStream || hasStream(body),
    promptTokens: 0,
    maxTokens: 0,
    createdMs: now(),
    seed: null,
    fingerprint: null,
    parameters: {},
    ignored: [],
  }
  const usage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 }
  const ending = endingOfRefusal(error)
  metrics.completions.inc({ outcome: ending.outcome })
  ledger.refuse(entry, { ...ending, ...usage })
}

function hasStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'stream' in body && body.stream === true
}
