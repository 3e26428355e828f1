import { logprobMin, type SampledLogprob, type TokenLogprob } from '../../engine.ts'
import { faultOf, UpstreamFault } from '../upstream-fault.ts'

/** A validated chunk of a streamed reply. */
export type Chunk = {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly CallPart[]
  readonly finish: string | undefined
  readonly logprobs: readonly SampledLogprob[]
  readonly usage: UpstreamUsage | undefined
}

export type CallPart = {
  readonly index: number
  readonly id: string | undefined
  /** Set in the first part of a call. */
  readonly name: string | undefined
  readonly arguments: string
}

/** Token counts reported by the upstream. A count that is not a whole number of 0 or more is undefined. */
export type UpstreamUsage = {
  readonly promptTokens: number | undefined
  readonly completionTokens: number | undefined
  readonly cachedTokens: number | undefined
  readonly reasoningTokens: number | undefined
}

type Members = Readonly<Record<string, unknown>>

/** @throws UpstreamFault if the text is not a chunk of a single choice, or reports an error */
export function readChunk(text: string): Chunk {
  const chunk = membersOf(parse(text))
  if (chunk === undefined) throw broken('a chunk is no object')
  if (chunk['error'] != null) throw faultOfError(chunk['error'])
  const choices = chunk['choices'] ?? []
  if (!Array.isArray(choices) || choices.length > 1) throw broken('a chunk has wrong choices')
  const choice = membersOf(choices[0]) ?? {}
  if ((choice['index'] ?? 0) !== 0) throw broken('a chunk of another choice')
  const delta = membersOf(choice['delta']) ?? {}
  return {
    // Routers may send the model's refusal beside `content: null`. It is all that the caller gets.
    text: textOf(delta['content']) || textOfAny(delta['refusal']),
    reasoning: textOf(delta['reasoning_content'] ?? delta['reasoning']),
    calls: readCalls(delta['tool_calls']),
    finish: textOf(choice['finish_reason']) || undefined,
    logprobs: readLogprobs(membersOf(choice['logprobs'])?.['content']),
    usage: readCounts(membersOf(chunk['usage']), membersOf(chunk['timings'])),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw broken('a chunk is no JSON')
  }
}

/** Returns the fault for an error event inside a stream. The code of the event is treated as an HTTP status. */
function faultOfError(error: unknown): UpstreamFault {
  const members = membersOf(error) ?? {}
  const status = [members['code'], members['status_code']].map(Number).find((code) => code >= 400)
  return faultOf(status ?? 500, textOfAny(members['message']))
}

function readCalls(calls: unknown): CallPart[] {
  if (calls == null) return []
  if (!Array.isArray(calls)) throw broken('tool calls are no list')
  return calls.map((call: unknown, place): CallPart => {
    const members = membersOf(call)
    const called = membersOf(members?.['function'])
    const index = countOf(members?.['index'] ?? place)
    if (called === undefined || index === undefined) throw broken('a tool call is no call')
    return {
      index,
      id: textOfAny(members?.['id']) || undefined,
      name: textOf(called['name']) || undefined,
      arguments: textOf(called['arguments']),
    }
  })
}

/** Reads both forms of counts. Some versions of llama-server report the cached tokens only in the timings. */
function readCounts(
  usage: Members | undefined,
  timings: Members | undefined,
): UpstreamUsage | undefined {
  const running = timings && readTimings(timings)
  if (usage === undefined) return running
  const counts = readUsage(usage)
  return { ...counts, cachedTokens: counts.cachedTokens ?? running?.cachedTokens }
}

function readUsage(usage: Members): UpstreamUsage {
  const ofCompletion = membersOf(usage['completion_tokens_details'])
  return {
    promptTokens: countOf(usage['prompt_tokens']),
    completionTokens: countOf(usage['completion_tokens']),
    cachedTokens: countOf(membersOf(usage['prompt_tokens_details'])?.['cached_tokens']),
    reasoningTokens: countOf(ofCompletion?.['reasoning_tokens'] ?? usage['reasoning_tokens']),
  }
}

/** Reads the running counts of llama-server, whose `prompt_n` excludes cached tokens. */
function readTimings(timings: Members): UpstreamUsage {
  const computed = countOf(timings['prompt_n'])
  const cachedTokens = countOf(timings['cache_n'])
  return {
    promptTokens: computed === undefined ? undefined : computed + (cachedTokens ?? 0),
    completionTokens: countOf(timings['predicted_n']),
    cachedTokens,
    reasoningTokens: undefined,
  }
}

function readLogprobs(content: unknown): SampledLogprob[] {
  if (content == null) return []
  if (!Array.isArray(content)) throw broken('log-probabilities are no list')
  return content.map((entry: unknown) => {
    const top: unknown = membersOf(entry)?.['top_logprobs'] ?? []
    if (!Array.isArray(top)) throw broken('log-probabilities are no list')
    return { ...readLogprob(entry), top: top.slice(0, 21).map(readLogprob) }
  })
}

/**
 * Reads one log-probability. JSON has no infinity, so engines report an impossible token as a large negative number.
 */
function readLogprob(entry: unknown): TokenLogprob {
  const members = membersOf(entry)
  const [text, logprob, listed] = [members?.['token'], members?.['logprob'], members?.['bytes']]
  if (typeof text !== 'string' || typeof logprob !== 'number' || Number.isNaN(logprob))
    throw broken('a log-probability is no number')
  const isBytes = (byte: unknown): byte is number =>
    Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) <= 255
  const bytes = Array.isArray(listed) && listed.every(isBytes) ? listed : [...Buffer.from(text)]
  return { text, bytes, logprob: Math.max(logprobMin, Math.min(0, logprob)) }
}

function membersOf(value: unknown): Members | undefined {
  return isMembers(value) ? value : undefined
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  if (value == null) return ''
  if (typeof value !== 'string') throw broken('a text is no string')
  return value
}

function textOfAny(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function broken(reason: string): UpstreamFault {
  return new UpstreamFault('failed', reason)
}
