import { hash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/api-keys.ts'
import type { SampledLogprob, TokenLogprob } from '../../engine/engine.ts'
import { type CompletionHead, type KeptReply, newClaim } from '../../completions/idempotency.ts'
import { Interruption } from '../../completions/interruption.ts'
import {
  runCompletion,
  type CompletionEvent,
  type CompletionServices,
  type CompletionSpec,
  type CompletionUsage,
} from '../../completions/run-completion.ts'
import {
  readToolCalls,
  type ToolCallDelta,
  type ToolCallEvent,
} from '../../completions/tool-call-reader.ts'
import type { ErrorCode } from '../../errors.ts'
import { idempotencyKeyCharsMax, streamHeadersDelayMaxMs } from '../../limits.ts'
import {
  ChatCompletionRequest,
  modelId,
  ChatCompletion,
  ChatCompletionChunk,
  type FinishReason,
  type Logprobs,
  type MessageToolCall,
  type Usage,
} from '../../protocol/chat-completion.ts'
import type { Claim } from '../../usage/ledger.ts'
import { toServiceError } from '../error-handler.ts'
import { idempotencyKeyOf } from '../request/idempotency-key.ts'
import { replyHeaders } from '../reply-headers.ts'
import type { ApiRoute } from '../route.ts'
import { SlowReaderError, SseWriter } from '../sse.ts'
import { nameIgnored, parseChatRequest, type ChatRequest } from '../wire/parse-chat-request.ts'

/** Beyond those of its key and its body. */
export const errorsOfGenerations = [
  'unsupported_parameter',
  'unsupported_value',
  'context_length_exceeded',
  'model_not_found',
  'engine_failed',
  'overloaded',
  'model_loading',
  'shutting_down',
  'ledger_unavailable',
  'timeout',
] as const satisfies ErrorCode[]

/** One operation under two paths (interface §4.1). */
export function chatCompletionRoutes(services: CompletionServices): ApiRoute[] {
  return ['/v1/chat/completions', '/v1/chat'].map((url) => ({
    method: 'POST',
    url,
    auth: 'api-key',
    scope: 'chat',
    body: ChatCompletionRequest,
    doc: {
      operationId: url === '/v1/chat' ? 'createChatCompletionAlias' : 'createChatCompletion',
      summary:
        url === '/v1/chat' ? 'A completion, under another name' : 'A completion of a conversation',
      description:
        'One JSON object, or with `stream: true` Server-Sent Events. `[DONE]` and the 200 of a whole ' +
        'reply mean that its usage is on disk. A failure after the 200 of a stream is an event with ' +
        '`error`, without `[DONE]`.',
      replies: {
        200: {
          description: 'The completion, or its chunks.',
          content: { 'application/json': ChatCompletion, 'text/event-stream': ChatCompletionChunk },
          headers: ['x-ignored-parameters', 'idempotency-replayed'],
        },
      },
      parameters: [
        {
          name: 'idempotency-key',
          in: 'header',
          schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyCharsMax },
          description: 'Visible ASCII. A repeat under the same key gets the reply of the first.',
        },
      ],
      errors: [
        ...errorsOfGenerations,
        'idempotency_in_progress',
        'idempotency_mismatch',
        'rate_limit_exceeded',
        'insufficient_quota',
      ],
    },
    handler: (request, reply, caller) => createCompletion(services, request, reply, caller),
  }))
}

