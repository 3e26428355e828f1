import { connect } from 'node:net'

export type Reply =
  | {
      readonly state: 'complete'
      readonly status: number
      readonly type: string
      readonly body: string
    }
  /** The connection ended before a status, or in the middle of the body. */
  | { readonly state: 'cut'; readonly received: number }
  | { readonly state: 'late' }

/** Sends the bytes of one request on its own connection, and reads the response to its end. */
export function send(url: string, bytes: Buffer, timeoutMs: number): Promise<Reply> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const received: Buffer[] = []
    const timer = setTimeout(() => end({ state: 'late' }), timeoutMs)
    const end = (reply: Reply) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(reply)
    }
    socket.once('connect', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    // After an early refusal the rest of a large body cannot be written, but the response may have arrived.
    socket.on('error', () => end(parseReply(Buffer.concat(received))))
    socket.on('close', () => end(parseReply(Buffer.concat(received))))
  })
}

function parseReply(bytes: Buffer): Reply {
  const text = bytes.toString('utf8')
  const at = text.indexOf('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
  if (at < 0 || Number.isNaN(status)) return { state: 'cut', received: bytes.length }
  const rest = text.slice(at + 4)
  if (status < 200) return parseReply(Buffer.from(rest))
  const head = text.slice(0, at).toLowerCase()
  const type = /^content-type: *([^\r\n;]*)/m.exec(head)?.[1] ?? ''
  const body = /^transfer-encoding: *chunked/m.test(head) ? joinChunks(rest) : rest
  const length = Number(/^content-length: *(\d+)/m.exec(head)?.[1] ?? 0)
  if (body === undefined || Buffer.byteLength(rest) < length)
    return { state: 'cut', received: bytes.length }
  return { state: 'complete', status, type, body }
}

/** Returns undefined if the last chunk is missing. */
function joinChunks(text: string): string | undefined {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (lineEnd < 0 || Number.isNaN(size)) return undefined
    if (size === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return undefined
}
