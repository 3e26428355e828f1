import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceError } from '../../src/errors.ts'
import { entryOpenMaxMs, retriedWritesMax } from '../../src/limits.ts'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import { toError } from '../../src/storage/storage-fault.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { type Claim, Ledger } from '../../src/usage/ledger.ts'
import { sweepOrphans } from '../../src/usage/upkeep/orphan-sweep.ts'
import { useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { totals } from '../support/usage-sums.ts'

const databases = useDatabases()
let database: Database
let ledger: Ledger

beforeEach(async () => {
  database = await databases.open()
  ledger = Ledger.open(database, 'boot_1')
})

describe('a settlement that fails', () => {
  test('is repeated until it is on disk, and counts once (F27, T53)', async () => {
    await ledger.reserve(entry, claim)
    failWrites(2)
    await expect(ledger.settle(entry, settlement, { reply: 'kept' })).rejects.toMatchObject({
      code: 'ledger_unavailable',
    })
    await expect.poll(() => stateOf('req_1'), { timeout: 10_000 }).toBe('final')
    expect(await ledger.findReply(claim)).toBe('kept')
    expect(await totals(database, 'acct_1')).toMatchObject({ requests: 1, completionTokens: 5 })
    expect(await ledger.closeOrphans()).toBe(0)
  })

  test('is written by the last attempt when the service stops (F14, T53)', async () => {
    await ledger.reserve(entry, claim)
    failWrites(1)
    await expect(ledger.settle(entry, settlement, { reply: undefined })).rejects.toThrow(
      'The disk is full',
    )
    await ledger.close()
    expect(await stateOf('req_1')).toBe('final')
    expect(await ledger.findReply(claim)).toBeUndefined()
  })

  test('that took effect before its error was reported changes nothing more (T53)', async () => {
    await ledger.reserve(entry)
    const write = database.writeGuarded.bind(database)
    vi.spyOn(database, 'writeGuarded').mockImplementationOnce(async (...given) => {
      await write(...given)
      throw unavailable()
    })
    await expect(ledger.settle(entry, settlement)).rejects.toThrow('The disk is full')
    await ledger.close()
    expect(await totals(database, 'acct_1')).toMatchObject({ requests: 1, completionTokens: 5 })
  })

  test('is not closed by the sweep while it waits for its repeat (I2, T53)', async () => {
    await ledger.reserve(entry)
    failWrites(1)
    await expect(ledger.settle(entry, settlement)).rejects.toThrow('The disk is full')
    expect(await ledger.closeOrphans()).toBe(0)
    await ledger.close()
    expect(await outcomeOf('req_1')).toBe('completed')
  })

  test('is given up when too many wait, and the sweep closes its entry (I2, T53)', async () => {
    const entries = Array.from({ length: retriedWritesMax + 1 }, (_, i) => ledgerEntry(`req_${i}`))
    await Promise.all(entries.map((one) => ledger.reserve(one)))
    failWrites(entries.length)
    await Promise.allSettled(entries.map((one) => ledger.settle(one, settlement)))
    expect(await ledger.closeOrphans()).toBe(1)
    expect(await outcomeOf(`req_${retriedWritesMax}`)).toBe('server_crash')
    await ledger.close()
    expect(await outcomeOf('req_0')).toBe('completed')
  })
})

test('a reservation that was written although it failed is taken back (T53)', async () => {
  const write = database.writeGuarded.bind(database)
  vi.spyOn(database, 'writeGuarded')
    .mockImplementationOnce(async (...given) => {
      await write(...given)
      throw unavailable()
    })
    .mockRejectedValueOnce(unavailable())
  await expect(ledger.reserve(entry, claim)).rejects.toMatchObject({ code: 'ledger_unavailable' })
  await expect.poll(() => stateOf('req_1'), { timeout: 10_000 }).toBeUndefined()
  expect(await ledger.findReply(claim)).toBeUndefined()
})

test('an entry that is being taken back is not closed and charged by the sweep (I2, T53)', async () => {
  const write = database.write.bind(database)
  vi.spyOn(database, 'write').mockImplementationOnce(async (...given) => {
    await write(...given)
    throw unavailable()
  })
  const stuck = Promise.withResolvers<void>()
  const writeGuarded = database.writeGuarded.bind(database)
  vi.spyOn(database, 'writeGuarded').mockImplementationOnce(async (...given) => {
    await stuck.promise
    return await writeGuarded(...given)
  })
  await expect(ledger.reserve(entry)).rejects.toMatchObject({ code: 'ledger_unavailable' })
  expect(await ledger.closeOrphans()).toBe(0)
  stuck.resolve()
  await expect.poll(() => stateOf('req_1')).toBeUndefined()
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 0 })
})

