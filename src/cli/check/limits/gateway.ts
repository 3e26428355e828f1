import { checkReplyBytesMax } from '../../../limits.ts'
import { throwIfUntrusted } from '../../service-address.ts'
import { at } from '../rule.ts'
import { causeOf, parse } from '../target.ts'
import type { Observation } from './observation.ts'

const promptText = 'Tell a long story about a small bird.'
/** Time limit for one read of receipts, limits or other facts. */
const factsTimeoutMs = 15_000

export type Ask = {
  phase: string
  url: string
  maxTokens: number
  isStream: boolean
  idempotencyKey?: string
  /** Number of pieces of text after which to hang up; 0 hangs up before the response begins. */
  hangUpAfter?: number
}

type GatewayOptions = {
  key: string
  model: string
  timeoutMs: number
  /** Aborts all requests when the time for the check is over. */
  signal: AbortSignal
  onSeen: (seen: Observation) => void
}

/** Sends the requests of an attack and records an observation of each. */
export class Gateway {
  readonly seen: Observation[] = []
  readonly #options: GatewayOptions

  constructor(options: GatewayOptions) {
    this.#options = options
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  get promptBytes(): number {
    return Buffer.byteLength(promptText)
  }

  /**
   * Sends one request. The result describes a failure.
   * @throws StartError only if the gateway's certificate is not trusted
   */
  async send(ask: Ask): Promise<Observation> {
    const leaving = new AbortController()
    const draft = newObservation(ask)
    try {
      const signals = [
        leaving.signal,
        this.#options.signal,
        AbortSignal.timeout(this.#options.timeoutMs),
      ]
      const sending = this.#fetch(ask, AbortSignal.any(signals))
      if (ask.hangUpAfter === 0) setTimeout(() => leaving.abort(), hangUpMs)
      await readReply(await sending, draft, () => {
        if (ask.hangUpAfter !== undefined && draft.deltas >= ask.hangUpAfter) leaving.abort()
      })
    } catch (error) {
      throwIfUntrusted(ask.url, error)
      draft.error ??= causeOf(error)
      // The gateway may have begun a request whose response we did not see.
      draft.ending = draft.status === undefined && !leaving.signal.aborted ? 'failed' : 'cut'
    }
    draft.endMs = performance.now()
    this.seen.push(draft)
    this.#options.onSeen(draft)
    return draft
  }

  /**
   * Reads JSON about limits or usage from the gateway. Returns undefined unless the response is JSON with status 200.
   */
  async read(url: string, path: string, key = this.#options.key): Promise<unknown> {
    try {
      const response = await fetch(url + path, {
        headers: { authorization: `Bearer ${key}` },
        redirect: 'error',
        signal: AbortSignal.timeout(factsTimeoutMs),
      })
      const text = await response.text()
      return response.status === 200 ? (JSON.parse(text) as unknown) : undefined
    } catch {
      return undefined
    }
  }

  #fetch(
    { url, maxTokens, isStream, idempotencyKey }: Ask,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.#options.key}`,
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    }
    const body = {
      model: this.#options.model,
      messages: [{ role: 'user', content: promptText }],
      max_tokens: maxTokens,
      ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
    }
    const path = `${url}/v1/chat/completions`
    return fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })
  }
}

/** Delay before an early hang-up: long enough for the request to arrive, but mostly too short for a first token. */
const hangUpMs = 3

function newObservation({ url, phase, maxTokens, isStream, idempotencyKey }: Ask): Observation {
  const nowMs = performance.now()
  return {
    url,
    phase,
    sentMs: nowMs,
    firstMs: undefined,
    lastMs: undefined,
    endMs: nowMs,
    ending: 'failed',
    status: undefined,
    requestId: undefined,
    replyId: undefined,
    isReplay: false,
    idempotencyKey,
    isStream,
    maxTokens,
    usage: undefined,
    deltas: 0,
    error: undefined,
  }
}

async function readReply(
  response: Response,
  draft: Observation,
  onDelta: () => void,
): Promise<void> {
  draft.status = response.status
  draft.requestId =
    response.headers.get('x-litellm-call-id') ?? response.headers.get('x-request-id') ?? undefined
  draft.isReplay = response.headers.get('idempotency-replayed') === 'true'
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  let text = ''
  let bytes = 0
  let isDone = false
  const decoder = new TextDecoder()
  const read = (part: string) => {
    text += part
    if (!isEvents) return
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) isDone = readLine(line.trimEnd(), draft, onDelta) || isDone
  }
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > checkReplyBytesMax) throw new Error(`more than ${checkReplyBytesMax} bytes`)
    read(decoder.decode(part, { stream: true }))
  }
  if (isEvents) draft.ending = isDone && draft.error === undefined ? 'whole' : 'cut'
  else readWhole(text, draft)
}

/** Reads one line of a stream. Returns true at the end of the stream. */
function readLine(line: string, draft: Observation, onDelta: () => void): boolean {
  if (!line.startsWith('data:')) return false
  const payload = line.slice('data:'.length).trim()
  if (payload === '[DONE]') return true
  const chunk = parse(payload)
  readFacts(chunk, draft)
  const delta = at(chunk, 'choices', 0, 'delta', 'content')
  if (typeof delta !== 'string' || delta === '') return false
  draft.deltas += 1
  draft.lastMs = performance.now()
  draft.firstMs ??= draft.lastMs
  onDelta()
  return false
}

function readWhole(text: string, draft: Observation): void {
  const reply = parse(text)
  readFacts(reply, draft)
  const status = draft.status ?? 0
  const isRefusal = status >= 400 && status < 500
  draft.ending = status >= 200 && status < 300 ? 'whole' : isRefusal ? 'refused' : 'failed'
  if (at(reply, 'choices', 0) === undefined && draft.ending === 'whole') draft.ending = 'failed'
}

function readFacts(reply: unknown, draft: Observation): void {
  const [id, message] = [at(reply, 'id'), at(reply, 'error', 'message')]
  if (typeof id === 'string') draft.replyId ??= id
  if (typeof message === 'string') draft.error = message
  const [prompt, completion] = [
    at(reply, 'usage', 'prompt_tokens'),
    at(reply, 'usage', 'completion_tokens'),
  ]
  if (typeof prompt === 'number' && typeof completion === 'number')
    draft.usage = { prompt, completion }
}
