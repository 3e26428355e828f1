import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from './load.ts'

export type Server = Target & {
  pid: number
  /** Time from the start of the process to the first 200 of its readiness path. */
  readyMs: number
  stop: () => Promise<void>
}

type ServerStart = {
  name: string
  command: string
  args: readonly string[]
  environment?: Record<string, string>
  port: number
  readyPath: string
  /** Core that the process is pinned to. */
  core?: number | undefined
}

/** Cores of the server and of the load generator in benchmarks that separate them. */
export const [serverCore, loadCore] = [0, 1]

const readyTimeoutMs = 120_000
const stopTimeoutMs = 10_000

export async function startServer(start: ServerStart): Promise<Server> {
  const pin = start.core === undefined ? [] : ['taskset', '-c', String(start.core)]
  const [command = '', ...args] = [...pin, start.command, ...start.args]
  const startMs = performance.now()
  const log = new ServerLog()
  const child = spawn(command, args, {
    env: { ...process.env, ...start.environment },
    stdio: ['ignore', log.fd, log.fd],
  })
  let stopping = false
  const ended = new Promise<void>((resolve) =>
    child.once('close', (code, signal) => {
      if (!stopping)
        process.stderr.write(`${start.name} ended (${code ?? signal}):\n${log.tail()}\n`)
      resolve()
    }),
  )
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    stopping = true
    child.kill('SIGTERM')
    const timer = setTimeout(kill, stopTimeoutMs)
    await ended
    clearTimeout(timer)
    process.off('exit', kill)
    log.close()
  }
  const url = `http://127.0.0.1:${start.port}`
  while ((await statusOf(`${url}${start.readyPath}`)) !== 200) {
    if (child.exitCode !== null || performance.now() - startMs > readyTimeoutMs) {
      const tail = log.tail()
      await stop()
      throw new Error(`${start.name} did not become ready: ${tail}`)
    }
    await delay(2)
  }
  const readyMs = performance.now() - startMs
  return { name: start.name, url, pid: child.pid ?? 0, readyMs, stop }
}

/** Writes a server's output to a file. Reading a pipe would cost the load generator time. */
class ServerLog {
  readonly #path = join(tmpdir(), `pipit-bench-${randomUUID()}.log`)
  readonly fd = openSync(this.#path, 'w')

  tail(): string {
    return readFileSync(this.#path, 'utf8').slice(-4096)
  }

  close(): void {
    closeSync(this.fd)
    rmSync(this.#path)
  }
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = request(url, { agent: false, timeout: 1000 }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(undefined))
    probe.end()
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Returns the ids of a process and all its descendants. */
export function processTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOf(pid, thread))
  return [pid, ...children.flatMap((child) => processTree(Number(child)))]
}

function childrenOf(pid: number, thread: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
  } catch {
    // The thread ended after the folder was listed.
    return []
  }
}

type Memory = { rssBytes: number; pssBytes: number }

export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1])
  return { rssBytes: bytes('Rss') * 1024, pssBytes: bytes('Pss') * 1024 }
}

/** Returns the processor time of all threads of a process. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const ticksPerSecond = 100
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Pins this process, the load generator, to one core during `work`. */
export async function onCore<T>(core: number, work: () => Promise<T>): Promise<T> {
  const pid = String(process.pid)
  const before = execFileSync('taskset', ['-pc', pid], { encoding: 'utf8' })
  execFileSync('taskset', ['-apc', String(core), pid])
  try {
    return await work()
  } finally {
    execFileSync('taskset', ['-apc', before.split(': ').at(-1)?.trim() ?? '0-1', pid])
  }
}
