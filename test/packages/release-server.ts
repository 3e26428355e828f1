import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** Serves the files of a folder on a free port of this machine, until `close`. */
export async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    const file = join(folder, new URL(request.url ?? '', 'http://localhost').pathname)
    if (!existsSync(file)) response.writeHead(404).end()
    else {
      response.writeHead(200, { 'content-length': statSync(file).size })
      createReadStream(file).pipe(response)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, close }
}
