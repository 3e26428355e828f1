import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ensureDefaultAccount } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import type { Database } from '../../src/storage/database.ts'
import { hourMs, minuteMs } from '../../src/time/durations.ts'
import { useDatabases } from '../support/databases.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)

const databases = useDatabases()
let database: Database
let keys: ApiKeys
let nowMs: number
let accountId: string
beforeEach(async () => {
  nowMs = noonMs
  database = await databases.open({ serve: true })
  accountId = (await ensureDefaultAccount(database)).id
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  keys = await ApiKeys.open(database, () => nowMs)
})
afterEach(() => {
  vi.useRealTimers()
  keys.close()
})

test.each(['start', 'change of a key'])(
  'a key that a wrong clock had expired at the %s works within a minute of the correction',
  async (moment) => {
    const { key } = await keys.create({ accountId, name: 'laptop', expiresMs: noonMs + hourMs })
    nowMs = noonMs + 2 * hourMs
    if (moment === 'start') {
      keys.close()
      keys = await ApiKeys.open(database, () => nowMs)
    } else await keys.create({ accountId, name: 'phone' })
    expect(keys.check(key)).toBeUndefined()
    nowMs = noonMs + minuteMs
    vi.advanceTimersByTime(minuteMs)
    await expect.poll(() => keys.check(key)?.name).toBe('laptop')
  },
)

test('a key expires after a correction of the clock, too', async () => {
  const { key } = await keys.create({ accountId, name: 'laptop', expiresMs: noonMs + hourMs })
  nowMs = noonMs - hourMs
  vi.advanceTimersByTime(minuteMs)
  const caller = keys.check(key)
  nowMs = noonMs + hourMs
  expect(keys.check(key)).toBeUndefined()
  vi.advanceTimersByTime(minuteMs)
  expect(caller?.revoked.aborted).toBe(true)
})
