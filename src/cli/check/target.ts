import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../errors.ts'
import { checkReplyBytesMax } from '../../limits.ts'
import { throwIfUntrusted } from '../service-address.ts'

/** A response of the service; `json` is undefined if the body is not JSON. */
export type Reply = {
  status: number
  headers: Headers
  text: string
  json: unknown
}

export type Ask = {
  method?: string
  path?: string
  /** Strings are sent as they are, other values as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** Null sends no `Authorization` header. */
  key?: string | null
}

/** A service may say that a retry is possible at once. */
const retryMsMin = 100

/** `base` ends with neither `/v1` nor a slash. */
type TargetOptions = { base: string; key: string; model: string; timeoutMs: number }

/** The service under test. */
export class Target {
  readonly model: string
  readonly key: string
  readonly #base: string
  readonly #timeoutMs: number
  readonly #kept = new Map<string, Reply>()

  constructor({ base, key, model, timeoutMs }: TargetOptions) {
    this.model = model
    this.#base = base
    this.key = key
    this.#timeoutMs = timeoutMs
  }

  /** Sends a chat request with one user message. `fields` change the body; undefined removes a field. */
  chat(fields: Record<string, unknown> = {}, ask: Omit<Ask, 'body'> = {}): Promise<Reply> {
    const accept = fields['stream'] === true ? { accept: 'text/event-stream' } : {}
    return this.ask({ ...ask, headers: { ...accept, ...ask.headers }, body: this.body(fields) })
  }

  /**
   * Returns the response to a chat request. Each distinct request is sent only once per run, so that several rules can
   * check the same response. A request that was refused is sent again.
   */
  async keptChat(fields: Record<string, unknown> = {}): Promise<Reply> {
    const name = JSON.stringify(fields)
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const reply = await this.chat(fields)
    if (isSuccess(reply)) this.#kept.set(name, reply)
    return reply
  }

  body(fields: Record<string, unknown>): Record<string, unknown> {
    const messages = [{ role: 'user', content: 'Hello! Who are you?' }]
    return { model: this.model, messages, max_tokens: 24, temperature: 0, ...fields }
  }

  /**
   * Sends a request. While the service has no room for it, sends it again after the time that the service names.
   * @throws Error with a readable message if there is no response
   * @throws StartError if its certificate is not trusted, or if there is no room within the time limit of one reply:
   *   then nothing can be said of the service
   */
  async ask(ask: Ask): Promise<Reply> {
    const endMs = performance.now() + this.#timeoutMs
    for (;;) {
      const reply = await this.#send(ask)
      // A request without a key, such as one for its health, may report a state.
      if (ask.key === null || !hasNoRoom(reply)) return reply
      const waitMs = retryAfterMs(reply)
      if (performance.now() + waitMs > endMs) throw this.#noRoom(reply)
      await delay(waitMs)
    }
  }

  #noRoom({ status, text }: Reply): StartError {
    return new StartError(
      `${this.#base} refuses further requests (status ${status}, ${startOf(text)}). Give a key with more room, or a ` +
        'longer --timeout.',
    )
  }

  async #send({
    method = 'POST',
    path = '/v1/chat/completions',
    body,
    headers,
    key,
  }: Ask): Promise<Reply> {
    const sent = new Headers(headers)
    if (key !== null) sent.set('authorization', `Bearer ${key ?? this.key}`)
    if (body !== undefined && !sent.has('content-type'))
      sent.set('content-type', 'application/json')
    const response = await fetch(this.#base + path, {
      method,
      headers: sent,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(this.#timeoutMs),
    }).catch((error: Error) => {
      throwIfUntrusted(this.#base, error)
      throw new Error(`no reply: ${causeOf(error)}`)
    })
    const text = await readText(response)
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

  /** Disconnects from a stream after its first bytes. */
  async leaveStream(): Promise<void> {
    const leaving = new AbortController()
    const response = await fetch(`${this.#base}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(this.body({ stream: true, max_tokens: 2048, temperature: 1 })),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(this.#timeoutMs)]),
    })
    await response.body?.getReader().read()
    leaving.abort()
  }

  /**
   * Checks that the service responds and accepts the key.
   * @throws StartError
   */
  async checkReachable(): Promise<void> {
    const reply = await this.keptChat().catch((error: Error) => {
      if (error instanceof StartError) throw error
      throw new StartError(`${this.#base}: ${error.message}. Is the service running?`)
    })
    if (reply.status === 401 || reply.status === 403)
      throw new StartError(
        `${this.#base} rejects this key (status ${reply.status}). Give a valid one with --key or PIPIT_API_KEY.`,
      )
    if (reply.status === 404)
      throw new StartError(
        `${this.#base} has no /v1/chat/completions or no model ${JSON.stringify(this.model)}. ` +
          'Give the base URL without a path, and the model with --model.',
      )
    if (!isSuccess(reply))
      throw new StartError(
        `${this.#base} does not answer a plain chat request (status ${reply.status}, ${startOf(reply.text)}). ` +
          'See its log, or give another --model.',
      )
  }
}

function startOf(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300
}

function hasNoRoom({ status }: Reply): boolean {
  return status === 429 || status === 503
}

/** Returns the time until a retry may succeed, by default a second. */
function retryAfterMs({ headers }: Reply): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? 1000 : Math.max(ms, retryMsMin)
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > checkReplyBytesMax) throw new Error(`more than ${checkReplyBytesMax} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw new Error(`incomplete reply: ${causeOf(error)}`, { cause: error })
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses JSON; returns undefined for any other text. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the message of the error that made a request fail. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