/** Answers whoever it is that may ask. */
export async function createCompletion(
  services: CompletionServices,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<ChatCompletion | FastifyReply> {
  const chat = parseChatRequest(request.body)
  nameIgnored(reply, chat)
  const control = new AbortController()
  const onClose = () => control.abort(new Interruption('client_abort'))
  reply.raw.once('close', onClose)
  try {
    const claim = claimOf(request, caller)
    const kept = claim && (await services.idempotency.findReply(claim))
    if (kept !== undefined) reply.header('idempotency-replayed', 'true')
    const head = kept?.head ?? newHead(services)
    const spec: CompletionSpec = {
      requestId: request.id,
      model: modelId,
      route: request.routeOptions.url ?? '',
      once: claim && { claim, head },
      ...chat.generation,
    }
    const told = kept === undefined ? run(services, caller, spec, control) : replay(kept)
    const events = spec.format?.type === 'tools' ? readToolCalls(told) : told
    if (chat.generation.stream)
      return await sendStream(services, request, reply, { head, chat, events, control })
    return await toCompletion(head, chat, events)
  } finally {
    reply.raw.off('close', onClose)
  }
}

/** Both paths are one operation, and so one room for keys. */
function claimOf(request: FastifyRequest, { accountId }: Caller): Claim | undefined {
  const key = idempotencyKeyOf(request)
  return key === undefined ? undefined : newClaim(accountId, 'chat.completions', key, request.body)
}

function run(
  services: CompletionServices,
  caller: Caller,
  spec: CompletionSpec,
  control: AbortController,
): AsyncGenerator<CompletionEvent, void> {
  const events = runCompletion(services, caller, spec, control)
  return spec.once === undefined ? events : services.idempotency.hold(spec.once.claim, events)
}

async function* replay({ events }: KeptReply): AsyncGenerator<CompletionEvent, void, void> {
  yield* events
}

function newHead(services: CompletionServices): CompletionHead {
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(services.now() / 1000),
    model: modelId,
    system_fingerprint: services.engine.info.fingerprint,
  }
}

async function toCompletion(
  head: CompletionHead,
  { generation }: ChatRequest,
  events: AsyncIterable<ToolCallEvent>,
): Promise<ChatCompletion> {
  const choices = Array.from({ length: generation.choices }, newChoice)
  for await (const event of events) {
    if (event.type === 'usage')
      return {
        ...head,
        object: 'chat.completion',
        choices: choices.map(({ content, calls, logprobs, reason }, index) => ({
          index,
          message: {
            role: 'assistant',
            content: content === '' && calls.length > 0 ? null : content,
            refusal: null,
            ...(calls.length > 0 && { tool_calls: calls }),
          },
          logprobs: generation.topLogprobs === undefined ? null : toLogprobs(logprobs),
          finish_reason: reason,
        })),
        usage: toUsage(event.usage),
      }
    const choice = choices[event.index]
    if (choice === undefined) throw new Error('an event of a choice that nobody asked for')
    switch (event.type) {
      case 'delta':
        choice.content += event.text
        for (const call of event.calls ?? []) addToCalls(choice.calls, call, head, event.index)
        choice.logprobs.push(...(event.logprobs ?? []))
        break
      case 'finish':
        choice.reason = event.reason
        break
    }
  }
  throw new Error('the completion ended without its usage')
}

type Choice = {
  content: string
  calls: MessageToolCall[]
  logprobs: SampledLogprob[]
  reason: FinishReason
}

function newChoice(): Choice {
  return { content: '', calls: [], logprobs: [], reason: 'stop' }
}

function addToCalls(
  calls: MessageToolCall[],
  delta: ToolCallDelta,
  head: CompletionHead,
  choice: number,
): void {
  switch (delta.type) {
    case 'call': {
      const id = callId(head, choice, delta.call)
      calls.push({ id, type: 'function', function: { name: delta.name, arguments: '' } })
      break
    }
    case 'arguments': {
      const call = calls[delta.call]
      if (call !== undefined) call.function.arguments += delta.text
    }
  }
}

/** From the completion's, so that a reply that is told again has the same ids. */
function callId({ id }: CompletionHead, choice: number, call: number): string {
  return `call_${hash('sha256', `${id} ${choice} ${call}`, 'hex').slice(0, 24)}`
}

type ChunkDelta = ChatCompletionChunk['choices'][number]['delta']

