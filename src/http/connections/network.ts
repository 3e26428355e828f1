import type { Connection } from './connection.ts'

/** The open connections of one client address, or of one trusted proxy. */
export class Network {
  readonly key: string
  readonly isTrusted: boolean
  /** Connections by state. In each set, the one that has been in this state the longest comes first. */
  readonly #connections = {
    fresh: new Set<Connection>(),
    idle: new Set<Connection>(),
    busy: new Set<Connection>(),
  }

  constructor(key: string, isTrusted: boolean) {
    this.key = key
    this.isTrusted = isTrusted
  }

  get size(): number {
    return this.#connections.busy.size + this.withoutRequest
  }

  get withoutRequest(): number {
    return this.#connections.fresh.size + this.#connections.idle.size
  }

  *[Symbol.iterator](): Iterator<Connection> {
    const { fresh, idle, busy } = this.#connections
    for (const connections of [fresh, idle, busy]) yield* connections
  }

  add(connection: Connection): void {
    this.#connections[connection.state].add(connection)
  }

  /** Returns false if the connection was not there. */
  delete(connection: Connection): boolean {
    const { fresh, idle, busy } = this.#connections
    return idle.delete(connection) || busy.delete(connection) || fresh.delete(connection)
  }

  /**
   * Returns the connection without a request that should be closed first: the oldest one in the larger of the sets
   * `fresh` and `idle`. In a flood of connections, the larger set holds the flood.
   */
  findWithoutRequest(): Connection | undefined {
    const { fresh, idle } = this.#connections
    for (const connection of fresh.size > idle.size ? fresh : idle) return connection
    return undefined
  }

  /** Returns the oldest connection that waits for its client to send a body or read a response. */
  findStalled(): Connection | undefined {
    for (const connection of this.#connections.busy)
      if (connection.waitsForClient) return connection
    return undefined
  }
}
