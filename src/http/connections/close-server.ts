import type { FastifyInstance } from 'fastify'
import { connectionsGraceMs } from '../../limits.ts'
import type { Connections } from './connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The open connections of the server. */
    connections: Connections
  }
}

/**
 * Closes the server. Clients that are receiving a response get the rest of the grace period to read it. Other connections
 * are cut earlier, because some clients keep unused ones open or never send the rest of a request.
 * @param leftMs time left of the grace period in ms
 * @param cutMs time in ms after which other connections are cut. It is also the shortest time to read a response
 */
export async function closeServer(
  app: Pick<FastifyInstance, 'close' | 'connections' | 'server'>,
  leftMs: number,
  cutMs = connectionsGraceMs,
): Promise<void> {
  // More than once, because the connection of a response that has been read may stay open.
  const cutting = setInterval(() => app.connections.closeUnanswered(), cutMs)
  const end = setTimeout(() => app.server.closeAllConnections(), Math.max(leftMs, cutMs))
  try {
    await app.close()
  } finally {
    clearInterval(cutting)
    clearTimeout(end)
  }
}
