import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import type { Logger } from '../../src/telemetry/logger.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { ExpiryClock } from '../../src/usage/upkeep/expiry-clock.ts'
import { Retention } from '../../src/usage/upkeep/retention.ts'
import { useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const dayMs = 86_400_000
const noonMs = Date.UTC(2026, 5, 15, 12)

const databases = useDatabases()
let database: Database
let wallMs: number
let steadyMs: number
let warnings: string[]
const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }

beforeEach(async () => {
  database = await databases.open()
  wallMs = noonMs
  steadyMs = 1000
  warnings = []
})

test('a wall clock that jumps 40 days ahead advances expiry by two days per day (F23, T54)', async () => {
  const clock = await open()
  wallMs += 40 * dayMs
  expect(clock.nowMs()).toBe(noonMs)
  expect(warnings).toHaveLength(1)
  pass(dayMs)
  expect(clock.nowMs()).toBe(noonMs + 2 * dayMs)
  pass(39 * dayMs)
  expect(clock.nowMs()).toBe(noonMs + 80 * dayMs)
  expect(wallMs).toBe(noonMs + 80 * dayMs)
  pass(dayMs)
  expect(clock.nowMs()).toBe(wallMs)
  expect(warnings).toHaveLength(1)
})

test('the clock gives whole milliseconds, as the databases store them', async () => {
  const clock = await open()
  wallMs += 40 * dayMs
  steadyMs += 10.3
  expect(clock.nowMs()).toBe(noonMs + 20)
})

test('starts with a wrong clock, however many, do not advance expiry (F23, T54)', async () => {
  await (await open()).save()
  wallMs += 40 * dayMs
  for (let start = 0; start < 5; start++) expect((await open()).nowMs()).toBe(noonMs)
  expect(warnings).toHaveLength(5)
  wallMs = noonMs + dayMs
  expect((await open()).nowMs()).toBe(noonMs + dayMs)
})

test('after two days off, expiry follows the wall clock at once (F23, T54)', async () => {
  await open()
  wallMs += 2 * dayMs
  expect((await open()).nowMs()).toBe(wallMs)
  expect(warnings).toEqual([])
})

test('a wall clock that goes back expires nothing, and expiry goes on from there (F23, T54)', async () => {
  const clock = await open()
  wallMs -= dayMs
  expect(clock.nowMs()).toBe(noonMs - dayMs)
  pass(dayMs / 2)
  expect(clock.nowMs()).toBe(noonMs - dayMs / 2)
  wallMs = noonMs + dayMs
  expect(clock.nowMs()).toBe(noonMs)
  pass(dayMs)
  expect(clock.nowMs()).toBe(wallMs)
})

test('the first start of this version knows the time from the newest entry (F23, T54)', async () => {
  const ledger = Ledger.open(database, 'boot_1')
  await settled(ledger, 'req_1', noonMs - 20 * dayMs)
  await settled(ledger, 'req_2', noonMs - dayMs)
  wallMs = noonMs + 40 * dayMs
  expect((await open()).nowMs()).toBe(noonMs - dayMs)
})

test('one sweep with the clock 40 days ahead deletes no more than a right clock (F23, T54)', async () => {
  const ledger = Ledger.open(database, 'boot_1')
  for (let day = 0; day < 40; day++)
    await settled(ledger, `req_${day}`, noonMs - day * dayMs - dayMs / 2)
  wallMs = noonMs + 40 * dayMs
  const clock = await open()
  const retention = Retention.start(database, { receiptDays: 30, logger, clock })
  expect(await retention.sweep()).toBe(9)
  pass(dayMs)
  expect(await retention.sweep()).toBe(2)
  await retention.close()
  const left = await database.read(queries.selectFrom('usage').select('request_id'))
  expect(left).toHaveLength(29)
})

function open(): Promise<ExpiryClock> {
  return ExpiryClock.open(database, { logger, now: () => wallMs, steadyMs: () => steadyMs })
}

function pass(ms: number): void {
  wallMs += ms
  steadyMs += ms
}

async function settled(ledger: Ledger, requestId: string, createdMs: number): Promise<void> {
  const entry = ledgerEntry(requestId, { createdMs })
  await ledger.reserve(entry)
  await ledger.settle(entry, {
    outcome: 'completed',
    promptTokens: 11,
    cachedTokens: 0,
    completionTokens: 5,
  })
}
