// Prints the table of docs/scale-out.md: node test/simulator/leases/run-simulation.ts [seed] [seconds]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/storage/database.ts'
import { createDatabase, noPostgres, startPostgres } from '../../support/postgres/start-postgres.ts'
import { simulateLeases } from './simulate-leases.ts'

const seed = Number(process.argv[2] ?? 1)
const seconds = Number(process.argv[3] ?? 30)
const worlds = [
  { replicas: 10, limit: 600_000, load: 6 },
  { replicas: 100, limit: 600_000, load: 6 },
  { replicas: 100, limit: 60_000, load: 6 },
]
const postgres = await startPostgres(['fsync=off', 'full_page_writes=off'])
if (postgres === undefined) throw new Error(noPostgres)
const folder = mkdtempSync(join(tmpdir(), 'pipit-leases-'))
try {
  const database = await openDatabase(folder, { url: await createDatabase(postgres.url) })
  console.log(
    '| Replicas | Limit, tokens/min | Offered | Requests | Refused | Overspend | Unused | Round trips/s | Waited |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  for (const world of worlds) {
    const found = await simulateLeases(database, { ...world, seconds, seed })
    const share = (part: number) => `${(100 * part).toFixed(1)} %`
    console.log(
      `| ${found.replicas} | ${found.limit} | ${found.load} × | ${found.requests} | ${found.refused} | ${found.overspend} | ` +
        `${share(found.unusedShare)} | ${found.roundTripsPerSecond.toFixed(0)} | ${share(found.waited / found.requests)} |`,
    )
  }
  await database.close()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
