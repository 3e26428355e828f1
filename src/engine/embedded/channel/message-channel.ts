import type { Duplex } from 'node:stream'
import { deserialize, serialize } from 'node:v8'

/** Size of the length field in front of each message. */
const headerBytes = 4

type MessageListener = {
  onMessage(message: unknown): void
  /** Called once, with a clause that says why no further message can be read. */
  onFault(cause: string): void
}

/**
 * Messages over a stream, each with its length in front. Node's own IPC channel is not used: a child that sends
 * malformed data would crash its parent, and a message would have no maximum size.
 */
export class MessageChannel {
  readonly #stream: Duplex
  readonly #messageBytesMax: number
  readonly #listener: MessageListener
  #chunks: Buffer[] = []
  #bytes = 0
  /** Bytes of the next message with its header, or of the header alone while the length is unknown. */
  #wantedBytes = headerBytes
  #isFaulty = false

  /** @param messageBytesMax size of the largest message that is read */
  constructor(stream: Duplex, messageBytesMax: number, listener: MessageListener) {
    this.#stream = stream
    this.#messageBytesMax = messageBytesMax
    this.#listener = listener
    stream.on('data', (chunk: Buffer) => this.#receive(chunk))
    // The other process has ended, which is noticed elsewhere.
    stream.on('error', () => {})
  }

  /** Sends a message. It is lost if the other process ends. */
  send(message: unknown): void {
    if (!this.#stream.writable) return
    const content = serialize(message)
    const header = Buffer.allocUnsafe(headerBytes)
    header.writeUInt32BE(content.length)
    this.#stream.cork()
    this.#stream.write(header)
    this.#stream.write(content)
    this.#stream.uncork()
  }

  /** Resolves when everything sent has been handed to the system; nothing can be sent afterwards. */
  end(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()))
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes >= this.#wantedBytes && !this.#isFaulty) {
      const bytes = this.#joined()
      if (this.#wantedBytes === headerBytes) this.#readLength(bytes)
      else this.#takeMessage(bytes)
    }
  }

  #joined(): Buffer {
    const [first] = this.#chunks
    if (first !== undefined && this.#chunks.length === 1) return first
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = [bytes]
    return bytes
  }

  #readLength(bytes: Buffer): void {
    const length = bytes.readUInt32BE(0)
    if (length === 0 || length > this.#messageBytesMax)
      this.#fail(`it sent a message of ${length} bytes`)
    else this.#wantedBytes = headerBytes + length
  }

  #takeMessage(bytes: Buffer): void {
    const content = bytes.subarray(headerBytes, this.#wantedBytes)
    this.#chunks = [bytes.subarray(this.#wantedBytes)]
    this.#bytes -= this.#wantedBytes
    this.#wantedBytes = headerBytes
    let message: unknown
    try {
      message = deserialize(content)
    } catch {
      this.#fail('it sent an unreadable message')
      return
    }
    this.#listener.onMessage(message)
  }

  #fail(cause: string): void {
    this.#isFaulty = true
    this.#chunks = []
    this.#stream.destroy()
    this.#listener.onFault(cause)
  }
}
