import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/database.ts'
import { createDatabase, noPostgres, startPostgres } from '../../support/postgres/start-postgres.ts'
import { simulateLeases } from './simulate-leases.ts'

test('100 simulated replicas never pass a limit, and the same seed gives the same figures', async ({
  skip,
}) => {
  const postgres = await startPostgres(['fsync=off', 'full_page_writes=off'])
  if (postgres === undefined) return skip(noPostgres)
  const folder = mkdtempSync(join(tmpdir(), 'pipit-leases-'))
  try {
    const database = await openDatabase(folder, { url: await createDatabase(postgres.url) })
    const world = { replicas: 100, limit: 600_000, load: 10, seconds: 8, seed: 7 }
    const first = await simulateLeases(database, world)
    expect(first.overspend).toBe(0)
    expect(first.used).toBeGreaterThan(world.limit)
    expect(first.refused).toBeGreaterThan(0)
    expect(await simulateLeases(database, world)).toEqual(first)
    await database.close()
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
