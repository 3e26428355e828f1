import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { ensureDefaultAccount } from '../../../src/accounts/accounts.ts'
import { createApiKey, editApiKey } from '../../../src/accounts/api-key-store.ts'
import type { Database } from '../../../src/storage/database.ts'
import { ChangeListener } from '../../../src/storage/postgres/changes.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { ExpiryClock } from '../../../src/usage/upkeep/expiry-clock.ts'
import { useDatabases } from '../../support/databases.ts'
import { HeldConnection } from '../../support/postgres/held-connection.ts'

/** Longer than the two seconds between two comparisons of the number of changes. */
const comparedMs = 2500

const databases = useDatabases()
const onChange = vi.fn<() => void>()
let here: Database

beforeEach(async () => {
  here = await databases.open()
  onChange.mockClear()
})

/** Opens the database as another service does, which counts the changes that it has to read. */
async function openFollower(): Promise<void> {
  const there = await databases.open()
  there.onForeignCommit(onChange)
}

test('a service that saves the time of its expiry clock announces no change', async () => {
  const clock = await ExpiryClock.open(here, { logger: silentLogger })
  await openFollower()
  await clock.save()
  await delay(comparedMs)
  expect(onChange).not.toHaveBeenCalled()
})

test('other services read a changed key once', async () => {
  const accountId = (await ensureDefaultAccount(here)).id
  const { id } = await createApiKey(here, { accountId, name: 'laptop' }, 1)
  await openFollower()
  await editApiKey(here, id, { name: 'phone' }, 2)
  await expect.poll(() => onChange).toHaveBeenCalled()
  await delay(comparedMs)
  expect(onChange).toHaveBeenCalledOnce()
})

test('a change is seen within 5 s although the connection for notices is lost without a sign', async () => {
  const proxy = await HeldConnection.start(databases.environment.PIPIT_DATABASE_URL)
  const listener = await ChangeListener.start({
    url: proxy.url,
    isOwn: () => false,
    changed: onChange,
  })
  try {
    proxy.holdOpenOnes()
    const accountId = (await ensureDefaultAccount(here)).id
    await createApiKey(here, { accountId, name: 'laptop' }, 1)
    await expect.poll(() => onChange, { timeout: 5000 }).toHaveBeenCalled()
  } finally {
    await listener.close()
    await proxy.close()
  }
})
