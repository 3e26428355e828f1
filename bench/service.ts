import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, startServer, type Server } from './process.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
export const bundledModelPath = fileURLToPath(new URL('../model/svc-o1-mini.gguf', import.meta.url))

export type Service = Server & { metricsUrl: string; dataDir: string }
type ServiceOptions = {
  settings: Record<string, string>
  /** Folder of the repository whose build is started; default: this one. */
  folder?: string | undefined
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
    const folder = options.folder ?? repository
    const key = await createKey(environment, undefined, folder)
    const server = await startServer({
      name: 'Pipit',
      command: process.execPath,
      args: [...(options.nodeArgs ?? []), mainOf(folder), 'serve'],
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

/** Creates an API key for `account`; by default for the first account. */
export async function createKey(
  environment: Record<string, string>,
  account?: string,
  folder = repository,
): Promise<string> {
  const owner = account === undefined ? [] : ['--account', account]
  const args = ['keys', 'create', '--name', 'bench', '--json', ...owner]
  const { key } = JSON.parse(await runCommand(environment, args, folder)) as { key: string }
  return key
}

/** Creates an account. Returns its id and the secret of the link for choosing its password. */
export async function createAccount(
  environment: Record<string, string>,
  email: string,
  folder = repository,
): Promise<{ id: string; secret: string }> {
  const output = await runCommand(environment, ['accounts', 'create', '--email', email], folder)
  const [, id, secret] = /^Created (\S+) for .*#(\S+)/ms.exec(output) ?? []
  if (id === undefined || secret === undefined) throw new Error(`no account was created: ${output}`)
  return { id, secret }
}

/** Returns the short hash of a checkout's commit. */
export function commitOf(folder: string): string {
  const args = ['-C', folder, 'rev-parse', '--short', 'HEAD']
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

async function runCommand(
  environment: Record<string, string>,
  args: string[],
  folder = repository,
): Promise<string> {
  const env = { ...process.env, ...environment }
  const command = [mainOf(folder), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  return stdout
}

function mainOf(folder: string): string {
  return join(folder, 'dist/cli/main.js')
}
