import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../addresses.ts'
import { Connection } from './connection.ts'
import { Network } from './network.ts'

/**
 * Reason to close a connection early. `replaced`: a new connection needed the room. `refused`: there was no room for
 * this new connection. `pipelined`: too many of its requests are unanswered. `unread`: the client does not read a
 * response.
 */
type CutReason = 'replaced' | 'refused' | 'pipelined' | 'unread'

type ConnectionOptions = {
  /** Maximum number of open connections of all clients together. */
  connectionsMax: number
  /** Maximum number of open connections of one IPv4 address, or of one IPv6 /64. */
  perAddressMax: number
  /** The maximum per address does not apply to trusted proxies: each of them has many clients. */
  isTrustedProxy: (address: string) => boolean
  /** Called with the number of open connections after each change. */
  onCount?: (open: number) => void
  onCut?: (reason: CutReason) => void
}

/**
 * The open connections of one server. When a maximum is reached, a new connection replaces one that has no request, or
 * one whose client has stalled. If neither exists, the new connection is refused.
 */
export class Connections {
  readonly #options: ConnectionOptions
  readonly #bySocket = new WeakMap<Socket, { connection: Connection; network: Network }>()
  readonly #networks = new Map<string, Network>()
  #open = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Admits a new connection, or closes it. */
  admit(socket: Socket): void {
    const network = this.#networkFor(socket.remoteAddress ?? '')
    if (this.#hasPlace(network)) this.#add(socket, network)
    else this.#cut(socket, 'refused')
  }

  /** Switches an admitted connection to its TLS socket. */
  secure(admitted: Socket, socket: Socket): void {
    const entry = this.#bySocket.get(admitted)
    if (entry === undefined) return
    entry.connection.socket = socket
    this.#bySocket.set(socket, entry)
  }

  /** Counts a request whose headers have arrived. Closes the connection if too many of its requests are waiting. */
  begin(response: ServerResponse): void {
    const { socket } = response.req
    if (socket.destroyed) return
    const { connection } = this.#bySocket.get(socket) ?? {}
    connection?.begin(response)
    if (connection?.isOverfull) this.#cut(socket, 'pipelined')
  }

  /** Starts the handler of the connection's latest request, once the earlier ones are answered. */
  answerInTurn({ req: { socket } }: ServerResponse, answer: () => void): void {
    if (socket.destroyed) return
    const entry = this.#bySocket.get(socket)
    if (entry === undefined) answer()
    else entry.connection.answerInTurn(answer)
  }

  /** Reports whether part of a response has been written to the socket, but not its end. */
  owesResponse(socket: Socket): boolean {
    return this.#bySocket.get(socket)?.connection.owesResponse ?? false
  }

  /**
   * Handles a socket timeout. Closes the connection if the client has stopped reading, or if all its requests are
   * answered. A request in progress keeps it open.
   */
  handleTimeout(socket: Socket): void {
    if (socket.writableLength > 0) this.#cut(socket, 'unread')
    else if (this.#bySocket.get(socket)?.connection.state === 'idle') socket.destroy()
  }

  /** Closes the connections without a request: none has arrived yet, or all are answered. */
  closeUnused(): void {
    this.#closeWhere(({ state }) => state !== 'busy')
  }

  /** Closes the connections that are not receiving a response. */
  closeUnanswered(): void {
    this.#closeWhere(({ isResponding }) => !isResponding)
  }

  #closeWhere(isUnwanted: (connection: Connection) => boolean): void {
    for (const network of this.#networks.values())
      for (const connection of network) if (isUnwanted(connection)) connection.socket.destroy()
  }

  /** Returns false if a maximum is reached and no connection can be closed. */
  #hasPlace(network: Network): boolean {
    const { connectionsMax, perAddressMax } = this.#options
    if (!network.isTrusted && network.size >= perAddressMax) return this.#cutOneOf([network])
    if (this.#open < connectionsMax) return true
    const networks = [...this.#networks.values()]
    return (
      this.#cutOneOf(networks.filter(({ isTrusted }) => !isTrusted)) || this.#cutOneOf(networks)
    )
  }

  /**
   * Closes a connection without a request, taken from the address with the most of them. If there is none, closes a
   * stalled connection.
   */
  #cutOneOf(networks: readonly Network[]): boolean {
    let most = networks[0]
    for (const network of networks)
      if (network.withoutRequest > (most?.withoutRequest ?? 0)) most = network
    const connection = most?.findWithoutRequest() ?? findStalled(networks)
    if (connection !== undefined) this.#cut(connection.socket, 'replaced')
    return connection !== undefined
  }

  #networkFor(address: string): Network {
    const isTrusted = this.#options.isTrustedProxy(address)
    const key = isTrusted ? address : networkOf(address)
    return this.#networks.get(key) ?? new Network(key, isTrusted)
  }

  #add(socket: Socket, network: Network): void {
    const connection = new Connection(socket, () => {
      if (network.delete(connection)) network.add(connection)
    })
    this.#bySocket.set(socket, { connection, network })
    this.#networks.set(network.key, network)
    network.add(connection)
    this.#count(1)
    socket.once('close', () => this.#remove(socket))
  }

  #remove(socket: Socket): void {
    const { connection, network } = this.#bySocket.get(socket) ?? {}
    if (connection === undefined || !network?.delete(connection)) return
    if (network.size === 0) this.#networks.delete(network.key)
    this.#count(-1)
  }

  #count(change: 1 | -1): void {
    this.#open += change
    this.#options.onCount?.(this.#open)
  }

  #cut(socket: Socket, reason: CutReason): void {
    socket.destroy()
    // Frees the connection's place now instead of at the socket's `close` event.
    this.#remove(socket)
    this.#options.onCut?.(reason)
  }
}

function findStalled(networks: readonly Network[]): Connection | undefined {
  for (const network of networks) {
    const connection = network.findStalled()
    if (connection !== undefined) return connection
  }
  return undefined
}
