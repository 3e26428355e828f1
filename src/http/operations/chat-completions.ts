import { randomUUID } from 'node:crypto'
import type { Caller } from '../../accounts/caller.ts'
import type { CompletionServices } from '../../completions/completion-services.ts'
import type {
  CompletionEvent,
  CompletionHead,
  CompletionSpec,
} from '../../completions/completion.ts'
import { type KeptReply, newClaim } from '../../completions/idempotency.ts'
import { type AdmittedRequest, runCompletion } from '../../completions/run-completion.ts'
import { withLeasedEngine } from '../../completions/admission/lease-engine.ts'
import { readToolCalls, type ToolCallEvent } from '../../completions/tool-call-reader.ts'
import { toolFormOf } from '../../engine/tool-forms/detect-tool-form.ts'
import type { ChatCompletion, ChatCompletionChunk } from '../../protocol/chat/chat-completion.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import { modelId } from '../../protocol/model.ts'
import {
  createChatCompletion,
  createChatCompletionAlias,
  withCompletionTokens,
} from '../../protocol/operations/chat.ts'
import { passOnTrace } from '../../telemetry/tracing/tracer.ts'
import type { Claim } from '../../usage/ledger.ts'
import type { EventStream } from '../reply/event-stream.ts'
import { type ApiOperation, type HeaderSetter, operation, type RequestFacts } from '../operation.ts'
import { abortOnHangUp } from '../request/hang-up.ts'
import { endUserOf } from '../request/end-user.ts'
import { idempotencyKeyOf } from '../request/idempotency-key.ts'
import { requestTimeoutMsOf } from '../request/request-timeout.ts'
import { collectChoices } from '../wire/chat/collect-choices.ts'
import { toCompletion } from '../wire/chat/to-completion.ts'
import { type ChatRequest, parseChatRequest } from '../wire/parse-chat-request.ts'
import { type ChatInput, chatSettings, nameIgnored } from './chat-input.ts'
import { streamCompletion } from './stream-completion.ts'
import { unixSeconds } from '../../usage/utc-periods.ts'

type ChatContract = typeof createChatCompletion | typeof createChatCompletionAlias

/** One operation under two paths (docs/interface.md §4.1). */
export function chatCompletionOperations(services: CompletionServices): ApiOperation[] {
  const chat = { auth: 'api-key', scope: 'chat', takes: 'place' } as const
  const limited = <C extends ChatContract>(contract: C) =>
    withCompletionTokens(contract, services.completionTokens)
  return [
    operation(limited(createChatCompletion), chat)((input) => complete(services, input)),
    operation(limited(createChatCompletionAlias), chat)((input) => complete(services, input)),
  ]
}

/**
 * Answers with one completion, or with the stream of its chunks. It is not async, so that the body, which may be
 * large, is free once it has been read.
 */
export function complete(
  services: CompletionServices,
  input: ChatInput<typeof createChatCompletion>,
): Promise<CompletionResult> {
  const control = abortOnHangUp(input.reply.raw)
  return withLeasedEngine(services, input.place, control.signal, (leased) =>
    completeWith(leased, input, control),
  )
}

function completeWith(
  services: CompletionServices,
  { body, request, reply, caller, place }: ChatInput<typeof createChatCompletion>,
  control: AbortController,
): Promise<CompletionResult> {
  const timeoutMs = requestTimeoutMsOf(request.headers)
  const chat = parseChatRequest(body, chatSettings(services))
  nameIgnored(reply, chat.ignoredParameters)
  const route = request.routeOptions.url ?? ''
  const spec = { requestId: request.id, model: modelId, route, ...chat }
  const claim = claimOf(request, body, caller)
  const expectations = { endUser: endUserOf(request, body), timeoutMs }
  const trace = request.trace ?? passOnTrace(request.headers['traceparent'])
  const admitted = { caller, place, control, expectations, trace }
  if (claim !== undefined)
    return completeOnce(services, admitted, { chat, spec, claim, request, reply })
  const events = readCalls(services, chat, runCompletion(services, admitted, spec))
  request.isRunning = true
  return answer(chat, newHead(services), events, admitted)
}

type CompletionResult = ChatCompletion | EventStream<ChatCompletionChunk>

/** Replays the reply to an earlier request with the same idempotency key, or runs this one. */
async function completeOnce(
  services: CompletionServices,
  admitted: AdmittedRequest,
  { chat, spec, claim, request, reply }: ClaimedRequest,
): Promise<CompletionResult> {
  const { place } = admitted
  const { idempotency } = services
  const kept = await idempotency.findReply(claim)
  if (kept !== undefined) {
    reply.header('idempotency-replayed', 'true')
    place.leave()
    return answer(chat, kept.head, readCalls(services, chat, replay(kept)), admitted)
  }
  const head = newHead(services)
  const events = runCompletion(services, admitted, { ...spec, once: { claim, head } })
  request.isRunning = true
  const held = readCalls(services, chat, idempotency.hold(claim, events))
  return answer(chat, head, held, admitted)
}

type ClaimedRequest = {
  chat: ChatRequest
  spec: CompletionSpec
  claim: Claim
  request: RequestFacts
  reply: HeaderSetter<'idempotency-replayed'>
}

/** Separates the tool calls from the text, if tools may be called. */
function readCalls(
  { engine }: CompletionServices,
  { generation: { format } }: ChatRequest,
  events: Events<CompletionEvent>,
): Events<ToolCallEvent> {
  if (format?.type !== 'tools') return events
  return readToolCalls(events, toolFormOf(engine.info.dialect.toolForm), format.tools)
}

type Events<Event> = AsyncIterableIterator<Event, void, void>

async function answer(
  chat: ChatRequest,
  head: CompletionHead,
  events: Events<ToolCallEvent>,
  admitted: AdmittedRequest,
): Promise<CompletionResult> {
  return chat.stream
    ? await streamCompletion(chat, head, events, admitted)
    : await wholeCompletion(chat, head, events)
}

/** Both paths share one namespace of idempotency keys. */
function claimOf(
  { headers }: RequestFacts,
  body: ChatCompletionRequest,
  { accountId }: Caller,
): Claim | undefined {
  const key = idempotencyKeyOf(headers)
  return key === undefined ? undefined : newClaim(accountId, 'chat.completions', key, body)
}

async function* replay({ events }: KeptReply): AsyncGenerator<CompletionEvent, void, void> {
  yield* events
}

function newHead(services: CompletionServices): CompletionHead {
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: unixSeconds(services.now()),
    model: modelId,
    system_fingerprint: services.engine.info.fingerprint,
  }
}

async function wholeCompletion(
  { choices: count, generation }: ChatRequest,
  head: CompletionHead,
  events: AsyncIterable<ToolCallEvent>,
): Promise<ChatCompletion> {
  const withLogprobs = generation.topLogprobs !== undefined
  const { choices, usage } = await collectChoices(events, count, head.id)
  return toCompletion({ head, choices, usage, withLogprobs })
}
