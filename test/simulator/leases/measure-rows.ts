// Prints what one request costs PostgreSQL, for docs/scale-out.md: node test/simulator/leases/measure-rows.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/storage/database.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import { ledgerEntry } from '../../support/ledger-entry.ts'
import { createDatabase, noPostgres, startPostgres } from '../../support/postgres/start-postgres.ts'

const requests = 20_000
const together = 200
const postgres = await startPostgres(['autovacuum=on'])
if (postgres === undefined) throw new Error(noPostgres)
const folder = mkdtempSync(join(tmpdir(), 'pipit-rows-'))
try {
  const database = await openDatabase(folder, { url: await createDatabase(postgres.url) })
  const ledger = Ledger.open(database, 'measure')
  const number = async (sql: string) =>
    Number((await database.readRows({ sql, parameters: [] }))[0]?.['value'])
  const wal = () => number("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as value")
  const before = await wal()
  const startMs = performance.now()
  for (let first = 0; first < requests; first += together)
    await Promise.all(
      Array.from({ length: together }, async (_, index) => {
        const entry = ledgerEntry(`req_${String(first + index).padStart(24, '0')}`, {
          createdMs: Date.now(),
        })
        await ledger.reserve(entry)
        await ledger.settle(entry, {
          outcome: 'completed',
          promptTokens: 11,
          cachedTokens: 0,
          completionTokens: 200,
        })
      }),
    )
  const seconds = (performance.now() - startMs) / 1000
  const after = await wal()
  const size = await number("select pg_total_relation_size('usage')::bigint as value")
  await database.readRows({ sql: 'select 1 as value', parameters: [] })
  console.log(
    `${requests} requests in ${seconds.toFixed(1)} s: ${(requests / seconds).toFixed(0)} requests/s, 2 writes each`,
  )
  console.log(`usage with its indexes: ${(size / requests).toFixed(0)} bytes per request`)
  console.log(`write-ahead log: ${((after - before) / requests).toFixed(0)} bytes per request`)
  await database.close()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
