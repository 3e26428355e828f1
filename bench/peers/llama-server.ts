import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort, startServer, type Server } from '../process.ts'

/** Settings that Pipit and its peers share. */
export type ServerSetup = { threads: number; slots: number; contextTokens: number }

export type PeerOptions = {
  name: string
  /** Flags that only this peer gets. */
  flags: readonly string[]
}

/** llama-server without its prompt cache in host memory, which costs time and cannot help when no prompt repeats. */
export const withoutPromptCache: PeerOptions = {
  name: 'llama-server',
  flags: ['--cache-ram', '0'],
}

/** llama-server with its default prompt caches. */
export const asByDefault: PeerOptions = { name: 'llama-server', flags: [] }

/** Builds the peer at the first call, which takes about ten minutes, and starts it. */
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

/** Builds the peer if needed and returns the path of one of its programs. */
export function llamaProgram(name: 'llama-server' | 'llama-bench'): string {
  const build = fileURLToPath(new URL('llama-server.sh', import.meta.url))
  const server = execFileSync(build, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim()
  return server.replace(/llama-server$/, name)
}

/** Returns the flags of the peer: the settings that it shares with Pipit, continuous batching, and its own flags. */
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
