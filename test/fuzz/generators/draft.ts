/** A request before it has a key: lines of headers and the bytes of the body. */
export type Draft = {
  readonly requestLine?: string
  /** Header lines beside `Host`, `Authorization` and `Connection`. Default: the usual ones for `body`. */
  readonly headers?: readonly string[]
  readonly body: string | Buffer
}

export function toBytes({ requestLine, headers, body }: Draft, key: string): Buffer {
  const bytes = Buffer.from(body)
  const lines = [
    requestLine ?? 'POST /v1/chat/completions HTTP/1.1',
    'Host: fuzz',
    `Authorization: Bearer ${key}`,
    'Connection: close',
    ...(headers ?? ['Content-Type: application/json', `Content-Length: ${bytes.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}
