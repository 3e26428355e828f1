import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Serves the files of a folder on a free port of this machine, until `close`; with a certificate, by https. */
export async function serveFolder(folder: string, pair?: { cert: string; key: string }) {
  const serve: RequestListener = (request, response) => {
    const file = join(folder, new URL(request.url ?? '', 'http://localhost').pathname)
    if (!existsSync(file)) response.writeHead(404).end()
    else {
      response.writeHead(200, { 'content-length': statSync(file).size })
      createReadStream(file).pipe(response)
    }
  }
  const server = pair === undefined ? createServer(serve) : createHttpsServer(pair, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `${pair === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, close }
}
