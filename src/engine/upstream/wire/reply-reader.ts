import type { GenerationEvent, GenerationRequest } from '../../engine.ts'
import type { ReplyFormat } from '../../reply-format.ts'
import { UpstreamFault } from '../upstream-fault.ts'
import { tokenBytesMax, upstreamContextTokensMax } from '../upstream-limits.ts'
import { type CallPart, type Chunk, readChunk, type UpstreamUsage } from './read-chunk.ts'

type Delta = Extract<GenerationEvent, { type: 'delta' }>
type Finish = Extract<GenerationEvent, { type: 'finish' }>

/** Bytes of text assumed for a token if the upstream reports no count. A chunk may hold several tokens. */
const bytesPerToken = 6

/**
 * Turns the events of an upstream's stream into generation events, and validates them: a reply is complete only with a
 * known finish reason, and token counts stay within `maxTokens`.
 */
export class ReplyReader {
  /** The request as it was sent: its `maxTokens` fit into the context. */
  readonly #request: GenerationRequest
  /** Chunks with content. Each has at least one token. */
  #chunks = 0
  #bytes = 0
  #reasoningTokens = 0
  /** Tokens already reported in deltas. */
  #reported = 0
  #usage: UpstreamUsage | undefined
  /** The upstream's count of prompt tokens that a delta has reported. */
  #promptTokens: number | undefined
  #finish: 'stop' | 'length' | undefined
  #isDone = false
  /** The upstream's number of the open tool call; -1 if there is none. */
  #call = -1
  /** Name of the open call, and its id if the upstream has sent one. */
  #called: Pick<CallPart, 'id' | 'name'> = { id: undefined, name: undefined }
  /** The arguments of the open call. */
  #arguments = ''

  constructor(request: GenerationRequest) {
    this.#request = request
  }

  /** True after `[DONE]`. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Prompt tokens by the upstream's count, or by ours if it has reported none. 0 if no reply has begun. */
  get promptTokens(): number {
    const hasBegun = this.#chunks > 0 || this.#finish !== undefined
    return this.#promptTokens ?? (hasBegun ? this.#request.prompt.tokens.length : 0)
  }

  /** @throws UpstreamFault if a correct engine would not send this */
  push(data: string): Delta | undefined {
    if (data === '[DONE]') {
      this.#isDone = true
      return undefined
    }
    const chunk = readChunk(data)
    const content = this.#content(chunk)
    this.#note(chunk, content + chunk.reasoning)
    this.#noteFinish(chunk.finish)
    return this.#delta(chunk, content)
  }

