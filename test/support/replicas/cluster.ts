import { readdirSync, readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import { ensureDefaultAccount } from '../../../src/accounts/accounts.ts'
import { ApiKeys } from '../../../src/accounts/api-keys.ts'
import type { Limits } from '../../../src/key-limits.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { type JournaledRow, readLedgerInPostgres } from '../journal/check-journal.ts'
import { createDatabase, type Postgres, startPostgres } from '../postgres/start-postgres.ts'
import { childrenOf, newDataDir, type ServeProcess, startProcess } from '../process.ts'

type Row = Record<string, string | number | null>

/** Several services on one PostgreSQL. Each runs in its own process with the scripted engine. */
export type Cluster = {
  readonly postgres: Postgres
  readonly replicas: readonly ServeProcess[]
  /** Creates an API key, and returns its id and its text. */
  readonly createKey: (limits: Limits) => Promise<{ id: string; key: string }>
  readonly rows: (sql: string) => Promise<Row[]>
  readonly ledger: () => Promise<JournaledRow[]>
  /** @param program another version of the service */
  readonly startReplica: (program?: string) => Promise<ServeProcess>
  readonly stop: () => Promise<void>
}

/** Starts PostgreSQL and `count` services; returns undefined where PostgreSQL is not installed. */
export async function startCluster(
  count: number,
  environment: Record<string, string> = {},
): Promise<Cluster | undefined> {
  const postgres = await startPostgres(['fsync=off', 'full_page_writes=off'])
  if (postgres === undefined) return undefined
  const replicas: ServeProcess[] = []
  const folder = newDataDir()
  const stop = async () => {
    signalAll(postgres, 'SIGCONT')
    await Promise.all(replicas.map((replica) => replica.dispose()))
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const url = await createDatabase(postgres.url)
    const settings = {
      PIPIT_ENGINE: 'scripted',
      PIPIT_SCRIPTED_TOKENS_PER_SECOND: '500',
      PIPIT_DATABASE_URL: url,
      ...environment,
    }
    const startReplica = async (program?: string) => {
      const replica = await startProcess(settings, newDataDir(), undefined, program)
      replicas.push(replica)
      return replica
    }
    // Creates the tables before several services start at once.
    await (await openDatabase(folder, { url })).close()
    await Promise.all(Array.from({ length: count }, () => startReplica()))
    const createKey = async (limits: Limits) => {
      const database = await openDatabase(folder, { url })
      try {
        const accountId = (await ensureDefaultAccount(database)).id
        const keys = await ApiKeys.open(database)
        const created = await keys.create({ accountId, name: `key ${Date.now()}`, limits })
        keys.close()
        return created
      } finally {
        await database.close()
      }
    }
    const rows = async (sql: string) => {
      const client = new pg.Client(url)
      await client.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    }
    const ledger = () => readLedgerInPostgres(url)
    return { postgres, replicas, createKey, rows, ledger, startReplica, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Sends a signal to the postmaster and all of its server processes: SIGSTOP pauses the database. */
export function signalAll({ child }: Postgres, signal: NodeJS.Signals): void {
  const pid = child.pid ?? 0
  for (const one of [pid, ...serversOf(pid)])
    try {
      process.kill(one, signal)
    } catch {
      // The process has ended meanwhile.
    }
}

function serversOf(postmaster: number): number[] {
  const children = childrenOf(postmaster)
  if (children.length > 0) return children
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => parentOf(pid) === postmaster)
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}
