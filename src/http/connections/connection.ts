import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipelinedBodyBytesMax, pipelinedRequestsMax } from '../../limits.ts'

/** A request without a complete response. `answer` starts its handler. */
type Turn = { readonly response: ServerResponse; answer: (() => void) | undefined }

/** `fresh`: no request has arrived yet. `idle`: all requests so far are answered. */
type ConnectionState = 'fresh' | 'busy' | 'idle'

/** One open connection. Its requests are answered one after the other, in the order of their arrival. */
export class Connection {
  /** The socket that carries the requests. */
  socket: Socket
  readonly #onState: (connection: Connection) => void
  #state: ConnectionState = 'fresh'
  /** Requests of the connection; the first one is being answered. */
  readonly #turns: Turn[] = []

  /** @param onState called after each change of the state */
  constructor(socket: Socket, onState: (connection: Connection) => void) {
    this.socket = socket
    this.#onState = onState
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Reports whether the headers of the current response have been written, but not its end. */
  get isResponding(): boolean {
    return this.#turns[0]?.response.headersSent ?? false
  }

  /** Reports whether a request has arrived whole, or has part of its response, so that nothing may be written before its end. */
  get owesResponse(): boolean {
    const response = this.#turns[0]?.response
    return response !== undefined && (response.headersSent || response.req.complete)
  }

  /** Reports whether too many requests wait for their turn, or their bodies are too large in total. */
  get isOverfull(): boolean {
    if (this.#turns.length <= 1) return false
    const waiting = this.#turns.slice(1).map(({ response }) => bodyBytes(response.req))
    return (
      waiting.length >= pipelinedRequestsMax ||
      waiting.reduce((sum, bytes) => sum + bytes) > pipelinedBodyBytesMax
    )
  }

  /**
   * Reports whether only the client holds up the current request: it has not sent the whole body, or not read the whole
   * response.
   */
  get waitsForClient(): boolean {
    const response = this.#turns[0]?.response
    return response !== undefined && (response.writableEnded || !response.req.complete)
  }

  /** Counts a request whose headers have arrived. */
  begin(response: ServerResponse): void {
    const turn = { response, answer: undefined }
    this.#turns.push(turn)
    response.on('close', () => this.#end(turn))
    if (this.#turns.length === 1) this.#enter('busy')
  }

  /** Starts the handler of the request that arrived last, once the earlier ones are answered. */
  answerInTurn(answer: () => void): void {
    const last = this.#turns.at(-1)
    if (last === undefined) return
    if (this.#turns.length === 1) answer()
    else last.answer = answer
  }

  #end(turn: Turn): void {
    this.#turns.splice(this.#turns.indexOf(turn), 1)
    const next = this.#turns[0]
    if (next === undefined) this.#enter('idle')
    // After a response with `Connection: close`, the remaining requests stay unanswered.
    else if (this.socket.writable) next.answer?.()
  }

  #enter(state: ConnectionState): void {
    this.#state = state
    this.#onState(this)
  }
}

/** Returns the `Content-Length`, 0 without a body, or Infinity if the length is unknown. */
function bodyBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity
  return Number(headers['content-length'] ?? 0)
}
