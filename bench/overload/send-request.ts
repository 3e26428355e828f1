import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http'

type Ending =
  /** A whole reply: finish reason, usage and, for a stream, `[DONE]`. */
  | 'whole'
  /** 429 or 503. */
  | 'refused'
  /** The client hung up after `patienceMs`. */
  | 'abandoned'
  /** Any other end. */
  | 'broken'

/** One request as the client saw it. Times are those of the machine's monotonic clock, in ms. */
export type Outcome = {
  /** Time at which it should have been sent. Latency counts from here, so a client that sends late hides no delay. */
  intendedMs: number
  sentMs: number
  /** Time of the first piece of a stream's text. */
  firstMs: number | undefined
  endMs: number
  ending: Ending
  status: number
  requestId: string
  retryAfterMs: number
  promptTokens: number
  completionTokens: number
  isStream: boolean
}

type Sending = {
  url: string
  key: string | undefined
  agent: Agent
  body: object
  intendedMs: number
  /** Time after `intendedMs` at which the client hangs up. */
  patienceMs: number
}

/** Returns the time of the machine's monotonic clock in ms. All processes share this clock. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Sends one request. Never rejects, because every way to end is an outcome. */
export function sendRequest(sending: Sending): Promise<Outcome> {
  const { url, key, agent, body, intendedMs, patienceMs } = sending
  const payload = JSON.stringify(body)
  const reader = new ReplyReader('stream' in body)
  const sentMs = clockMs()
  return new Promise((resolve) => {
    let isAbandoned = false
    const end = (isComplete: boolean) => {
      clearTimeout(timer)
      const ending = isAbandoned ? 'abandoned' : reader.endingOf(isComplete)
      resolve({ intendedMs, sentMs, endMs: clockMs(), ending, ...reader.facts() })
    }
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    }
    const request = httpRequest(
      `${url}/v1/chat/completions`,
      { method: 'POST', agent, headers },
      (response) => {
        reader.begin(response)
        response.setEncoding('utf8')
        response.on('data', (text: string) => reader.add(text))
        response.on('close', () => end(response.complete))
        response.on('error', () => {})
      },
    )
    request.on('error', () => end(false))
    const timer = setTimeout(
      () => {
        isAbandoned = true
        request.destroy()
      },
      Math.max(0, intendedMs + patienceMs - sentMs),
    )
    request.end(payload)
  })
}

/** Buffers a response and parses it only at its end, so that the client uses little processor time. */
class ReplyReader {
  readonly #isStream: boolean
  #status = 0
  #requestId = ''
  #retryAfterMs = 0
  #text = ''
  #firstMs: number | undefined
  #usage: Usage | undefined

  constructor(isStream: boolean) {
    this.#isStream = isStream
  }

  begin({ statusCode = 0, headers }: IncomingMessage): void {
    this.#status = statusCode
    this.#requestId = String(headers['x-request-id'] ?? '')
    this.#retryAfterMs = 1000 * Number(headers['retry-after'] ?? 0)
  }

  add(text: string): void {
    this.#text += text
    if (this.#isStream && this.#firstMs === undefined && /"content": ?"[^"]/.test(this.#text))
      this.#firstMs = clockMs()
  }

  endingOf(isComplete: boolean): Ending {
    if (this.#status === 429 || this.#status === 503) return 'refused'
    // A stream that is refused after waiting in the queue has already sent its headers with status 200.
    if (this.#isStream && /"code": ?"overloaded"/.test(this.#text)) return 'refused'
    if (!isComplete || this.#status !== 200) return 'broken'
    const bodies = this.#isStream ? lastEvents(this.#text) : [this.#text]
    if (bodies === undefined) return 'broken'
    const parsed = bodies.map((body) => JSON.parse(body) as Body)
    this.#usage = parsed.find(({ usage }) => usage)?.usage
    const isFinished = parsed.some(({ choices }) => choices?.[0]?.finish_reason)
    return isFinished && this.#usage !== undefined ? 'whole' : 'broken'
  }

  facts() {
    return {
      status: this.#status,
      requestId: this.#requestId,
      retryAfterMs: this.#retryAfterMs,
      firstMs: this.#firstMs,
      promptTokens: this.#usage?.prompt_tokens ?? 0,
      completionTokens: this.#usage?.completion_tokens ?? 0,
      isStream: this.#isStream,
    }
  }
}

type Usage = { prompt_tokens: number; completion_tokens: number }
type Body = { choices?: { finish_reason?: string | null }[]; usage?: Usage }

/** Returns the last events before `[DONE]`; undefined for a stream without it. */
function lastEvents(text: string): string[] | undefined {
  const lines = text.trimEnd().split('\n').slice(-12)
  if (lines.pop() !== 'data: [DONE]') return undefined
  const data = lines.filter((line) => line.startsWith('data: ')).slice(-3)
  return data.map((line) => line.slice('data: '.length))
}
