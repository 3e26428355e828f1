import { randomUUID } from 'node:crypto'
import type { Caller } from '../../accounts/caller.ts'
import type { CompletionServices } from '../../completions/completion-services.ts'
import type {
  CompletionEvent,
  CompletionHead,
  CompletionSpec,
} from '../../completions/completion.ts'
import { type KeptReply, newClaim } from '../../completions/idempotency.ts'
import { runCompletion } from '../../completions/run-completion.ts'
import { readToolCalls, type ToolCallEvent } from '../../completions/tool-call-reader.ts'
import type { ChatCompletion, ChatCompletionChunk } from '../../protocol/chat/chat-completion.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import { modelId } from '../../protocol/model.ts'
import { createChatCompletion, createChatCompletionAlias } from '../../protocol/operations/chat.ts'
import type { Claim } from '../../usage/ledger.ts'
import type { EventStream } from '../reply/event-stream.ts'
import { type ApiOperation, operation, type RequestFacts } from '../operation.ts'
import { abortOnHangUp } from '../request/hang-up.ts'
import { idempotencyKeyOf } from '../request/idempotency-key.ts'
import { collectChoices } from '../wire/chat/collect-choices.ts'
import { toCompletion } from '../wire/chat/to-completion.ts'
import { type ChatRequest, parseChatRequest } from '../wire/parse-chat-request.ts'
import { type ChatInput, nameIgnored } from './chat-input.ts'
import { streamCompletion } from './stream-completion.ts'

/** One operation under two paths (docs/interface.md §4.1). */
export function chatCompletionOperations(services: CompletionServices): ApiOperation[] {
  const chat = { auth: 'api-key', scope: 'chat' } as const
  return [
    operation(createChatCompletion, chat)((input) => complete(services, input)),
    operation(createChatCompletionAlias, chat)((input) => complete(services, input)),
  ]
}

/** Answers with one completion, or with the stream of its chunks. */
export async function complete(
  services: CompletionServices,
  { body, request, reply, caller }: ChatInput<typeof createChatCompletion>,
): Promise<ChatCompletion | EventStream<ChatCompletionChunk>> {
  const chat = parseChatRequest(body)
  nameIgnored(reply, chat.ignoredParameters)
  const control = abortOnHangUp(reply.raw)
  const claim = claimOf(request, body, caller)
  const kept = claim && (await services.idempotency.findReply(claim))
  if (kept !== undefined) reply.header('idempotency-replayed', 'true')
  const head = kept?.head ?? newHead(services)
  const spec: CompletionSpec = {
    requestId: request.id,
    model: modelId,
    route: request.routeOptions.url ?? '',
    once: claim && { claim, head },
    ...chat,
  }
  const plain = kept === undefined ? run(services, caller, spec, control) : replay(kept)
  const events = spec.generation.format?.type === 'tools' ? readToolCalls(plain) : plain
  return chat.stream
    ? await streamCompletion(chat, head, events, control)
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

async function wholeCompletion(
  { choices: count, generation }: ChatRequest,
  head: CompletionHead,
  events: AsyncIterable<ToolCallEvent>,
): Promise<ChatCompletion> {
  const withLogprobs = generation.topLogprobs !== undefined
  const { choices, usage } = await collectChoices(events, count, head.id)
  return toCompletion({ head, choices, usage, withLogprobs })
}
