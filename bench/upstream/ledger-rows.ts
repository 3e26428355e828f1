import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../src/storage/database.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { Replica } from '../../src/usage/replicas/replica.ts'
import { ledgerEntry } from '../../test/support/ledger-entry.ts'
import { createDatabase } from '../../test/support/postgres/start-postgres.ts'
import { median } from '../load.ts'
import { loadCore, onCore, serverCore, treeCpuMs } from '../process.ts'
import { figure, progress, table } from '../report.ts'
import { insertRows, flushPages } from './disk-limit.ts'
import type { Part } from './goals.ts'
import { type BenchPostgres, startBenchPostgres } from './start-sides.ts'

const durationMs = 5000
/** Requests of each ledger at the same time; so many units fill one batch of its writer. */
const together = 512
const goalRows = 5000

const settlement = {
  outcome: 'completed',
  promptTokens: 11,
  cachedTokens: 0,
  completionTokens: 200,
  queueMs: 1,
  prefillMs: 20,
  decodeMs: 300,
} as const

type OpenLedger = { ledger: Ledger; close: () => Promise<void> }
/** Per second; `postgresShare` is the share of a core that PostgreSQL used, in %. */
type Round = { rows: number; commits: number; postgresShare: number; failed: number }
type Written = { rows: number; failed: number }
export type Writer = { name: string; write: () => Promise<Written>; rounds: Round[] }

/** Measures how many rows a second the ledger's batch writer makes durable, beside what the disk allows. */
export async function measureLedgerRows(rounds: number): Promise<Part> {
  const postgres = await startBenchPostgres(serverCore)
  try {
    return await onCore(loadCore, () => compare(postgres, rounds))
  } finally {
    await postgres.stop()
  }
}

async function compare(postgres: BenchPostgres, rounds: number): Promise<Part> {
  const url = await createDatabase(postgres.url)
  const client = new pg.Client(url)
  await client.connect()
  const opened: OpenLedger[] = []
  try {
    for (let count = 0; count < 2; count++) opened.push(await openLedger(url))
    const writers: Writer[] = [
      { name: 'one ledger', write: () => writeRows(opened.slice(0, 1)), rounds: [] },
      { name: 'two ledgers', write: () => writeRows(opened), rounds: [] },
      ...[1, 16].map((connections) => ({
        name: `single inserts, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
        write: async () => ({ rows: await insertRows(url, connections, durationMs), failed: 0 }),
        rounds: [],
      })),
    ]
    const flushes: number[] = []
    await writeRows(opened)
    for (let round = 0; round < rounds; round++) {
      for (const writer of round % 2 === 0 ? writers : writers.toReversed())
        writer.rounds.push(await measure(client, postgres.pid, writer.write))
      flushes.push(flushPages(1000))
      progress(`ledger ${round + 1}/${rounds}`)
    }
    return describeRows(writers, flushes)
  } finally {
    for (const { close } of opened) await close()
    await client.end()
  }
}

/** Opens a ledger as a service does, with a connection and a thread of its own. */
async function openLedger(url: string): Promise<OpenLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-bench-ledger-'))
  const database = await openDatabase(folder, { url })
  const options = { address: 'bench', version: '0', logger: silentLogger }
  const replica = await Replica.register(database, options)
  replica.start()
  const close = async () => {
    await replica.close()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ledger: Ledger.open(database, 'bench', { replica }), close }
}

/** Reserves and settles entries of one API key until the time is over. */
async function writeRows(opened: readonly OpenLedger[]): Promise<Written> {
  const endMs = performance.now() + durationMs
  const failures: unknown[] = []
  let rows = 0
  const write = async ({ ledger }: OpenLedger) => {
    while (performance.now() < endMs) {
      const entry = ledgerEntry(`req_${randomUUID()}`, { createdMs: Date.now() })
      try {
        await ledger.reserve(entry)
        await ledger.settle(entry, settlement)
        rows += 2
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const writers = opened.flatMap((one) => Array.from({ length: together }, () => write(one)))
  await Promise.all(writers)
  if (failures.length > 0) progress(`${failures.length} requests failed, ${String(failures[0])}`)
  return { rows, failed: failures.length }
}

async function measure(client: pg.Client, pid: number, write: Writer['write']): Promise<Round> {
  const transactions = async () => {
    const { rows } = await client.query<{ id: string }>('select pg_current_xact_id() as id')
    return Number(rows[0]?.id)
  }
  const [firstId, startedCpuMs, startMs] = [await transactions(), treeCpuMs(pid), performance.now()]
  const { rows, failed } = await write()
  const seconds = (performance.now() - startMs) / 1000
  const postgresMs = treeCpuMs(pid) - startedCpuMs
  return {
    rows: rows / seconds,
    commits: ((await transactions()) - firstId) / seconds,
    postgresShare: postgresMs / seconds / 10,
    failed,
  }
}

export function describeRows(writers: readonly Writer[], flushes: readonly number[]): Part {
  const rowsOf = ({ rounds }: Writer) => rounds.map(({ rows }) => rows)
  const [one] = writers
  const found = one === undefined ? NaN : median(rowsOf(one))
  const lines = writers.map((writer) => [
    writer.name,
    figure(rowsOf(writer), 0),
    figure(
      writer.rounds.map(({ commits }) => commits),
      0,
    ),
    figure(
      writer.rounds.map(({ postgresShare }) => postgresShare),
      0,
    ),
  ])
  const goal = `the ledger on PostgreSQL writes ≥ ${goalRows.toLocaleString('en')} rows/s, each flushed to the disk`
  const markdown = [
    `**Rows of the ledger.** ${together} requests of one key at a time on each ledger, for ${durationMs / 1000} s; a request writes its row twice and adds to its`,
    'sums. PostgreSQL has one core, and the ledgers with the load the other; `synchronous_commit` and `fsync` are on. Each ledger',
    'has a connection of its own, as in a service. Beside them, what the disk and PostgreSQL do without our batches: single',
    'inserts of 300 bytes, each with its own commit, and writes of 8 KiB by this process, each with an `fdatasync`.' +
      failuresOf(writers),
    '',
    table(
      ['', 'rows/s', 'commits/s', 'core used by PostgreSQL, %'],
      [...lines, ['the disk alone, `fdatasync`', '', figure(flushes, 0), '']],
    ),
  ].join('\n')
  return {
    markdown,
    goals: [{ goal, found: found.toFixed(0), met: found >= goalRows }],
  }
}

/** Returns a line that says how many requests failed; an empty text if none did. */
function failuresOf(writers: readonly Writer[]): string {
  const parts = writers.flatMap(({ name, rounds }) => {
    const failed = rounds.reduce((sum, round) => sum + round.failed, 0)
    return failed === 0 ? [] : [`${failed} of ${name}`]
  })
  return parts.length === 0 ? '' : `\nFailed requests, left out: ${parts.join('; ')}.`
}
