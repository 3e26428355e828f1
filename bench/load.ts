import { request as httpRequest, Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Target = { name: string; url: string; key?: string }

export type Reply = {
  /** Time at which the request was sent; in an open loop, at which it was due. */
  startMs: number
  /** Time of the first piece of text; without a stream, of the whole reply. */
  firstMs: number
  endMs: number
  /** Gaps between pieces of text, as the reader sees them. */
  gapsMs: number[]
  promptTokens: number
  /** Prompt tokens from the server's cache; undefined if the server does not report them. */
  cachedTokens: number | undefined
  completionTokens: number
  /** Completion tokens that were accepted from speculation; undefined if the server does not report them. */
  speculativeTokens: number | undefined
  finishReason: string
  text: string
}

type Connections = 'kept' | 'fresh'

/**
 * Sends requests and records their times. Use fresh connections if llama-server is compared, because it closes each
 * connection after a stream.
 */
export class LoadClient {
  readonly name: string
  readonly #target: Target
  readonly #agent: Agent

  constructor(target: Target, connections: Connections) {
    this.name = target.name
    this.#target = target
    this.#agent = new Agent({ keepAlive: connections === 'kept' })
  }

  close(): void {
    this.#agent.destroy()
  }

  async complete(body: object): Promise<Reply> {
    const startMs = performance.now()
    let json = ''
    await this.#post({ ...body, stream: false }, (part) => (json += part))
    const endMs = performance.now()
    const { usage, choices } = JSON.parse(json) as Completion
    const text = choices[0]?.message?.content ?? ''
    return { startMs, firstMs: endMs, endMs, gapsMs: [], text, ...counts({ usage, choices }) }
  }

  async stream(body: object): Promise<Reply> {
    const startMs = performance.now()
    const piecesMs: number[] = []
    let text = ''
    let usage: Usage | null | undefined
    let timings: Timings | undefined
    let finishReason: string | null = null
    let fault: unknown
    const onEvent = ({ choices, usage: counted, timings: timed, error }: Chunk, nowMs: number) => {
      fault ??= error
      timings = timed ?? timings
      const piece = choices[0]?.delta?.content
      if (piece) {
        piecesMs.push(nowMs)
        text += piece
      }
      finishReason = choices[0]?.finish_reason ?? finishReason
      usage = counted ?? usage
    }
    const options = { stream: true, stream_options: { include_usage: true } }
    try {
      await this.#post({ ...body, ...options }, eventReader(onEvent))
    } catch (cause) {
      // A failing stream ends with an error event.
      const why =
        fault === undefined && cause instanceof Error ? cause.message : JSON.stringify(fault)
      throw new Error(`${this.#target.name}: ${why}`, { cause })
    }
    const endMs = performance.now()
    const choices = [{ finish_reason: finishReason }]
    return {
      startMs,
      firstMs: piecesMs[0] ?? endMs,
      endMs,
      gapsMs: piecesMs.slice(1).map((ms, index) => ms - (piecesMs[index] ?? ms)),
      text,
      ...counts({ usage, timings, choices }),
    }
  }

  /** Reads an endless reply until the signal aborts. */
  async watch(body: object, onPiece: (nowMs: number) => void, signal: AbortSignal): Promise<void> {
    const onEvent = ({ choices }: Chunk, nowMs: number) => {
      if (choices[0]?.delta?.content) onPiece(nowMs)
    }
    try {
      await this.#post({ ...body, stream: true }, eventReader(onEvent), signal)
    } catch (cause) {
      if (signal.aborted) return
      throw cause
    }
    throw new Error(`${this.name} ended a reply that was to last`)
  }

  #post(body: object, onText: (text: string) => void, signal?: AbortSignal): Promise<void> {
    const payload = JSON.stringify({ model: 'svc-o1-mini', ...body })
    const { url, key, name } = this.#target
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${url}/v1/chat/completions`,
        { method: 'POST', agent: this.#agent, headers, timeout: silenceMaxMs, signal },
        (response) => {
          let refusal = ''
          response.setEncoding('utf8')
          response.on('data', (text: string) => {
            if (response.statusCode === 200) onText(text)
            else refusal += text
          })
          response.on('error', reject)
          response.on('end', () => {
            if (response.statusCode === 200) resolve()
            else reject(new Error(`${name} answered ${response.statusCode}: ${refusal}`))
          })
        },
      )
      request.on('timeout', () => request.destroy(new Error(`${name} is silent`)))
      request.on('error', reject)
      request.end(payload)
    })
  }
}

/** A peer is silent while it reads sixteen long prompts. */
const silenceMaxMs = 180_000

type Usage = {
  prompt_tokens: number
  completion_tokens: number
  prompt_tokens_details?: { cached_tokens?: number }
}
type Message = { content?: string | null }
type Choice = { delta?: Message; message?: Message; finish_reason?: string | null }
/** Reported by llama-server. */
type Timings = { draft_n_accepted?: number }
type Completion = {
  choices: Choice[]
  usage?: Usage | null | undefined
  timings?: Timings | undefined
}
type Chunk = Completion & { error?: unknown }

function counts({ usage, timings, choices }: Completion) {
  const finishReason = choices[0]?.finish_reason
  if (!usage || !finishReason) throw new Error('a reply without usage or end')
  return {
    promptTokens: usage.prompt_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens,
    completionTokens: usage.completion_tokens,
    speculativeTokens: timings && (timings.draft_n_accepted ?? 0),
    finishReason,
  }
}

/** Parses events and passes on each with the arrival time of its last bytes. */
function eventReader(onEvent: (event: Chunk, nowMs: number) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const nowMs = performance.now()
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (!event.startsWith('data: ') || event === 'data: [DONE]') continue
      onEvent(JSON.parse(event.slice('data: '.length)) as Chunk, nowMs)
    }
  }
}

export type LoadRun = { replies: Reply[]; wallMs: number }

/** Runs a closed loop of `parallel` callers; each sends its next request when the last one has ended. */
export async function runLoad(
  parallel: number,
  until: { count: number } | { durationMs: number },
  send: (index: number) => Promise<Reply | Reply[]>,
): Promise<LoadRun> {
  const replies: Reply[] = []
  const startMs = performance.now()
  let next = 0
  const goesOn = () =>
    'count' in until ? next < until.count : performance.now() - startMs < until.durationMs
  const caller = async () => {
    while (goesOn()) replies.push(...[await send(next++)].flat())
  }
  await Promise.all(Array.from({ length: parallel }, caller))
  return { replies, wallMs: performance.now() - startMs }
}

/**
 * Runs an open loop: requests are sent at fixed times, however many are still running. A reply's `startMs` is the time at
 * which its request was due, so a client that sends late hides no delay.
 */
export async function runOpenLoop(
  perSecond: number,
  durationMs: number,
  send: () => Promise<Reply>,
): Promise<LoadRun & { failures: unknown[] }> {
  const startMs = performance.now()
  const count = Math.round((perSecond * durationMs) / 1000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, async (_, index) => {
      const dueMs = startMs + (index * 1000) / perSecond
      await delay(Math.max(0, dueMs - performance.now()))
      const reply = await send()
      // A timer can be a fraction of a millisecond early.
      return { ...reply, startMs: Math.min(dueMs, reply.startMs) }
    }),
  )
  const wallMs = performance.now() - startMs
  const replies = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  return { replies, wallMs, failures }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}
