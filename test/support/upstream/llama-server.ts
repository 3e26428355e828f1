import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { bundledModelPath, packageRoot } from '../../../src/paths.ts'

/** Returns the binary that `bench/peers/llama-server.sh` has built; undefined if there is none. */
export function findLlamaServer(): string | undefined {
  const cache = join(packageRoot, 'bench', '.cache')
  const folders = existsSync(cache) ? readdirSync(cache) : []
  return folders
    .filter((name) => name.startsWith('llama.cpp-'))
    .map((name) => join(cache, name, 'build', 'bin', 'llama-server'))
    .find((path) => existsSync(path))
}

/** Starts a real llama-server with the bundled model and four slots, on `ownPort`, or else on a free port. */
export async function startLlamaServer(binary: string, ownPort?: number) {
  const port = ownPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const settings = [
    '-m',
    bundledModelPath,
    '-c',
    '8192',
    '-np',
    '4',
    '-t',
    '1',
    '--jinja',
    '--metrics',
  ]
  const server = spawn(binary, [...settings, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
  })
  const closed = once(server, 'close')
  const close = async () => {
    server.kill('SIGKILL')
    await closed
  }
  try {
    await isUp(url)
  } catch (error) {
    await close()
    throw error
  }
  return {
    url,
    close,
    pid: server.pid ?? 0,
    /** Number of slots that generate now. */
    busySlots: async () => {
      const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[]
      return slots.filter((slot) => slot.is_processing).length
    },
  }
}

async function isUp(url: string): Promise<void> {
  const deadlineMs = performance.now() + 120_000
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined)
    if (response?.ok === true) return
    if (performance.now() > deadlineMs) throw new Error('llama-server does not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
