import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * A TCP proxy in front of PostgreSQL that can hold the data of both sides without closing a connection. This looks like
 * a network partition that drops packets without a reset, after which TCP retransmits them.
 */
export class HeldConnection {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((client) => this.#join(client))
  #isHeld = false

  private constructor(target: URL) {
    this.#target = target
  }

  /** @param url the URL of the database */
  static async start(url: string): Promise<HeldConnection> {
    const proxy = new HeldConnection(new URL(url))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** The URL of the same database through the proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Forwards nothing until `pass`. */
  hold(): void {
    this.#isHeld = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Forwards nothing on the connections that are open now, as a firewall does that has forgotten them. */
  holdOpenOnes(): void {
    for (const socket of this.#sockets) socket.pause()
  }

  pass(): void {
    this.#isHeld = false
    for (const socket of this.#sockets) socket.resume()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#isHeld) from.pause()
    }
  }
}
