import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import type { Logprobs } from '../../../src/protocol/chat/logprobs.ts'
import type { FinishReason, Usage } from '../../../src/protocol/chat/usage.ts'

/** What one request got so far; times count from when it was sent. */
export type Reply = Readonly<{
  outcome: Outcome
  choices: readonly Choice[]
  requestId: string | undefined
  usage: Usage | undefined
  firstTokenMs: number | undefined
  elapsedMs: number
  /** Events with text: about the tokens so far, exact counts come with the usage. */
  pieces: number
}>
export type Outcome =
  | { state: 'running' }
  | { state: 'completed' }
  | { state: 'stopped' }
  /** What arrived stays. */
  | { state: 'failed'; message: string }
export type Choice = Readonly<{
  text: string
  finishReason: FinishReason | undefined
  logprobs: Logprobs['content']
}>

export const newReply: Reply = {
  outcome: { state: 'running' },
  choices: [],
  requestId: undefined,
  usage: undefined,
  firstTokenMs: undefined,
  elapsedMs: 0,
  pieces: 0,
}

const newChoice: Choice = { text: '', finishReason: undefined, logprobs: [] }

export function addChunk(reply: Reply, chunk: ChatCompletionChunk, elapsedMs: number): Reply {
  const choices = [...reply.choices]
  let pieces = reply.pieces
  for (const { index, delta, logprobs, finish_reason: finishReason } of chunk.choices) {
    const choice = choices[index] ?? newChoice
    const content = delta.content ?? ''
    if (content !== '') pieces++
    choices[index] = {
      text: choice.text + content,
      finishReason: finishReason ?? choice.finishReason,
      logprobs: logprobs == null ? choice.logprobs : [...choice.logprobs, ...logprobs.content],
    }
  }
  return {
    ...reply,
    // A later choice may have begun before an earlier one.
    choices: Array.from(choices, (choice) => choice ?? newChoice),
    pieces,
    usage: chunk.usage ?? reply.usage,
    firstTokenMs: reply.firstTokenMs ?? (pieces > 0 ? elapsedMs : undefined),
    elapsedMs,
  }
}

/** Of the reply without its prompt; undefined before there is a rate. */
export function tokensPerSecond(reply: Reply): number | undefined {
  if (reply.firstTokenMs === undefined) return undefined
  const tokens = (reply.usage?.completion_tokens ?? reply.pieces) - 1
  const seconds = (reply.elapsedMs - reply.firstTokenMs) / 1000
  return tokens > 0 && seconds > 0 ? tokens / seconds : undefined
}

/** Whether the conversation can go on with it. */
export function hasText({ choices }: Reply): boolean {
  return choices.some(({ text }) => text !== '')
}