  /**
   * Returns the last events of a reply whose stream has ended.
   * @throws UpstreamFault if the finish reason, a required tool call or the end of a call's arguments is missing
   */
  end(): [Delta, Finish] {
    if (this.#finish === undefined)
      throw new UpstreamFault('failed', 'the stream ended without a finish reason')
    const { format } = this.#request
    const mustCall = format?.type === 'tools' && format.choice !== 'auto'
    if (mustCall && this.#call === -1 && this.#finish === 'stop')
      throw new UpstreamFault('wrongCalls', 'no tool call, though one was required')
    // A tool call cut off by `max_tokens` is passed on incomplete.
    const isCut = this.#call !== -1 && this.#reachesMax() && !isObject(this.#arguments)
    const text = isCut ? '' : this.#closeCall()
    return [{ ...this.#correction(), text }, this.#finishOf(isCut ? 'length' : this.#finish)]
  }

  /** vLLM streams the finish reason `tool_calls` also for a call that `max_tokens` has cut (vllm#53269). */
  #reachesMax(): boolean {
    return this.#finish === 'length' || this.#validCompletion() === this.#request.maxTokens
  }

  /** Returns the last events of an aborted reply. Its final token count may be an estimate. */
  abort(): [Delta, Finish] {
    return [this.#correction(), this.#finishOf('aborted')]
  }

  /** Returns the text of a chunk, with tool calls encoded in the `structured` tool form. */
  #content({ text, calls }: Chunk): string {
    const { format } = this.#request
    if (format?.type !== 'tools') {
      if (calls.length > 0) throw new UpstreamFault('wrongCalls', 'a tool call without tools')
      return text
    }
    let content = ''
    // Text after the first call is dropped, because our response format has no place for it.
    if (this.#call === -1) content = text.replace(marks, '\ufffd')
    for (const call of calls) {
      if (call.index > this.#call || (call.index === this.#call && this.#isAnother(call))) {
        requireCall(format, call.name, this.#call === -1)
        content += `${this.#closeCall()}${callBegin}${call.name}${callArguments}`
        this.#call = call.index
        this.#called = call
        this.#arguments = ''
      } else if (call.index < this.#call)
        throw new UpstreamFault('wrongCalls', 'tool calls that are mixed up')
      content += call.arguments
      this.#arguments += call.arguments
    }
    return content
  }

  /**
   * Returns true if a part with the number of the open call begins another one. Ollama may give all calls the number 0.
   * Other engines repeat the name, and maybe the id, in each part of a call.
   */
  #isAnother({ id, name }: CallPart): boolean {
    if (name === undefined) return false
    if (name !== this.#called.name) return true
    const text = this.#arguments.trim()
    const hasIds = id !== undefined && this.#called.id !== undefined
    if (hasIds && id === this.#called.id) return false
    if (text === '') return hasIds
    // The second check alone would read all arguments again with each part.
    return text.endsWith('}') && isObject(text)
  }

  /** Returns the text that ends the open call. @throws UpstreamFault if its arguments are not a JSON object */
  #closeCall(): string {
    if (this.#call === -1) return ''
    // Some engines send empty arguments for a tool without parameters.
    if (this.#arguments.trim() === '') return `{}${callEnd}`
    if (isObject(this.#arguments)) return callEnd
    throw new UpstreamFault('wrongCalls', 'the arguments of a call are no JSON object')
  }

  #note({ usage }: Chunk, content: string): void {
    if (usage !== undefined) this.#usage = usage
    if (content === '') return
    if (this.#finish !== undefined)
      throw new UpstreamFault('failed', 'content after the finish reason')
    this.#chunks += 1
    this.#bytes += Buffer.byteLength(content)
    const { maxTokens } = this.#request
    // An upstream's parser of thoughts or calls may split one token into several chunks.
    if (this.#chunks > 4 * maxTokens + 64 || this.#bytes > tokenBytesMax * (maxTokens + 16))
      throw new UpstreamFault('failed', 'the reply does not end at max_tokens')
  }

  #noteFinish(reason: string | undefined): void {
    if (reason === undefined) return
    if (reason === 'content_filter')
      throw new UpstreamFault('filtered', 'the finish reason of a filtered reply')
    // `tool_calls` counts as a stop here. `#closeCall` checks that the calls are complete.
    const known = reason === 'tool_calls' ? 'stop' : reason
    if (known !== 'stop' && known !== 'length')
      throw new UpstreamFault('failed', 'an unknown finish reason')
    if (reason === 'tool_calls' && this.#call === -1)
      throw new UpstreamFault('wrongCalls', 'the finish reason of a call without a call')
    if (this.#finish !== undefined && this.#finish !== known)
      throw new UpstreamFault('failed', 'two finish reasons')
    this.#finish = known
  }

  #delta({ reasoning, logprobs }: Chunk, text: string): Delta | undefined {
    const { topLogprobs } = this.#request
    const tokens = this.#newTokens()
    if (text === '' && reasoning === '' && logprobs.length === 0 && tokens === 0) return undefined
    const isThought = reasoning !== '' && text === ''
    const delta: Delta = { type: 'delta', text, tokens, ...this.#newPromptTokens() }
    if (reasoning !== '') {
      delta.reasoning = reasoning
      if (isThought) {
        delta.reasoningTokens = tokens
        this.#reasoningTokens += tokens
      }
    }
    // Log-probabilities of a thought are left out, because clients match them with the content.
    if (topLogprobs !== undefined && logprobs.length > 0 && !isThought)
      delta.logprobs = logprobs.map((each) => ({ ...each, top: each.top.slice(0, topLogprobs) }))
    return delta
  }

  /** Returns the tokens generated since the previous delta. */
  #newTokens(): number {
    const tokens = Math.max(0, this.#running() - this.#reported)
    this.#reported += tokens
    return tokens
  }

  #running(): number {
    return Math.min(this.#validCompletion() ?? this.#chunks, this.#request.maxTokens)
  }

  /** Returns the tokens of the whole reply: the upstream's count, or an estimate from its chunks and bytes. */
  #completionTokens(): number {
    const counted = Math.max(this.#chunks, Math.ceil(this.#bytes / bytesPerToken))
    return this.#validCompletion() ?? Math.min(counted, this.#request.maxTokens)
  }

  /**
   * Returns the upstream's count if it is plausible. It must not be 0 with content, and may exceed `max_tokens` by at
   * most one (the end-of-turn token).
   */
  #validCompletion(): number | undefined {
    const { maxTokens } = this.#request
    const count = this.#usage?.completionTokens
    if (count === undefined || count > maxTokens + 1 || (count === 0 && this.#chunks > 0))
      return undefined
    return Math.min(count, maxTokens)
  }

  /** Returns a delta without text that adjusts the prompt and reasoning tokens to the upstream's final usage. */
  #correction(): Delta {
    const delta: Delta = { type: 'delta', text: '', tokens: 0, ...this.#newPromptTokens() }
    const completionTokens = this.#completionTokens()
    const reported = this.#usage?.reasoningTokens
    const isValid = reported !== undefined && reported <= completionTokens
    // Our own count has a token for each chunk, so it may exceed the upstream's count of the whole reply.
    const reasoningTokens = isValid ? reported : Math.min(this.#reasoningTokens, completionTokens)
    if (reasoningTokens > 0 || this.#reasoningTokens > 0)
      delta.reasoningTokens = reasoningTokens - this.#reasoningTokens
    return delta
  }

  /**
   * Returns the upstream's prompt token count once. A count of 0 is invalid, because a chat template is never empty.
   */
  #newPromptTokens(): { promptTokens?: number } {
    const count = this.#usage?.promptTokens
    const isValid = count !== undefined && count > 0 && count <= upstreamContextTokensMax
    if (this.#promptTokens !== undefined || !isValid) return {}
    this.#promptTokens = count
    return { promptTokens: count }
  }

  #finishOf(reason: Finish['reason']): Finish {
    return {
      type: 'finish',
      reason,
      completionTokens: this.#completionTokens(),
      // Later usage may report another prompt, so the cached tokens are compared with the one that counts.
      cachedTokens: Math.min(this.#usage?.cachedTokens ?? 0, this.#promptTokens ?? 0),
    }
  }
}

/** @throws UpstreamFault if the request does not allow a call of this name, or a second call */
function requireCall(
  { tools, choice, areParallel }: Extract<ReplyFormat, { type: 'tools' }>,
  called: string | undefined,
  isFirst: boolean,
): void {
  if (!tools.some(({ name }) => name === called))
    throw new UpstreamFault('wrongCalls', 'a call of a tool that does not exist')
  if (typeof choice === 'object' && called !== choice.name)
    throw new UpstreamFault('wrongCalls', 'a call of another tool than the required one')
  if (!isFirst && !areParallel)
    throw new UpstreamFault('wrongCalls', 'a second tool call, though only one was allowed')
}

/** Marks of the `structured` tool form. */
const callBegin = '\ufdd0'
const callArguments = '\ufdd1'
const callEnd = '\ufdd2'
const marks = /[\ufdd0-\ufdd2]/g

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
