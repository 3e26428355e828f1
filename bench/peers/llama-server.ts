import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort, startServer, type Server } from '../process.ts'

export type LlamaServerOptions = {
  modelPath: string
  threads: number
  slots: number
  contextTokens: number
}

/** Builds the peer at the first call, which takes a while. */
export async function startLlamaServer(options: LlamaServerOptions): Promise<Server> {
  const build = fileURLToPath(new URL('llama-server.sh', import.meta.url))
  const command = execFileSync(build, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim()
  const port = await freePort()
  const args = [...llamaServerFlags(options), '-m', options.modelPath, '--port', String(port)]
  return startServer({ name: 'llama-server', command, args, port, readyPath: '/health' })
}

/**
 * Continuous batching and one slot per caller are its defaults' way. Its second prompt cache, in
 * host memory, is off: no prompt comes twice here, so that it could only cost time.
 */
export function llamaServerFlags(options: Omit<LlamaServerOptions, 'modelPath'>): string[] {
  const { threads, slots, contextTokens } = options
  return [
    ['--host', '127.0.0.1'],
    ['--threads', threads, '--threads-batch', threads],
    ['--parallel', slots, '--ctx-size', slots * contextTokens],
    ['--cont-batching', '--no-ui', '--no-slots', '--cache-ram', 0, '--log-verbosity', 1],
  ]
    .flat()
    .map(String)
}
