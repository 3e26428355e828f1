import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import type { Logprobs } from '../../../src/protocol/chat/logprobs.ts'
import type { FinishReason, Usage } from '../../../src/protocol/chat/usage.ts'
import type { Settings } from './settings.ts'
import { addCallDeltas, type ToolCall } from './tools/tool-calls.ts'

/** The reply to one request so far. Times count from when the request was sent. */
export type Reply = Readonly<{
  outcome: Outcome
  format: ReplyFormat
  choices: readonly Choice[]
  requestId: string | undefined
  /** The `system_fingerprint`, which names the weights, the chat template and the build of the engine. */
  fingerprint: string | undefined
  usage: Usage | undefined
  firstTokenMs: number | undefined
  elapsedMs: number
  /** The number of deltas with text. Estimates the token count until `usage` arrives. */
  deltas: number
}>
/** The response format of the request. `schema` is empty if any JSON is valid. */
export type ReplyFormat = Readonly<{ isJson: boolean; schema: string }>
export type Outcome =
  | { state: 'running' }
  | { state: 'completed' }
  | { state: 'stopped' }
  /** The partial reply is kept. */
  | { state: 'failed'; message: string }
export type Choice = Readonly<{
  text: string
  /** The model's thinking before the text, if any. */
  thought?: string
  /** Tool calls, if any. */
  toolCalls?: readonly ToolCall[]
  finishReason: FinishReason | undefined
  logprobs: Logprobs['content']
}>

export const newReply: Reply = {
  outcome: { state: 'running' },
  format: { isJson: false, schema: '' },
  choices: [],
  requestId: undefined,
  fingerprint: undefined,
  usage: undefined,
  firstTokenMs: undefined,
  elapsedMs: 0,
  deltas: 0,
}

/** Returns an empty reply, which keeps the format that is asked for. The settings may change while it is shown. */
export function startReply(settings: Settings): Reply {
  return { ...newReply, format: formatOf(settings) }
}

export function formatOf({ format, schema }: Settings): ReplyFormat {
  return { isJson: format !== '', schema: format === 'json_schema' ? schema : '' }
}

const newChoice: Choice = { text: '', finishReason: undefined, logprobs: [] }

export function addChunk(reply: Reply, chunk: ChatCompletionChunk, elapsedMs: number): Reply {
  const choices = [...reply.choices]
  let deltas = reply.deltas
  for (const { index, delta, logprobs, finish_reason: finishReason } of chunk.choices) {
    const choice = choices[index] ?? newChoice
    const content = delta.content ?? ''
    const thought = (choice.thought ?? '') + (delta.reasoning_content ?? '')
    const { tool_calls: calls } = delta
    if (content !== '' || delta.reasoning_content !== undefined || calls !== undefined) deltas++
    const toolCalls =
      calls === undefined ? choice.toolCalls : addCallDeltas(choice.toolCalls ?? [], calls)
    choices[index] = {
      text: choice.text + content,
      ...(thought !== '' && { thought }),
      ...(toolCalls !== undefined && { toolCalls }),
      finishReason: finishReason ?? choice.finishReason,
      logprobs: logprobs == null ? choice.logprobs : [...choice.logprobs, ...logprobs.content],
    }
  }
  return {
    ...reply,
    // Chunks of a later choice may arrive before those of an earlier one.
    choices: Array.from(choices, (choice) => choice ?? newChoice),
    deltas,
    fingerprint: chunk.system_fingerprint,
    usage: chunk.usage ?? reply.usage,
    firstTokenMs: reply.firstTokenMs ?? (deltas > 0 ? elapsedMs : undefined),
    elapsedMs,
  }
}

/** Returns whether the conversation can continue with this reply. */
export function hasText({ choices }: Reply): boolean {
  return choices.some(({ text, toolCalls = [] }) => text !== '' || toolCalls.length > 0)
}
