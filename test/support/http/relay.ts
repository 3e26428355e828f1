import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Forwards connections to a service that may end and start again on another port. A restart on the same port could
 * fail, because another program may have taken it.
 */
export class Relay {
  readonly #server = createServer((client) => this.#pass(client))
  readonly #sockets = new Set<Socket>()
  #port = 0
  /** Connections that were cut because there was no service to forward them to. */
  refused = 0

  static async start(target: { url: string }): Promise<Relay> {
    const relay = new Relay()
    relay.passTo(target)
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve))
    return relay
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Forwards new connections to this service. */
  passTo({ url }: { url: string }): void {
    this.#port = Number(new URL(url).port)
  }

  /** Cuts all connections, and new ones until the next `passTo`. */
  cut(): void {
    this.#port = 0
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #pass(client: Socket): void {
    if (this.#port === 0) {
      this.refused += 1
      return void client.destroy()
    }
    const service = connect(this.#port, '127.0.0.1')
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }
}
