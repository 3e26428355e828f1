import type { CompletionServices } from '../../completions/completion-services.ts'
import type { CompletionEvent, CompletionHead } from '../../completions/completion.ts'
import { type AdmittedRequest, runCompletion } from '../../completions/run-completion.ts'
import { type Run, runOnce } from '../../completions/run-once.ts'
import { withLeasedEngine } from '../../completions/admission/lease-engine.ts'
import { readToolCalls, type ToolCallEvent } from '../../completions/tool-call-reader.ts'
import { genericToolForm, toolFormOf } from '../../engine/tool-forms/detect-tool-form.ts'
import type { ChatCompletion, ChatCompletionChunk } from '../../protocol/chat/chat-completion.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import {
  createChatCompletion,
  createChatCompletionAlias,
  withCompletionTokens,
} from '../../protocol/operations/chat.ts'
import { passOnTrace } from '../../telemetry/tracing/tracer.ts'
import type { EventStream } from '../reply/event-stream.ts'
import { type ApiOperation, type HeaderSetter, operation, type RequestFacts } from '../operation.ts'
import { abortOnHangUp, onceClosed } from '../request/hang-up.ts'
import { endUserOf } from '../request/end-user.ts'
import { idempotencyKeyOf } from '../request/idempotency-key.ts'
import { requestTimeoutMsOf } from '../request/request-timeout.ts'
import { type ChatRequest, parseChatRequest } from '../wire/chat/parse-chat-request.ts'
import { randomHex } from '../random-hex.ts'
import { type ChatInput, chatSettings, nameIgnored } from './chat-input.ts'
import { streamCompletion } from './stream-completion.ts'
import { wholeCompletion } from './whole-completion.ts'
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
 * Answers with one completion, or with the stream of its chunks. Not async: an async function would keep the body,
 * which may be large, in memory after it has been read.
 */
export function complete(
  services: CompletionServices,
  input: ChatInput<typeof createChatCompletion>,
): Promise<CompletionResult> {
  const { request, reply, place } = input
  request.asksForStream = input.body.stream === true
  const timeoutMs = requestTimeoutMsOf(request.headers, request.asksForStream)
  const control = abortOnHangUp(reply.raw)
  const leasing = { place, control, timeoutMs }
  return withLeasedEngine(services, leasing, (leased) => completeWith(leased, input, leasing))
}

function completeWith(
  services: CompletionServices,
  { body, request, reply, caller, place }: ChatInput<typeof createChatCompletion>,
  { control, timeoutMs }: { control: AbortController; timeoutMs: number | undefined },
): Promise<CompletionResult> {
  const chat = parseChatRequest(body, chatSettings(services), seedOf(body))
  nameIgnored(reply, chat.ignoredParameters)
  if (!chat.stream && chat.generation.topLogprobs !== undefined)
    onceClosed(reply.raw, () => place.endReply())
  const route = request.routeOptions.url ?? ''
  const spec = { requestId: request.id, model: modelId, route, ...chat }
  const expectations = { endUser: endUserOf(request, body), timeoutMs }
  const trace = request.trace ?? passOnTrace(request.headers['traceparent'])
  const admitted = { caller, place, control, expectations, trace }
  const head = newHead(services)
  const key = idempotencyKeyOf(request.headers)
  if (key !== undefined) {
    const run = runOnce(services, admitted, { spec, head }, { key, body })
    return answerOnce(services, admitted, chat, run, { request, reply })
  }
  const events = runCompletion(services, admitted, spec)
  request.isRunning = true
  return answer(services, chat, { head, events }, admitted)
}

/**
 * Answers with the stored reply of an earlier request with the same idempotency key. If there is none, answers with
 * this request's own reply.
 */
async function answerOnce(
  services: CompletionServices,
  admitted: AdmittedRequest,
  chat: ChatRequest,
  running: Promise<Run>,
  { request, reply }: { request: RequestFacts; reply: HeaderSetter<'idempotency-replayed'> },
): Promise<CompletionResult> {
  const run = await running
  if (run.isReplay) reply.header('idempotency-replayed', 'true')
  else request.isRunning = true
  return await answer(services, chat, run, admitted)
}

type CompletionResult = ChatCompletion | EventStream<ChatCompletionChunk>

/** Separates the tool calls from the text, if tools may be called. A kept reply may be of another model. */
function readCalls(
  { engine }: CompletionServices,
  { generation: { format } }: ChatRequest,
  { head, events }: { head: CompletionHead; events: Events<CompletionEvent> },
): Events<ToolCallEvent> {
  if (format?.type !== 'tools') return events
  const form = toolFormOf(head.toolForm ?? engine.info.dialect.toolForm)
  return readToolCalls(events, form, format)
}

type Events<Event> = AsyncIterableIterator<Event, void, void>

async function answer(
  services: CompletionServices,
  chat: ChatRequest,
  run: Pick<Run, 'head' | 'events'>,
  admitted: AdmittedRequest,
): Promise<CompletionResult> {
  const { head } = run
  const events = readCalls(services, chat, run)
  return chat.stream
    ? await streamCompletion(chat, head, events, admitted)
    : await wholeCompletion(events, {
        head,
        count: chat.choices,
        withLogprobs: chat.generation.topLogprobs !== undefined,
      })
}

/** Returns the seed of a request; a random one of 48 bits if it has none, or -1 as in llama-server and vLLM. */
function seedOf(body: ChatCompletionRequest): number {
  const seed = body.seed ?? -1
  return seed === -1 ? Number.parseInt(randomHex(6), 16) : seed
}

function newHead({ engine, now }: CompletionServices): CompletionHead {
  return {
    id: `chatcmpl-${randomHex(16)}`,
    created: unixSeconds(now()),
    model: modelId,
    fingerprint: engine.info.fingerprint,
    toolForm: engine.info.dialect.toolForm ?? genericToolForm,
  }
}
