import { cpSync, rmSync } from 'node:fs'
import { newDataDir, runCli, startProcess } from '../../test/support/process.ts'
import {
  findLlamaServer,
  freePort,
  startLlamaServer,
} from '../../test/support/upstream/llama-server.ts'
import { findVllm, startVllm } from '../../test/support/upstream/vllm.ts'

const stopMs = 10_000

type DemoEngine = {
  readonly kill: () => Promise<void>
  /** Starts the engine again at the same address. */
  readonly restart: () => Promise<void>
}

/** Engines of the demo, and the settings with which a service uses them. */
type DemoEngines = {
  /** Description for the output. */
  readonly kind: string
  readonly engines: readonly DemoEngine[]
  readonly environment: Record<string, string>
}

/**
 * Starts two vLLMs if DEMO_ENGINE is `vllm`. Otherwise starts two llama-servers if llama-server is built, and if not,
 * two services with the embedded engine.
 * @param atEnd receives the functions that undo the start, even if a start fails
 */
export async function startEngines(
  atEnd: (undo: () => Promise<void> | void) => void,
): Promise<DemoEngines> {
  const binary = findLlamaServer()
  const ports = [await freePort(), await freePort()]
  const common = {
    PIPIT_ENGINE: 'upstream',
    PIPIT_UPSTREAM_URLS: ports.map((port) => `http://127.0.0.1:${port}`).join(' '),
    PIPIT_UPSTREAM_MODEL: 'svc-o1-mini',
  }
  if (process.env['DEMO_ENGINE'] === 'vllm') {
    const folder = findVllm()
    if (folder === undefined) throw new Error('No vLLM is installed: sh bench/peers/vllm.sh')
    return {
      kind: `vLLMs, ${folder}`,
      engines: await inTurn(ports, (port) => startVllmEngine(folder, port, atEnd)),
      environment: { ...common, PIPIT_UPSTREAM_FLAVOUR: 'vllm' },
    }
  }
  if (binary !== undefined)
    return {
      kind: `llama-servers, ${binary}`,
      engines: await inTurn(ports, (port) => startLlama(binary, port, atEnd)),
      environment: { ...common, PIPIT_UPSTREAM_FLAVOUR: 'llama-server' },
    }
  const folders = ports.map(newDataDir)
  const [first = ''] = folders
  atEnd(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  const created = await runCli(['keys', 'create', '--name', 'front', '--json'], {
    PIPIT_DATA_DIR: first,
  })
  const { key } = JSON.parse(created.stdout) as { key: string }
  // Both services get the same API key, because the service in front uses one key for all engines.
  for (const folder of folders.slice(1)) cpSync(first, folder, { recursive: true })
  const start = (port: number, index: number) => startPipit(port, folders[index] ?? '', atEnd)
  return {
    kind: 'services with the embedded engine, because no llama-server is built (sh bench/peers/llama-server.sh)',
    engines: await inTurn(ports, start),
    environment: { ...common, PIPIT_UPSTREAM_KEY: key },
  }
}

/** Starts engines one after the other, so that none is still starting after another one has failed. */
async function inTurn<T>(
  ports: readonly number[],
  start: (port: number, index: number) => Promise<T>,
): Promise<T[]> {
  const started: T[] = []
  for (const [index, port] of ports.entries()) started.push(await start(port, index))
  return started
}

async function startLlama(
  binary: string,
  port: number,
  atEnd: (undo: () => Promise<void>) => void,
): Promise<DemoEngine> {
  let server = await startLlamaServer(binary, port)
  atEnd(() => server.close())
  return {
    kill: () => server.close(),
    restart: async () => void (server = await startLlamaServer(binary, port)),
  }
}

async function startVllmEngine(
  folder: string,
  port: number,
  atEnd: (undo: () => Promise<void>) => void,
): Promise<DemoEngine> {
  let server = await startVllm(folder, port)
  atEnd(() => server.kill())
  return {
    kill: () => server.kill(),
    restart: async () => void (server = await startVllm(folder, port)),
  }
}

async function startPipit(
  port: number,
  folder: string,
  atEnd: (undo: () => Promise<void>) => void,
): Promise<DemoEngine> {
  const environment = {
    PIPIT_PORT: String(port),
    PIPIT_THREADS: '1',
    PIPIT_GRACE_SECONDS: '0',
  }
  let service = await startProcess(environment, folder)
  const restart = async () => void (service = await startProcess(environment, folder))
  // On SIGTERM, the service removes its temporary files. A killed one leaves them behind.
  atEnd(async () => {
    const timer = setTimeout(() => void service.kill('SIGKILL'), stopMs)
    await service.kill('SIGTERM')
    clearTimeout(timer)
  })
  return { kill: async () => void (await service.kill('SIGKILL')), restart }
}
