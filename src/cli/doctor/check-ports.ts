import { createServer } from 'node:net'
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
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerMs) })
    const text = (await response.text()).slice(0, 200)
    if (response.ok) return ok('service', where)
    return fault(
      'service',
      `${where}, but is not ready: ${text}`,
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
