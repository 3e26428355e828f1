import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { ServeProcess } from '../process.ts'

/** Time between two readiness checks. */
const checkMs = 100

type Backend = { readonly url: string; isReady: boolean }

/**
 * An HTTP proxy in front of replicas. Like a load balancer, it checks the readiness of each replica periodically and
 * sends no request to one that is not ready. It keeps connections open and never repeats a request.
 */
export class LoadBalancer {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #server = createServer((incoming, response) => this.#forward(incoming, response))
  readonly #backends: Backend[] = []
  readonly #timer = setInterval(() => void this.#checkAll(), checkMs)
  #turn = 0
  /** Requests that were not forwarded whole, with the reason. */
  readonly faults: string[] = []

  static async start(): Promise<LoadBalancer> {
    const balancer = new LoadBalancer()
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve))
    return balancer
  }

  get ready(): readonly string[] {
    return this.#backends.filter(({ isReady }) => isReady).map(({ url }) => url)
  }

  /** Adds a replica, which gets requests once a check has found it ready. */
  add({ url }: Pick<ServeProcess, 'url'>): void {
    this.#backends.push({ url, isReady: false })
  }

  /** Sends a chat completion request to one of the ready replicas. */
  post(body: object, { key, signal }: { key?: string; signal?: AbortSignal } = {}) {
    const { port } = this.#server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#agent.destroy()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #checkAll(): Promise<void> {
    await Promise.all(this.#backends.map((backend) => this.#check(backend)))
  }

  async #check(backend: Backend): Promise<void> {
    try {
      const signal = AbortSignal.timeout(5000)
      const reply = await fetch(`${backend.url}/readyz`, {
        headers: { connection: 'close' },
        signal,
      })
      await reply.arrayBuffer()
      backend.isReady = reply.status === 200
    } catch {
      backend.isReady = false
    }
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { ready } = this
    const url = ready[this.#turn++ % ready.length]
    if (url === undefined) return this.#fail(response, 'no replica is ready')
    const { method, headers } = incoming
    const options = { method, headers: { ...headers, connection: 'keep-alive' } }
    const outgoing = request(`${url}${incoming.url}`, { ...options, agent: this.#agent })
    outgoing.on('response', (reply) => {
      const { connection: _, 'keep-alive': __, ...kept } = reply.headers
      response.writeHead(reply.statusCode ?? 502, kept)
      pipeline(reply, response, (error) => {
        if (error != null) this.faults.push(`the response was cut: ${error.message}`)
      })
    })
    outgoing.on('error', (error) => this.#fail(response, error.message))
    incoming.pipe(outgoing)
  }

  #fail(response: ServerResponse, reason: string): void {
    this.faults.push(reason)
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  }
}
