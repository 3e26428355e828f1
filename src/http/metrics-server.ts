import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import { StartError } from '../errors.ts'
import { metricsConnectionsMax } from '../limits.ts'
import { Connections } from './connections/connections.ts'
import { createHttpServer } from './connections/http-server.ts'
import type { IsAllowedHost } from './origin/allowed-hosts.ts'

type MetricsServer = {
  /** @throws StartError when `fixed` is set and the port is taken; otherwise another port is used */
  listen(options: { port: number; fixed: boolean }): Promise<number>
  close(): Promise<void>
}

const foreignHost =
  'Metrics are not served under this host name. Use an IP address, or add the name to PIPIT_ALLOWED_HOSTS.\n'

/** Serves `/metrics` on its own loopback port: metrics are for the operator, not for callers. */
export function createMetricsServer(
  registry: Registry,
  isAllowedHost: IsAllowedHost,
): MetricsServer {
  const connections = new Connections({
    connectionsMax: metricsConnectionsMax,
    perAddressMax: metricsConnectionsMax,
    isTrustedProxy: () => false,
  })
  const server = createHttpServer(connections, (request, response) => {
    if (!isAllowedHost(request.headers.host ?? '')) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(foreignHost)
      return
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return {
    async listen({ port, fixed }) {
      try {
        return await listenOn(server, port)
      } catch (error) {
        if (fixed)
          throw new StartError(
            `PIPIT_METRICS_PORT: port ${port} cannot be opened on 127.0.0.1 (${errorCode(error)}).`,
          )
        return await listenOn(server, 0)
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
      else reject(new Error('the metrics server has no port'))
    })
  })
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
