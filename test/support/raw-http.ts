import { connect, type Socket } from 'node:net'

/** Sends bytes that no HTTP client would send, and returns the status of the first response. */
export function rawStatus(url: string, text: string): Promise<number> {
  const about = JSON.stringify(text.slice(0, 80))
  return new Promise((resolve, reject) => {
    const socket = openSocket(url)
    let reply = ''
    socket.once('connect', () => socket.write(text))
    socket.setTimeout(5000, () => socket.destroy(new Error(`no reply to ${about}`)))
    socket.on('data', (bytes: Buffer) => {
      reply += bytes.toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1]
      if (status === undefined) return
      socket.destroy()
      resolve(Number(status))
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error(`closed without a reply: ${about}`)))
  })
}

/** Sends bytes, and returns all that is received until the connection ends. */
export function rawText(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(url)
    let received = ''
    socket.setTimeout(5000, () => socket.destroy(new Error('the connection does not end')))
    socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
    socket.on('error', reject)
    socket.on('end', () => resolve(received))
    socket.write(text)
  })
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/** Chat requests, each over its own socket, whose bodies are sent later or never. */
export class Uploads {
  readonly #url: string
  readonly #key: string
  readonly #sockets: Socket[] = []

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  /** Sends the headers. */
  begin(headers: Record<string, string | number>, path = '/v1/chat/completions'): Upload {
    const socket = openSocket(this.#url)
    this.#sockets.push(socket)
    const all = {
      host: 'x',
      authorization: `Bearer ${this.#key}`,
      'content-type': 'application/json',
      ...headers,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    return new Upload(socket)
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy()
  }
}

class Upload {
  readonly #socket: Socket
  #received = ''
  #wake: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      this.#received += bytes.toString('latin1')
      this.#wake?.()
    })
  }

  /** Stops reading, until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Received text that `head` has not taken. */
  get received(): string {
    return this.#received
  }

  /** Sends bytes, and resolves once the operating system has taken them. */
  send(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()))
  }

  sendChunk(bytes: Buffer): void {
    this.#socket.write(`${bytes.length.toString(16)}\r\n`)
    this.#socket.write(bytes)
    this.#socket.write('\r\n')
  }

  /** Resolves to the status line and the headers of the next response. */
  async head(): Promise<string> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end >= 0) {
        const head = this.#received.slice(0, end + 4)
        this.#received = this.#received.slice(end + 4)
        return head
      }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
