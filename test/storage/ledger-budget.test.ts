import { expect, test, vi } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { openReadOnly } from '../../src/storage/sqlite/sqlite-file.ts'
import { queries } from '../../src/storage/statement.ts'
import { unavailable } from '../../src/storage/storage-fault.ts'
import { type Logger, silentLogger } from '../../src/telemetry/logger.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { LedgerBudget } from '../../src/usage/upkeep/ledger-budget.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { recordFinding } from '../support/reliability.ts'
import { totals } from '../support/usage-sums.ts'

const databases = useDatabases()

test('over its budget the ledger deletes its oldest receipts, and says so (T41, T52)', async ({
  skip,
}) => {
  skip(...onPostgres)
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  const parameters = { metadata: { large: 'x'.repeat(4000) } }
  const settle = async (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const entry = ledgerEntry(`req_${i}`, { createdMs: i, parameters })
      await Promise.all([ledger.reserve(entry), ledger.settle(entry, settlement)])
    }
  }
  await settle(0, 50)
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const budget = LedgerBudget.start(database, { bytesMax: 4_000_000, logger })
  await budget.check()
  expect(budget.bytes).toBeLessThan(3_200_000)
  expect(warnings).toEqual([])

  await settle(50, 1200)
  await ledger.reserve(ledgerEntry('req_running'))
  await budget.check()
  expect(budget.bytes).toBeLessThan(4_000_000)
  expect(warnings).toEqual([
    expect.stringMatching(/^the ledger uses \d+ of 4 MiB/),
    'the ledger is over its budget: its oldest receipts were deleted',
  ])
  const left = await requestIds(database)
  expect(left).toHaveLength(1201 - budget.receiptsDeleted)
  expect(left).toContain('req_running')
  expect(left).not.toContain('req_0')
  expect(left).toContain('req_1199')
  expect(left.length).toBeGreaterThan(500)
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 1200 })
  await budget.close()
})

test('without deletion the log warns of a budget that is used up, and every receipt stays', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  for (const id of ['req_1', 'req_2']) await ledger.reserve(ledgerEntry(id))
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const budget = LedgerBudget.start(database, { bytesMax: 1, deletes: false, logger })
  await budget.check()
  await budget.check()
  await budget.close()
  expect(budget.bytes).toBeGreaterThan(100_000)
  expect(warnings).toEqual([expect.stringMatching(/^the ledger uses .* no receipt is deleted/)])
  expect([await requestIds(database), budget.receiptsDeleted]).toEqual([['req_1', 'req_2'], 0])
})

test('receipts that were deleted before a failed write are counted, and the log names them (T52)', async ({
  skip,
}) => {
  skip(...onPostgres)
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  const entries = Array.from({ length: 600 }, (_, index) => ledgerEntry(`req_${index}`))
  await Promise.all(entries.map((entry) => ledger.reserve(entry)))
  await Promise.all(entries.map((entry) => ledger.settle(entry, settlement)))
  const counts: unknown[] = []
  const warn: Logger['warn'] = (_, fields) => counts.push(fields?.['count'])
  const write = database.write.bind(database)
  vi.spyOn(database, 'write')
    .mockImplementationOnce(write)
    .mockImplementationOnce(write)
    .mockRejectedValueOnce(unavailable('the disk stalls'))
  const budget = LedgerBudget.start(database, { bytesMax: 1, logger: { ...silentLogger, warn } })
  await expect(budget.check()).rejects.toMatchObject({ code: 'ledger_unavailable' })
  await budget.close()
  expect(budget.receiptsDeleted).toBe(400)
  expect(counts).toContain(400)
})

test('a reader that does not end makes the journal grow, which the log says; writes go on (F27)', async ({
  skip,
}) => {
  skip(...onPostgres)
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  const parameters = { metadata: { large: 'x'.repeat(32_000) } }
  let next = 0
  /** Writes more than the journal holds between two checkpoints, which are 32 MiB apart. */
  const write = async () => {
    const entries = Array.from({ length: 1200 }, () => ledgerEntry(`req_${next++}`, { parameters }))
    await Promise.all(entries.map((entry) => ledger.reserve(entry)))
    await budget.check()
  }
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const MiB = 1024 * 1024
  const options = { bytesMax: 1e12, logger, journalAlarm: 60 * MiB }
  const budget = LedgerBudget.start(database, options)

  await write()
  const calm = budget.journalBytes
  expect(calm).toBeGreaterThan(0)
  expect(calm).toBeLessThan(60 * MiB)

  const reader = openReadOnly(database.dataDir)
  reader.exec('BEGIN')
  reader.prepare('select count(*) from usage').get()
  await write()
  await write()
  const held = budget.journalBytes
  expect(held).toBeGreaterThan(64 * MiB)
  expect(warnings).toEqual([expect.stringMatching(/^the journal of the ledger has \d+ MiB/)])
  expect(await requestIds(database)).toHaveLength(next)

  reader.exec('COMMIT')
  reader.close()
  await write()
  expect(budget.journalBytes).toBeLessThanOrEqual(64 * MiB)
  await budget.close()
  const mib = (bytes: number) => `${Math.round(bytes / MiB)} MiB`
  recordFinding(
    'F27',
    `A reader that did not end let the journal grow from ${mib(calm)} to ${mib(held)}, writes went on, and the log and a metric said so; after it the journal had ${mib(budget.journalBytes)}.`,
  )
})

async function requestIds(database: Database): Promise<string[]> {
  const rows = await database.read(queries.selectFrom('usage').select('request_id'))
  return rows.map((row) => row.request_id)
}

const settlement = {
  outcome: 'completed',
  promptTokens: 11,
  cachedTokens: 0,
  completionTokens: 5,
} as const
