import { StartError } from '../../errors.ts'
import { checkReplyBytesMax } from '../../limits.ts'

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

/** `base` ends with neither `/v1` nor a slash. */
type TargetOptions = { base: string; key: string; model: string; timeoutMs: number }

/** The service under test. */
export class Target {
  readonly model: string
  readonly #base: string
  readonly #key: string
  readonly #timeoutMs: number
  readonly #kept = new Map<string, Promise<Reply>>()

  constructor({ base, key, model, timeoutMs }: TargetOptions) {
    this.model = model
    this.#base = base
    this.#key = key
    this.#timeoutMs = timeoutMs
  }

  /** Sends a chat request with one user message. `fields` change the body; undefined removes a field. */
  chat(fields: Record<string, unknown> = {}, ask: Omit<Ask, 'body'> = {}): Promise<Reply> {
    return this.ask({ ...ask, body: this.body(fields) })
  }

  /**
   * Returns the response to a chat request. Each distinct request is sent only once per run, so that several rules can
   * check the same response.
   */
  keptChat(fields: Record<string, unknown> = {}): Promise<Reply> {
    const name = JSON.stringify(fields)
    const kept = this.#kept.get(name) ?? this.chat(fields)
    this.#kept.set(name, kept)
    return kept
  }

  body(fields: Record<string, unknown>): Record<string, unknown> {
    const messages = [{ role: 'user', content: 'Hello! Who are you?' }]
    return { model: this.model, messages, max_tokens: 24, temperature: 0, ...fields }
  }

  /** @throws Error with a readable message if there is no response */
  async ask({ method = 'POST', path = '/v1/chat/completions', body, headers, key }: Ask) {
    const sent = new Headers(headers)
    if (key !== null) sent.set('authorization', `Bearer ${key ?? this.#key}`)
    if (body !== undefined && !sent.has('content-type'))
      sent.set('content-type', 'application/json')
    const response = await fetch(this.#base + path, {
      method,
      headers: sent,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(this.#timeoutMs),
    }).catch((error: Error) => {
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
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
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
  }
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