/** Text and calls, in the order and the shape that clients join them in. */
function toDeltas(
  { index: choice, text, calls = [] }: Extract<ToolCallEvent, { type: 'delta' }>,
  head: CompletionHead,
): ChunkDelta[] {
  const deltas: ChunkDelta[] = text === '' && calls.length > 0 ? [] : [{ content: text }]
  for (const delta of calls) {
    const index = delta.call
    switch (delta.type) {
      case 'call': {
        const id = callId(head, choice, index)
        const named = { name: delta.name, arguments: '' }
        deltas.push({ tool_calls: [{ index, id, type: 'function', function: named }] })
        break
      }
      case 'arguments':
        deltas.push({ tool_calls: [{ index, function: { arguments: delta.text } }] })
    }
  }
  return deltas
}

type Stream = {
  head: CompletionHead
  chat: ChatRequest
  events: AsyncGenerator<ToolCallEvent, void, void>
  control: AbortController
}

async function sendStream(
  { rateLimits }: CompletionServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { head, chat, events, control }: Stream,
): Promise<FastifyReply> {
  const first = events.next()
  // A fault before the first token keeps its own status; a long prefill still gets its headers.
  await Promise.race([first, delay(streamHeadersDelayMaxMs, first)])
  reply.hijack()
  const writer = new SseWriter(reply.raw, {
    ...stringHeaders(reply),
    ...replyHeaders(request, reply, rateLimits),
  })
  const chunk = toChunk(head, chat.includeUsage)
  const indexes = Array.from({ length: chat.generation.choices }, (_, index) => index)
  try {
    for (const index of indexes) await writer.send(chunk(index, { role: 'assistant', content: '' }))
    for (let result = await first; !result.done; result = await events.next()) {
      const event = result.value
      switch (event.type) {
        case 'delta':
          for (const [at, delta] of toDeltas(event, head).entries())
            await writer.send(chunk(event.index, delta, null, at === 0 ? event.logprobs : []))
          break
        case 'finish':
          await writer.send(chunk(event.index, {}, event.reason))
          break
        case 'usage':
          if (chat.includeUsage) await writer.send(usageChunk(head, event.usage))
          break
      }
    }
    writer.done()
  } catch (error) {
    if (error instanceof SlowReaderError) await stop(events, control)
    writer.fail({
      ...toServiceError(error, request).toBody(),
      choices: indexes.map((index) => ({ index, delta: {}, finish_reason: 'error' })),
    })
  }
  return reply
}

/** Lets the generation end in its own order: abort, count, settle. */
async function stop(
  events: AsyncGenerator<ToolCallEvent>,
  control: AbortController,
): Promise<void> {
  control.abort(new Interruption('slow_reader'))
  try {
    while (!(await events.next()).done);
  } catch {
    // The reason of the abort comes back here; it is known.
  }
}

function toChunk(head: CompletionHead, includeUsage: boolean) {
  return (
    index: number,
    delta: ChatCompletionChunk['choices'][number]['delta'],
    reason: FinishReason | null = null,
    logprobs: readonly SampledLogprob[] = [],
  ): ChatCompletionChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [
      {
        index,
        delta,
        logprobs: logprobs.length === 0 ? null : toLogprobs(logprobs),
        finish_reason: reason,
      },
    ],
    ...(includeUsage ? { usage: null } : {}),
  })
}

function toLogprobs(sampled: readonly SampledLogprob[]): Logprobs {
  const describe = ({ text, bytes, logprob }: TokenLogprob) => ({
    token: text,
    // JSON has no infinity; the field writes a token that cannot come so.
    logprob: Math.max(logprob, impossibleLogprob),
    bytes: bytes.length === 0 ? null : [...bytes],
  })
  const content = sampled.map(({ top, ...one }) => ({
    ...describe(one),
    top_logprobs: top.map(describe),
  }))
  return { content, refusal: null }
}

const impossibleLogprob = -9999

function usageChunk(head: CompletionHead, usage: CompletionUsage): ChatCompletionChunk {
  return { ...head, object: 'chat.completion.chunk', choices: [], usage: toUsage(usage) }
}

function toUsage({ promptTokens, cachedTokens, completionTokens }: CompletionUsage): Usage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  }
}

function delay(ms: number, until: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const clear = () => clearTimeout(timer)
    until.then(clear, clear)
  })
}

function stringHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
