import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startServer, type Server } from '../process.ts'
import { startPipit, type Service } from '../service.ts'

type Scripted = {
  tokensPerSecond: number
  core?: number | undefined
  folder?: string | undefined
}

export function startScripted({ tokensPerSecond, core, folder }: Scripted): Promise<Service> {
  const settings = {
    PIPIT_ENGINE: 'scripted',
    PIPIT_SLOTS: '64',
    PIPIT_SCRIPTED_TOKENS_PER_SECOND: String(tokensPerSecond),
  }
  const profile = process.env['BENCH_CPU_PROF']
  const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  const start = folder === undefined ? noOptions : startOptionsOf(folder)
  return startPipit({
    settings: { ...settings, ...start.environment },
    core,
    folder,
    nodeArgs: [...profiling, ...start.nodeArgs],
  })
}

const noOptions = { environment: {}, nodeArgs: [] }

/** Returns the memory settings that `npm start` of an older checkout passes to Node. Newer ones set them in code. */
function startOptionsOf(folder: string) {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const words = scripts.start.split(' ')
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('='))
  return {
    environment: Object.fromEntries(variables) as Record<string, string>,
    nodeArgs: words.filter((word) => word.startsWith('--')),
  }
}

/** Starts a bare node:http server that parses the body and echoes it. */
export function startEcho(core: number | undefined): Promise<Server> {
  return startScript('node:http echo', '../peers/echo.ts', core)
}

/** Starts the bare server behind the gateways. */
export function startUpstream(core: number): Promise<Server> {
  return startScript('node:http upstream', '../peers/upstream.ts', core)
}

async function startScript(name: string, file: string, core: number | undefined): Promise<Server> {
  const port = await freePort()
  const script = fileURLToPath(new URL(file, import.meta.url))
  return startServer({
    name,
    command: process.execPath,
    args: [script, String(port)],
    port,
    readyPath: '/',
    core,
  })
}
