import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { StartError } from '../errors.ts'
import { commandLine } from '../paths.ts'

/**
 * Opens the port.
 * @returns the URL under which this machine reaches the service
 * @throws StartError with the setting to change
 */
export async function listen(
  app: FastifyInstance,
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
): Promise<string> {
  try {
    // For `localhost`, Fastify would open a second server on ::1, without the limits of the first.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  } catch (cause) {
    throw new StartError(`Port ${port} on ${host} cannot be opened: ${listenFault(cause)}.`, {
      cause,
    })
  }
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  const name = host === 'localhost' || isAnyAddress(host) ? '127.0.0.1' : host
  const scheme = tls === undefined ? 'http' : 'https'
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${actualPort}`
}

/**
 * Refuses a start that other machines can reach before the first API key exists. A key in any state suffices: a service
 * goes on when its last key expires, so it can also be started again.
 * @throws StartError if other machines can reach the host and no API key exists
 */
export function requireKeyUnlessLoopback(host: string, hasKey: boolean): void {
  if (hasKey || isLoopback(host)) return
  throw new StartError(
    `PIPIT_HOST is ${host}, which others can reach, and there is no API key yet: ` +
      `create one first with \`${commandLine} keys create --name NAME\`.`,
  )
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function listenFault(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  switch (code) {
    case 'EADDRINUSE':
      return 'it is in use; stop the other program or set PIPIT_PORT'
    case 'EACCES':
      return 'this user may not open it; set PIPIT_PORT to 1024 or above'
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address; set PIPIT_HOST'
    default:
      return code === '' ? String(cause) : code
  }
}
