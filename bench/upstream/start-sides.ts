import { noPostgres, startPostgres } from '../../test/support/postgres/start-postgres.ts'
import { startUpstream } from '../front/front-servers.ts'
import { loadCore, onCore, serverCore, type Server } from '../process.ts'
import { startPipit } from '../service.ts'

/** Starts Pipit in front of an OpenAI-compatible server. Without a database URL, its ledger is a file. */
export function startFront(upstream: Server, databaseUrl?: string): Promise<Server> {
  return startPipit({
    settings: {
      PIPIT_ENGINE: 'upstream',
      PIPIT_UPSTREAM_URLS: upstream.url,
      PIPIT_UPSTREAM_MODEL: 'svc-o1-mini',
      PIPIT_CONTEXT_TOKENS: '2048',
      ...(databaseUrl === undefined ? {} : { PIPIT_DATABASE_URL: databaseUrl }),
    },
    core: serverCore,
  })
}

/** A PostgreSQL that flushes each commit to the disk. */
export type BenchPostgres = {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** @throws Error if PostgreSQL is not installed */
export async function startBenchPostgres(core: number): Promise<BenchPostgres> {
  // A process inherits the core of the one that starts it.
  const postgres = await onCore(core, () => startPostgres(['synchronous_commit=on', 'fsync=on']))
  if (postgres === undefined) throw new Error(noPostgres)
  const { url, child } = postgres
  // Like the other servers, it ends with an interrupted benchmark.
  const kill = () => child.kill('SIGQUIT')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    await postgres.stop()
  }
  return { url, pid: child.pid ?? 0, stop }
}

/** Starts a server that answers immediately, and PostgreSQL; adds both to `started`. */
export async function startBackends(
  started: { stop: () => Promise<void> }[],
  postgresCore: number,
): Promise<{ upstream: Server; postgres: BenchPostgres }> {
  const upstream = await startUpstream(loadCore)
  started.push(upstream)
  const postgres = await startBenchPostgres(postgresCore)
  started.push(postgres)
  return { upstream, postgres }
}

/** Stops what was started, the latest first. */
export async function stopAll(started: readonly { stop: () => Promise<void> }[]): Promise<void> {
  for (const one of started.toReversed()) await one.stop()
}
