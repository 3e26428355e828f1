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
export function processTree(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const children = Map.groupBy(pids, parentOf)
  const treeOf = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(treeOf)]
  return treeOf(root)
}

/** Returns undefined for a process that has ended. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(statOf(pid)[1])
  } catch {
    return undefined
  }
}

type Memory = {
  rssBytes: number
  pssBytes: number
  /** The part of the resident memory that no file backs. */
  anonymousBytes: number
}

export function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const bytes = (name: string) =>
    1024 * Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1])
  return { rssBytes: bytes('Rss'), pssBytes: bytes('Pss'), anonymousBytes: bytes('Anonymous') }
}

/** Returns the processor time of all threads of a process. */
export function cpuMs(pid: number): number {
  return sumOfTicks(statOf(pid).slice(11, 13))
}

/** Returns the processor time of a process and all its descendants, including those that have ended. */
export function treeCpuMs(root: number): number {
  return processTree(root).reduce((sum, pid) => {
    try {
      // The last two fields are the time of children that have ended.
      return sum + sumOfTicks(statOf(pid).slice(11, 15))
    } catch {
      // The process ended after it was listed.
      return sum
    }
  }, 0)
}

function sumOfTicks(ticks: readonly string[]): number {
  const ticksPerSecond = 100
  return (ticks.reduce((sum, each) => sum + Number(each), 0) * 1000) / ticksPerSecond
}

/** Returns the fields of /proc/PID/stat from the state on. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
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
