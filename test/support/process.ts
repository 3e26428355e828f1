import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noteOnFailure } from '../setup/failure-notes.ts'

/** The built service, which `npm start` runs. */
export const mainFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/**
 * Longest wait for a start: far longer than a start takes, but shorter than vitest's timeouts, so that the error shows
 * the output.
 */
const startMs = 25_000
/** Lines of a process's output in the report of a failed test. */
const logLinesMax = 6

export type ServeProcess = Awaited<ReturnType<typeof startProcess>>
type PostOptions = { key?: string; headers?: Record<string, string>; signal?: AbortSignal }
type Exit = { code: number | null; stdout: string; stderr: string }

/**
 * Runs one `pipit …` command line in its own process until it exits.
 * @param program another copy of the service
 */
export async function runCli(
  args: string[],
  environment: Record<string, string> = {},
  node = process.execPath,
  program = mainFile,
): Promise<Exit> {
  const child = spawnCli(args, environment, node, program)
  const output = collect(child)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...output() }
}

/** Runs a command line and sends a signal, by default Ctrl-C, once its standard error contains `seen`. */
export async function interruptCli(
  args: string[],
  environment: Record<string, string>,
  seen: string,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<Exit> {
  const child = spawnCli(args, environment)
  const output = collect(child)
  let interrupted = false
  child.stderr.on('data', () => {
    if (interrupted || !output().stderr.includes(seen)) return
    interrupted = true
    child.kill(signal)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...output() }
}

/**
 * Starts `pipit serve` in its own process, with the embedded engine unless `environment` names another.
 * @param stderr an open file that gets the log; `output` then lacks it
 * @param program another version of the service
 * @param launcher prefix of the command; the service keeps the process id of this prefix
 */
export async function startProcess(
  environment: Record<string, string> = {},
  dataDir = newDataDir(),
  stderr?: number,
  program = mainFile,
  launcher: readonly string[] = [],
) {
  const command = [...launcher, process.execPath, '--no-warnings', program, 'serve']
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: {
      ...cleanEnvironment(),
      PIPIT_PORT: '0',
      PIPIT_METRICS_PORT: '0',
      PIPIT_DATA_DIR: dataDir,
      PIPIT_LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
  })
  const output = collect(child)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const forget = noteOnFailure(() => endOf('the log of the service', output().stderr))
  void closed.then(forget)
  await awaitStart(child, output)
  const { stdout } = output()
  const pid = child.pid ?? 0
  const url = /serves \S+ on (\S+)/.exec(stdout)?.[1] ?? ''
  const firstKey = /^ +(sk-pipit-\S+)$/m.exec(stdout)?.[1] ?? ''
  const metricsUrl = /metrics +(\S+)/.exec(stdout)?.[1] ?? ''
  return {
    pid,
    dataDir,
    url,
    key: firstKey,
    stdout,
    output,
    /** Sends a chat completion request, with the first key unless `key` is another one. */
    post: (body: object, { key = firstKey, headers = {}, ...init }: PostOptions = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        ...init,
      }),
    metrics: async () =>
      await (await fetch(metricsUrl, { headers: { connection: 'close' } })).text(),
    /** Process id of the engine, which is the only child. */
    enginePid: () => childrenOf(pid)[0],
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return closed
    },
    /** Ends the process if it still runs, and removes its data. */
    dispose: async () => {
      child.kill('SIGKILL')
      await closed
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function endOf(name: string, text: string): string {
  const lines = text.trimEnd().split('\n').slice(-logLinesMax)
  return text === '' ? '' : `${name}:\n${lines.join('\n')}`
}

/**
 * Waits until the process has printed its addresses.
 * @throws Error with the output of a process that exits or is late
 */
async function awaitStart(
  child: ChildProcess,
  output: () => { stdout: string; stderr: string },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (what: string) =>
        reject(new Error(`serve ${what}: ${output().stderr}${output().stdout}`))
      timer = setTimeout(() => fail(`has not started after ${startMs} ms`), startMs)
      child.stdout?.on('data', () => {
        if (output().stdout.includes('metrics ')) resolve()
      })
      child.once('close', (code) => fail(`ended with ${code}`))
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'pipit-test-'))
}

/** Returns the child processes of a process. Reads /proc, because not every machine has `ps`. */
export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export function residentBytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return pages * 4096
}

function spawnCli(
  args: string[],
  environment: Record<string, string>,
  node = process.execPath,
  program = mainFile,
) {
  return spawn(node, ['--no-warnings', program, ...args], {
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return () => ({ stdout, stderr })
}

/**
 * Leaves out PIPIT_ variables of the developer's shell, and vitest's variables. With vitest's variables, a service that
 * runs from its sources would start its threads from dist/.
 */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PIPIT|VITEST)/.test(name)),
  )
}
