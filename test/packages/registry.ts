import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'

type PackedEngine = { readonly facts: PackageFacts; readonly tarball: string }
type PackageFacts = { readonly name: string; readonly version: string }

/** Serves engine packages like an npm registry, on a free port of this machine, until `close`. Other names get 404. */
export async function startRegistry(engines: readonly PackedEngine[]) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const named = engines.find(({ facts }) => facts.name === path)
    const packed = engines.find(({ tarball }) => path === `tarballs/${basename(tarball)}`)
    if (named !== undefined) response.end(JSON.stringify(describe(named, url)))
    else if (packed !== undefined) response.end(readFileSync(packed.tarball))
    else response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, close }
}

function describe({ facts, tarball }: PackedEngine, url: string) {
  const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  const dist = { tarball: `${url}/tarballs/${basename(tarball)}`, integrity: `sha512-${hash}` }
  const { name, version } = facts
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...facts, dist } } }
}
