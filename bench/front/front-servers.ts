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
  const nodeArgs = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  return startPipit({ settings, core, folder, nodeArgs })
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
