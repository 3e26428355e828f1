import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, startServer, type Server } from './process.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
export const bundledModelPath = fileURLToPath(new URL('../model/svc-o1-mini.gguf', import.meta.url))

/** The same flags and environment as in `npm start`. */
const asStarted = ['--max-semi-space-size=4']
const environmentAsStarted = { MALLOC_ARENA_MAX: '2' }

export type Service = Server & { metricsUrl: string }
type ServiceOptions = {
  settings: Record<string, string>
  /** Options of Node.js, such as --cpu-prof. */
  nodeArgs?: readonly string[]
  core?: number | undefined
}

/** Starts Pipit on free ports with an empty data directory and one key. */
export async function startPipit(options: ServiceOptions): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-bench-'))
  const port = await freePort()
  const metricsPort = await freePort()
  const environment = {
    ...environmentAsStarted,
    PIPIT_HOST: '127.0.0.1',
    PIPIT_PORT: String(port),
    PIPIT_METRICS_PORT: String(metricsPort),
    PIPIT_DATA_DIR: dataDir,
    ...options.settings,
  }
  try {
    const key = await createKey(environment)
    const server = await startServer({
      name: 'Pipit',
      command: process.execPath,
      args: [...asStarted, ...(options.nodeArgs ?? []), main, 'serve'],
      environment,
      port,
      readyPath: '/readyz',
      core: options.core,
    })
    const stop = async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true })
    }
    return { ...server, key, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, stop }
  } catch (error) {
    rmSync(dataDir, { recursive: true })
    throw error
  }
}

async function createKey(environment: Record<string, string>): Promise<string> {
  const args = [main, 'keys', 'create', '--name', 'bench', '--json']
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  const { key } = JSON.parse(stdout) as { key: string }
  return key
}
