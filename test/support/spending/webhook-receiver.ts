import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** Starts a receiver of webhooks that responds with `receiver.status` and keeps the requests it receives. */
export async function startWebhookReceiver() {
  const received: Received[] = []
  const receiver = { status: 204, held: Promise.resolve() }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      void receiver.held.then(() =>
        response.writeHead(receiver.status, { location: '/elsewhere' }).end(),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
