import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import { findRunningService, type RunningService } from '../../storage/service-file.ts'
import { codeOf, fault, type Finding, note, ok } from './finding.ts'

const answerMs = 5_000

/** Checks the ports of the service, or the service itself if it runs. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const running = findRunningService(config.dataDir)
  if (running !== undefined) return [await checkService(running)]
  return [await checkPort(config), await checkMetricsPort(config)]
}

async function checkService({ url, pid }: RunningService): Promise<Finding> {
  const where = `the service runs at ${url} (process ${pid})`
  try {
    const { status, body } = await get(`${url}/readyz`)
    if (status === 200) return ok('service', where)
    return fault(
      'service',
      `${where}, but is not ready: ${body.slice(0, 200)}`,
      'See its log. If "engine" is false, it is restarting; if "ledger" is false, the disk is full or failing.',
    )
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return fault(
      'service',
      `${where}, but does not answer (${codeOf(cause)}).`,
      'See its log, and restart it.',
    )
  }
}

/**
 * Accepts any certificate, as the health check of the image does. The lock of the data directory proves whose service
 * this is, and its certificate is often for a public name and not for the address that it listens on.
 */
function get(url: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(answerMs),
    }
    const request = url.startsWith('https:') ? httpsRequest : httpRequest
    request(url, options, (response) => {
      const status = response.statusCode
      text(response).then((body) => resolve({ status, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const code = await tryToListen(host, port)
  if (code === undefined) return ok('port', `${host}:${port} is free`)
  if (code === 'EADDRINUSE')
    return fault(
      'port',
      `Port ${port} on ${host} is in use by another program.`,
      `Stop that program (\`ss -ltnp 'sport = ${port}'\` names it), or set PIPIT_PORT to another port.`,
    )
  if (code === 'EACCES')
    return fault(
      'port',
      `Port ${port} is only for the administrator.`,
      'Set PIPIT_PORT to a port above 1023, and put a reverse proxy in front.',
    )
  return fault(
    'port',
    `${host}:${port} cannot be opened (${code}).`,
    'Set PIPIT_HOST to an address of this machine, such as 127.0.0.1.',
  )
}

async function checkMetricsPort({ metrics: { port, fixed } }: Config): Promise<Finding> {
  const code = await tryToListen('127.0.0.1', port)
  if (code === undefined) return ok('metrics', `127.0.0.1:${port} is free`)
  if (!fixed) return note('metrics', `port ${port} is in use: the metrics get another one`)
  return fault(
    'metrics',
    `Port ${port} on 127.0.0.1 cannot be opened (${code}).`,
    'Set PIPIT_METRICS_PORT to another port, or leave it out.',
  )
}

/** Tries to open the port. Returns the error code, or undefined if the port can be opened. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error)))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
