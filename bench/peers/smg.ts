import { freePort, startServer, type Server } from '../process.ts'
import { installFromPypi } from './pypi.ts'

const key = 'sk-bench'

/** Installs smg, SGLang's model gateway, at the first call. @throws Error if it cannot be installed */
export function installSmg(): string {
  return installFromPypi('smg', '1.13.0')
}

/** Starts smg with one API key in front of an OpenAI-compatible server. It has no ledger. */
export async function startSmg(command: string, upstream: Server, core?: number): Promise<Server> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const addresses = ['--host', '127.0.0.1', '--port', String(port), '--worker-urls', upstream.url]
  const metrics = ['--prometheus-host', '127.0.0.1', '--prometheus-port', String(metricsPort)]
  // Otherwise it looks for a tokenizer under the name of the model.
  const others = ['--disable-tokenizer-autoload', '--api-key', key, '--log-level', 'warn']
  const server = await startServer({
    name: 'smg',
    command,
    args: ['launch', ...addresses, ...metrics, ...others],
    port,
    readyPath: '/readiness',
    core,
  })
  return { ...server, key }
}
