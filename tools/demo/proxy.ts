import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

const bodyBytesMax = 2 ** 20
const replyMs = 60_000

/**
 * Starts a plain proxy in front of several services. It sends requests to the services in turn. If a service does not
 * listen, the request goes to the next one.
 * @param urls returns the current services
 */
export async function startProxy(urls: () => readonly string[]) {
  const agent = new Agent({ keepAlive: false })
  let turn = 0
  const server = createServer((request, response) => {
    void forward(request, response).catch(() => response.destroy())
  })
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    const fronts = urls()
    for (let attempt = 0; attempt < fronts.length; attempt++) {
      const front = fronts[turn++ % fronts.length]
      const answer = await send(`${front}${request.url}`, request, body).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return undefined
        throw error
      })
      if (answer === undefined) continue
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      // If the service's response breaks off, the caller's response must break off too.
      answer.once('close', () => answer.complete || response.destroy())
      response.once('close', () => answer.destroy())
      answer.pipe(response)
      return
    }
    response.writeHead(503).end()
  }
  const send = (url: string, { method, headers }: IncomingMessage, body: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, headers, agent, timeout: replyMs }
      const sent = httpRequest(url, options, resolve).once('error', reject)
      sent.once('timeout', () => sent.destroy(new Error('no reply in time')))
      sent.end(body)
    })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > bodyBytesMax) throw new Error('the body is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
