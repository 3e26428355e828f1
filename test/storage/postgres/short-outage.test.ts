import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/database.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import { useDatabases } from '../../support/databases.ts'
import { Relay } from '../../support/http/relay.ts'
import { ledgerEntry } from '../../support/ledger-entry.ts'

const databases = useDatabases()

/** Opens the database of the test through a relay, which can cut it off. */
async function openThroughRelay() {
  const url = new URL(databases.environment.PIPIT_DATABASE_URL)
  const target = { url: `http://127.0.0.1:${url.port}` }
  const relay = await Relay.start(target)
  url.port = new URL(relay.url).port
  const database = await openDatabase(databases.dataDir, { url: url.href, serve: true })
  return {
    database,
    ledger: Ledger.open(database, 'boot_1'),
    /** Cuts PostgreSQL off, and waits until the service has noticed. */
    cut: async () => {
      relay.cut()
      await expect.poll(() => database.healthy).toBe(false)
    },
    /** Number of attempts to connect while PostgreSQL was cut off. */
    attempts: () => relay.refused,
    heal: () => relay.passTo(target),
    close: async () => {
      await database.close()
      await relay.close()
    },
  }
}

test('statements that begin during a short outage wait for its end, and take effect once (F29)', async () => {
  const { database, ledger, cut, attempts, heal, close } = await openThroughRelay()
  try {
    await ledger.reserve(ledgerEntry('req_before'))
    await cut()
    const writes = Promise.all(['req_1', 'req_2'].map((id) => ledger.reserve(ledgerEntry(id))))
    const read = ledger.find('req_before')
    const before = attempts()
    await expect.poll(attempts).toBeGreaterThan(before + 2)
    heal()
    await writes
    expect(await read).toMatchObject({ state: 'reserved' })
    for (const id of ['req_1', 'req_2'])
      expect(await ledger.find(id)).toMatchObject({ state: 'reserved' })
    await expect.poll(() => database.healthy).toBe(true)
  } finally {
    await close()
  }
})

test('a longer outage refuses what has waited and what comes later, until PostgreSQL is back (F29)', async () => {
  const { database, ledger, cut, attempts, heal, close } = await openThroughRelay()
  try {
    await cut()
    const refused = { code: 'ledger_unavailable' }
    await expect(ledger.reserve(ledgerEntry('req_1'))).rejects.toMatchObject(refused)
    const before = attempts()
    await expect(ledger.reserve(ledgerEntry('req_2'))).rejects.toMatchObject(refused)
    // It failed with its own first attempt, or with one that was under way.
    expect(attempts() - before).toBeLessThan(10)
    await expect(ledger.find('req_1')).rejects.toMatchObject(refused)
    heal()
    await expect.poll(() => database.healthy).toBe(true)
    await ledger.reserve(ledgerEntry('req_3'))
    for (const id of ['req_1', 'req_2']) expect(await ledger.find(id)).toBeUndefined()
  } finally {
    await close()
  }
})
