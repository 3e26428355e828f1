import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort, startServer, type Server } from '../process.ts'

/** What Pipit and its peers are given alike. */
export type ServerSetup = { threads: number; slots: number; contextTokens: number }

export type PeerOptions = {
  name: string
  /** What this benchmark asks of it beyond what it shares with Pipit. */
  flags: readonly string[]
}

/** Where no prompt comes twice its second prompt cache, in host memory, could only cost time. */
export const withoutPromptCache: PeerOptions = {
  name: 'llama-server',
  flags: ['--cache-ram', '0'],
}

/** Its prompt caches on, as they are when nothing is said. */
export const asByDefault: PeerOptions = { name: 'llama-server', flags: [] }

/** Builds the peer at the first call, which takes a while. */
export async function startLlamaServer(
  modelPath: string,
  setup: ServerSetup,
  peer: PeerOptions,
): Promise<Server> {
  const command = llamaProgram('llama-server')
  const port = await freePort()
  const args = [...llamaServerFlags(setup, peer), '-m', modelPath, '--port', String(port)]
  return startServer({ name: peer.name, command, args, port, readyPath: '/health' })
}

/** A program of the peer's build. */
export function llamaProgram(name: 'llama-server' | 'llama-bench'): string {
  const build = fileURLToPath(new URL('llama-server.sh', import.meta.url))
  const server = execFileSync(build, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim()
  return server.replace(/llama-server$/, name)
}

/** Continuous batching and one slot per caller are its defaults' way. */
export function llamaServerFlags(setup: ServerSetup, peer: PeerOptions): string[] {
  const { threads, slots, contextTokens } = setup
  return [
    ['--host', '127.0.0.1'],
    ['--threads', threads, '--threads-batch', threads],
    ['--parallel', slots, '--ctx-size', slots * contextTokens],
    ['--cont-batching', '--no-ui', '--no-slots', ...peer.flags, '--log-verbosity', 1],
  ]
    .flat()
    .map(String)
}
