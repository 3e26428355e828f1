import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Connections of one hostile client. `close` ends all of them. */
export class Flood {
  readonly sockets: Socket[] = []

  /** Opens connections that send `text` and read nothing; waits until the last one is connected. */
  async open(url: string, count: number, text = '', localAddress = '127.0.0.1'): Promise<void> {
    const { hostname, port } = new URL(url)
    for (let i = 0; i < count; i += 1) {
      const socket = connect({ port: Number(port), host: hostname, localAddress })
      this.sockets.push(socket.on('error', () => {}))
      socket.pause()
      if (text !== '') socket.write(text)
      if (i % 100 === 99 || i === count - 1)
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
  }
}

/** A client that sends small requests one after another until `stop`, over one connection or a new one for each. */
export class GoodClient {
  readonly #agent: Agent
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>
  /** Status of each response, or the code of each connection that failed. */
  readonly outcomes: (number | string)[] = []
  /** Time of the slowest response. */
  slowestMs = 0

  readonly #url: string
  readonly #localAddress: string

  constructor(url: string, localAddress: string, { keepAlive }: { keepAlive: boolean }) {
    this.#agent = new Agent({ keepAlive, maxSockets: 1 })
    this.#url = url
    this.#localAddress = localAddress
    this.#ended = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
    this.#agent.destroy()
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const startMs = performance.now()
      this.outcomes.push(await this.#get())
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startMs)
      await delay(10)
    }
  }

  #get(): Promise<number | string> {
    return new Promise((resolve) => {
      const options = { agent: this.#agent, localAddress: this.#localAddress, timeout: 10_000 }
      const sent = request(`${this.#url}/healthz`, options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      sent.once('timeout', () => sent.destroy(new Error('timeout')))
      sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      sent.end()
    })
  }
}
