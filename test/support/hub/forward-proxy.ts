import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

/** Starts an HTTP proxy for plain requests and CONNECT, which records the hosts that clients ask for. */
export async function startForwardProxy() {
  const hosts: string[] = []
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '')
    hosts.push(url.host)
    const { method, headers } = incoming
    httpRequest(url, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    }).end()
  })
  server.on('connect', ({ url = '' }, socket) => {
    hosts.push(url)
    const [host, port] = url.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