test.each([
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_BUSY', 'another process locks the file'],
  ['POSTGRES_53100', 'the disk of PostgreSQL is full'],
  ['POSTGRES_UNSENT_ECONNREFUSED', 'PostgreSQL is away'],
])('a reservation that storage has undone is not taken back: %s, %s', async (code, message) => {
  vi.spyOn(database, 'write').mockRejectedValueOnce(toError({ code, message }))
  const writeGuarded = vi.spyOn(database, 'writeGuarded')
  await expect(ledger.reserve(entry)).rejects.toMatchObject({ code: 'ledger_unavailable' })
  expect(writeGuarded).not.toHaveBeenCalled()
  expect(ledger.holds('req_1')).toBe(false)
})

test.each(['POSTGRES_CONNECTION_ECONNRESET', 'SQLITE_IOERR_FSYNC'])(
  'a reservation that may have been committed is taken back: %s',
  async (code) => {
    vi.spyOn(database, 'write').mockRejectedValueOnce(toError({ code, message: 'failed' }))
    const writeGuarded = vi.spyOn(database, 'writeGuarded')
    await expect(ledger.reserve(entry)).rejects.toMatchObject({ code: 'ledger_unavailable' })
    expect(writeGuarded).toHaveBeenCalledOnce()
  },
)

test('settlements that wait for their repeat take the room of reservations that are taken back', async () => {
  await ledger.reserve(entry)
  vi.spyOn(database, 'write').mockImplementation(async () => {
    throw unavailable()
  })
  failWrites(retriedWritesMax + 2)
  const refused = Array.from({ length: retriedWritesMax }, (_, i) => ledgerEntry(`refused_${i}`))
  await Promise.allSettled(refused.map((one) => ledger.reserve(one)))
  await expect.poll(() => ledger.holds(`refused_${retriedWritesMax - 1}`)).toBe(true)
  await expect(ledger.settle(entry, settlement)).rejects.toThrow('The disk is full')
  // The oldest one is dropped for each write beyond the maximum.
  expect(ledger.holds('req_1')).toBe(true)
  vi.restoreAllMocks()
  await ledger.close()
  expect(await outcomeOf('req_1')).toBe('completed')
})

describe('the sweep', () => {
  test('closes a reserved entry and its idempotency key once no request can hold them (I2, T53)', async () => {
    let steadyMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => steadyMs)
    await ledger.reserve(entry, claim)
    ledger.checkpoint('req_1', 64)
    steadyMs = entryOpenMaxMs - 1
    expect(await ledger.closeOrphans()).toBe(0)
    steadyMs = entryOpenMaxMs
    expect(await ledger.closeOrphans()).toBe(1)
    vi.restoreAllMocks()
    expect(await outcomeOf('req_1')).toBe('server_crash')
    expect(await ledger.findReply(claim)).toBeUndefined()
    expect(await totals(database, 'acct_1')).toMatchObject({ requests: 1, completionTokens: 64 })
  })

  test('runs while the service runs (I2, T53)', async () => {
    await Ledger.open(database, 'boot_0').reserve(entry)
    const stop = sweepOrphans(ledger, silentLogger, 10)
    await expect.poll(() => stateOf('req_1')).toBe('final')
    stop()
  })
})

const entry = ledgerEntry('req_1')
const claim: Claim = {
  accountId: 'acct_1',
  route: 'chat.completions',
  keyDigest: 'key_1',
  fingerprint: 'body',
}
const settlement = {
  outcome: 'completed',
  promptTokens: 11,
  cachedTokens: 0,
  completionTokens: 5,
} as const

const unavailable = () => new ServiceError('ledger_unavailable', 'The disk is full.')

/** Makes the next writes of the ledger fail, as a locked file does. */
function failWrites(count: number): void {
  const spy = vi.spyOn(database, 'writeGuarded')
  for (let i = 0; i < count; i++) spy.mockRejectedValueOnce(unavailable())
}

async function stateOf(requestId: string): Promise<string | undefined> {
  return (await ledger.find(requestId))?.state
}

async function outcomeOf(requestId: string): Promise<string | null | undefined> {
  const [row] = await database.read(
    queries.selectFrom('usage').select('outcome').where('request_id', '=', requestId),
  )
  return row?.outcome
}
