import { StartError } from '../../errors.ts'
import { chatIdleMs, chatLineCharsMax, chatReplyCharsMax } from '../../limits.ts'
import { commandLine } from '../../paths.ts'
import { keyHint, type ServiceAddress, throwIfUntrusted } from '../service-address.ts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

export type ChatRequest = {
  messages: readonly ChatMessage[]
  /** Additional parameters of the request, such as `temperature`. */
  parameters: Readonly<Record<string, unknown>>
}

type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'thought'; text: string }
  | { type: 'finish'; reason: string }
  | { type: 'usage'; promptTokens: number; completionTokens: number }

/** Calls a service that has OpenAI's interface. Each failure is a StartError with one sentence that says what to do. */
export class ChatClient {
  readonly #address: ServiceAddress
  readonly #key: string | undefined

  constructor(address: ServiceAddress, key: string | undefined) {
    this.#address = address
    this.#key = key
  }

  /**
   * Returns the ids of the service's models. The request also checks the address and the key.
   * @throws StartError
   */
  async models(signal: AbortSignal): Promise<string[]> {
    const response = await this.#send('/v1/models', {}, new Idle(signal))
    const list: unknown = await response.json().catch(() => undefined)
    const models = list !== undefined && isRecord(list) ? list['data'] : undefined
    if (!Array.isArray(models)) throw this.#notAService()
    return models.flatMap((model: unknown) =>
      isRecord(model) && typeof model['id'] === 'string' ? [model['id']] : [],
    )
  }

  /**
   * Streams one reply. When `signal` aborts, throws its reason.
   * @throws StartError
   */
  async *reply(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const { messages, parameters } = request
    const body = { ...parameters, messages, stream: true, stream_options: { include_usage: true } }
    const idle = new Idle(signal)
    const response = await this.#send(
      '/v1/chat/completions',
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      },
      idle,
    )
    let isWhole = false
    let chars = 0
    for await (const payload of this.#payloads(response, idle)) {
      if (payload === '[DONE]') {
        isWhole = true
        break
      }
      for (const event of toEvents(payload)) {
        if (event.type === 'text' || event.type === 'thought') chars += event.text.length
        if (chars > chatReplyCharsMax)
          throw new StartError('The reply is too long. Set max_tokens.')
        yield event
      }
    }
    if (!isWhole) throw brokeOff('its end is missing')
  }

  async *#payloads(response: Response, idle: Idle): AsyncGenerator<string> {
    let rest = ''
    try {
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        idle.restart()
        const lines = (rest + text).split(/\r\n|\n|\r/)
        rest = lines.pop() ?? ''
        if (rest.length > chatLineCharsMax) throw brokeOff('a line is too long')
        for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim()
      }
    } catch (error) {
      if (error instanceof StartError) throw error
      idle.throwIfStopped()
      throw brokeOff(causeOf(error))
    } finally {
      idle.end()
    }
  }

  async #send(path: string, init: RequestInit, idle: Idle): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#key !== undefined) headers.set('authorization', `Bearer ${this.#key}`)
    const { url } = this.#address
    let response: Response
    try {
      response = await fetch(url + path, {
        ...init,
        headers,
        redirect: 'error',
        signal: idle.signal,
      })
    } catch (error) {
      idle.throwIfStopped()
      throwIfUntrusted(url, error)
      throw new StartError(
        `No service answers at ${url} (${causeOf(error)}). Start it with ${startCommand()}, or give its address with --url or PIPIT_BASE_URL.`,
      )
    }
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    idle.end()
    throw this.#refusal(response, messageOf(text))
  }

  #refusal(response: Response, message: string | undefined): StartError {
    const { status } = response
    if (status === 401 || status === 403)
      return new StartError(
        this.#key === undefined
          ? `The service needs an API key. ${keyHint(this.#address)}`
          : `The service refuses this API key (${status}${message === undefined ? '' : `: ${message}`}) ${keyHint(this.#address)}`,
      )
    if (message === undefined)
      return status === 404
        ? this.#notAService()
        : new StartError(`The service answered with status ${status}. See its log.`)
    const seconds = response.headers.get('retry-after')
    const isTimed = /retry|try again/i.test(message) || seconds === null
    return new StartError(isTimed ? message : `${message} Try again in ${seconds} s.`)
  }

  #notAService(): StartError {
    return new StartError(
      `${this.#address.url} is no service of the OpenAI interface. Give a base URL such as http://127.0.0.1:8080.`,
    )
  }
}

/** Aborts a request that has received nothing for too long. */
class Idle {
  readonly #caller: AbortSignal
  readonly #timeout = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(caller: AbortSignal) {
    this.#caller = caller
    this.restart()
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#caller, this.#timeout.signal])
  }

  restart(): void {
    this.end()
    this.#timer = setTimeout(() => this.#timeout.abort(), chatIdleMs)
    this.#timer.unref()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** @throws the reason of the caller's signal, or StartError if the service was silent for too long */
  throwIfStopped(): void {
    this.#caller.throwIfAborted()
    if (this.#timeout.signal.aborted) throw brokeOff(`nothing came for ${chatIdleMs / 60_000} min`)
  }
}

/** @throws StartError if the service sent an error in the stream */
function toEvents(payload: string): ChatEvent[] {
  const chunk = parse(payload)
  if (!isRecord(chunk)) throw brokeOff('a part is not JSON')
  const failure = messageOf(payload)
  if (failure !== undefined) throw new StartError(`The reply broke off: ${failure}`)
  const events: ChatEvent[] = []
  const [choice] = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : []
  if (isRecord(choice)) {
    const { delta, finish_reason: reason } = choice
    const { content, reasoning_content: thought } = isRecord(delta) ? delta : {}
    if (typeof thought === 'string' && thought !== '')
      events.push({ type: 'thought', text: thought })
    if (typeof content === 'string' && content !== '') events.push({ type: 'text', text: content })
    if (typeof reason === 'string') events.push({ type: 'finish', reason })
  }
  const { usage } = chunk
  if (isRecord(usage)) {
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage
    if (typeof promptTokens === 'number' && typeof completionTokens === 'number')
      events.push({ type: 'usage', promptTokens, completionTokens })
  }
  return events
}

function messageOf(text: string): string | undefined {
  const body = parse(text)
  const error = isRecord(body) ? body['error'] : undefined
  const message = isRecord(error) ? error['message'] : error
  return typeof message === 'string' && message !== '' ? message : undefined
}

function brokeOff(why: string): StartError {
  return new StartError(`The reply broke off (${why}). Send it again.`)
}

function startCommand(): string {
  return commandLine === 'pipit' ? '`pipit serve`' : '`npm start`'
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error.message
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
