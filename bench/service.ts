import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, startServer, type Server } from './process.ts'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
export const bundledModelPath = fileURLToPath(new URL('../model/svc-o1-mini.gguf', import.meta.url))

export type Service = Server & { metricsUrl: string; dataDir: string }
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
      args: [...(options.nodeArgs ?? []), main, 'serve'],
      environment,
      port,
      readyPath: '/readyz',
      core: options.core,
    })
    const stop = async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true })
    }
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    return { ...server, key, metricsUrl, dataDir, stop }
  } catch (error) {
    rmSync(dataDir, { recursive: true })
    throw error
  }
}

/** Creates an API key, of the first account unless another one is named. */
export async function createKey(
  environment: Record<string, string>,
  account?: string,
): Promise<string> {
  const owner = account === undefined ? [] : ['--account', account]
  const args = ['keys', 'create', '--name', 'bench', '--json', ...owner]
  const { key } = JSON.parse(await runCommand(environment, args)) as { key: string }
  return key
}

/** Creates an account and returns its id. */
export async function createAccount(
  environment: Record<string, string>,
  email: string,
): Promise<string> {
  const output = await runCommand(environment, ['accounts', 'create', '--email', email])
  const id = /^Created (\S+) for /m.exec(output)?.[1]
  if (id === undefined) throw new Error(`no account was created: ${output}`)
  return id
}

async function runCommand(environment: Record<string, string>, args: string[]): Promise<string> {
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env })
  return stdout
}
