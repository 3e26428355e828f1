import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { question, startTestService } from '../support/service.ts'
import { recordFinding } from '../support/reliability.ts'

const requests = 400

test('a flood of refused requests stores little, and all of them are counted (T41, T52)', async () => {
  const service = await startTestService({ environment: { PIPIT_CONTEXT_TOKENS: '256' } })
  const refused = { ...question, ...largestParameters(), messages: [longMessage] }
  expect((await service.post(question)).status).toBe(200)
  const bytesBefore = bytesOf(service.dataDir)
  for (let sent = 0; sent < requests; sent += 40)
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const response = await service.post(refused)
        expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
      }),
    )
  await expect.poll(() => readCounts(service.dataDir).errors).toBe(requests)

  const rows = service.ledgerRows().filter(({ outcome }) => outcome === 'refused')
  const { requests: counted, errors, receipts } = readCounts(service.dataDir)
  expect([counted, errors, receipts]).toEqual([requests + 1, requests, rows.length])
  expect(rows.length).toBeGreaterThanOrEqual(30)
  expect(rows.length).toBeLessThan(100)
  expect(Math.max(...rows.map((row) => JSON.stringify(row).length))).toBeLessThan(3000)
  // A receipt for each refusal would take 6.3 MB: 400 rows of 11 KB, and their pages in the journal.
  const bytes = bytesOf(service.dataDir) - bytesBefore
  expect(bytes).toBeLessThan(1_500_000)
  recordFinding(
    'T52',
    `${requests} refused requests: ${rows.length} receipts, ${Math.round(bytes / 1000)} kB of the ledger and its journal.`,
  )
  expect(rows[0]).toMatchObject({
    error_param: 'messages',
    error_message: expect.stringContaining("This model's maximum context length is 256 tokens"),
  })
  await service.close()
})

const longMessage = { role: 'user', content: 'word '.repeat(300) }

/** The largest set of neutral and unknown parameters that a receipt would hold. */
function largestParameters(): object {
  const metadata = Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`m${i}`.padEnd(64, 'x'), 'x'.repeat(512)]),
  )
  const unknown = Array.from({ length: 20 }, (_, i) => [`unknown_${i}`.padEnd(64, 'x'), 1])
  return { metadata, ...Object.fromEntries(unknown) }
}

function readCounts(dataDir: string): Record<string, unknown> {
  const database = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    const sql = `select
      (select sum(requests) from usage_sums where span = 'month') as requests,
      (select sum(requests) from usage_errors where key_id = '') as errors,
      (select sum(receipts) from usage_errors where key_id = '') as receipts`
    return database.prepare(sql).get() as Record<string, unknown>
  } finally {
    database.close()
  }
}

function bytesOf(dataDir: string): number {
  return ['pipit.db', 'pipit.db-wal']
    .map((name) => statSync(join(dataDir, name)).size)
    .reduce((sum, size) => sum + size)
}
