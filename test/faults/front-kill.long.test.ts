import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { journalFaults, readLedgerRows } from '../support/journal/check-journal.ts'
import {
  type Acknowledged,
  askAndNote,
  ClientJournal,
  readAcknowledged,
} from '../support/journal/client-journal.ts'
import { newDataDir, startProcess, type ServeProcess } from '../support/process.ts'
import { recordFinding } from '../support/reliability.ts'

/** Number of kills. Set FRONT_KILLS to 1000 to check the goal. */
const rounds = Number(process.env['FRONT_KILLS'] ?? 20)

test(
  'every acknowledged reply is on the ledger with equal usage after kill -9 of the service (F02, G1)',
  async () => {
    const dataDir = newDataDir()
    const journalFile = join(dataDir, 'journal')
    const journal = new ClientJournal(journalFile)
    let key = ''
    try {
      for (let round = 0; round < rounds; round += 1) {
        const service = await startProcess({}, dataDir)
        key ||= service.key
        const engine = service.enginePid()!
        const stop = new AbortController()
        const clients = Array.from({ length: 16 }, (_, i) =>
          runClient(service, key, journal, stop.signal, i % 2 === 0),
        )
        const before = journal.acknowledged.length
        await expect
          .poll(() => journal.acknowledged.length, { timeout: 20_000, interval: 5 })
          .toBeGreaterThan(before + 8 + (round % 20))
        await service.kill('SIGKILL')
        stop.abort()
        await Promise.all(clients)
        await expect.poll(() => isAlive(engine), { timeout: 3000 }).toBe(false)
      }
      const last = await startProcess({}, dataDir)
      await last.kill('SIGTERM')
      const acknowledged = readAcknowledged(journalFile)
      checkLedger(dataDir, acknowledged)
      const figures = `${rounds} kills of the service under 16 clients: ${journal.sent} requests, ${acknowledged.length} acknowledged replies, 0 lost, 0 doubled, usage equal.`
      recordFinding('F02', figures)
      recordFinding('G1', figures)
    } finally {
      journal.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
  300_000 + 10_000 * rounds,
)

async function runClient(
  service: ServeProcess,
  key: string,
  journal: ClientJournal,
  signal: AbortSignal,
  stream: boolean,
) {
  while (!signal.aborted) {
    try {
      const body = {
        model: 'svc-o1-mini',
        messages: [{ role: 'user', content: 'Hello! Who are you?' }],
        max_tokens: 12,
        stream,
        ...(stream && { stream_options: { include_usage: true } }),
      }
      const post: ServeProcess['post'] = (asked, options) =>
        service.post(asked, { key, ...options })
      await askAndNote(journal, post, body)
    } catch {
      // The service was killed before it acknowledged this request.
    }
  }
}

function checkLedger(dataDir: string, acknowledged: readonly Acknowledged[]) {
  const database = new BetterSqlite3(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const rows = database.prepare('select * from usage').all() as Record<string, unknown>[]
    expect(journalFaults({ acknowledged, rows: readLedgerRows(database) })).toEqual([])
    // The next start closed the entries that a kill interrupted.
    expect(rows.filter((row) => row['state'] !== 'final')).toEqual([])
    expect(rows.some((row) => row['outcome'] === 'server_crash')).toBe(true)
    const totals = database.prepare('select sum(completion_tokens) as rows from usage').get() as {
      rows: number
    }
    const hours = database
      .prepare(
        "select sum(completion_tokens) as hours from usage_sums where span = 'hour' and key_id = ''",
      )
      .get() as { hours: number }
    expect(hours.hours).toBe(totals.rows)
  } finally {
    database.close()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
