import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { ensureDefaultAccount } from '../../../src/accounts/accounts.ts'
import { ApiKeys } from '../../../src/accounts/api-keys.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { toPostgres } from '../../../src/storage/postgres/to-postgres.ts'
import { unavailable } from '../../../src/storage/storage-fault.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import { useDatabases } from '../../support/databases.ts'
import { ledgerEntry } from '../../support/ledger-entry.ts'

const databases = useDatabases()

async function runSql(sql: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databases.environment.PIPIT_DATABASE_URL,
    // Otherwise it could not end what `setReadOnly` begins.
    options: '-c default_transaction_read_only=off',
  })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Ends all connections of Pipit to the database of the test. */
async function cutConnections(): Promise<void> {
  await runSql(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pipit' and datname = current_database()",
  )
}

/** Allows or forbids writes on connections that are opened from now on, as providers do when a disk is full. */
async function setReadOnly(readOnly: boolean): Promise<void> {
  const { pathname } = new URL(databases.environment.PIPIT_DATABASE_URL ?? '')
  await runSql(
    `alter database "${pathname.slice(1)}" set default_transaction_read_only = ${readOnly}`,
  )
}

test('after its connections are cut, the ledger goes on and no entry is lost or doubled (F29)', async () => {
  const database = await databases.open({ serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  const written: string[] = []
  for (let number = 0; number < 60; number++) {
    if (number % 20 === 10) await cutConnections()
    const id = `req_${number}`
    try {
      await ledger.reserve(ledgerEntry(id))
      written.push(id)
    } catch (error) {
      expect(error).toMatchObject({ code: 'ledger_unavailable' })
      await expect.poll(() => database.healthy, { timeout: 20_000 }).toBe(true)
    }
  }
  expect(written.length).toBeGreaterThan(40)
  for (const id of written) expect(await ledger.find(id)).toMatchObject({ state: 'reserved' })
})

test('a reservation that is committed after its withdrawal began is taken back, and charges nothing (F29)', async () => {
  const database = await databases.open({ serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  const late = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await late.connect()
  try {
    // The backend of a connection that was given up still commits what it had received.
    await late.query('begin')
    const write = vi.spyOn(database, 'write').mockImplementationOnce(async (steps) => {
      for (const { sql, parameters } of steps.map(toPostgres))
        await late.query(sql, [...parameters])
      throw unavailable('the connection was given up')
    })
    await expect(ledger.reserve(ledgerEntry('req_1'))).rejects.toMatchObject({
      code: 'ledger_unavailable',
    })
    write.mockRestore()
    await runSql('select pg_sleep(0.3)')
    expect(ledger.holds('req_1')).toBe(true)
    await late.query('commit')
    await expect.poll(() => ledger.holds('req_1'), { timeout: 20_000 }).toBe(false)
    expect(await ledger.find('req_1')).toBeUndefined()
  } finally {
    await late.end()
  }
})

test('a change that another process makes after a cut is followed', async () => {
  const database = await databases.open({ serve: true })
  const accountId = (await ensureDefaultAccount(database)).id
  const keys = await ApiKeys.open(database)
  const other = await databases.open()
  const { key } = await (await ApiKeys.open(other)).create({ accountId, name: 'before the cut' })
  await expect.poll(() => keys.check(key)?.name, { timeout: 10_000 }).toBe('before the cut')

  await cutConnections()
  // The first write of `other` finds its connection cut.
  await other.write([]).catch(() => {})
  await expect.poll(() => other.healthy, { timeout: 20_000 }).toBe(true)
  const later = await (await ApiKeys.open(other)).create({ accountId, name: 'after the cut' })
  await expect.poll(() => keys.check(later.key)?.name, { timeout: 10_000 }).toBe('after the cut')
  keys.close()
})

test('a database that was read-only for a while takes writes again, without a restart (F31)', async () => {
  const database = await databases.open({ serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  try {
    await setReadOnly(true)
    await cutConnections()
    await expect.poll(() => database.healthy, { timeout: 20_000 }).toBe(false)
    await expect(ledger.reserve(ledgerEntry('req_1'))).rejects.toMatchObject({
      code: 'ledger_unavailable',
    })
    await expect(databases.open({ serve: true })).rejects.toThrow(/ is read-only: /)
  } finally {
    await setReadOnly(false)
  }
  await expect.poll(() => database.healthy, { timeout: 20_000 }).toBe(true)
  await ledger.reserve(ledgerEntry('req_2'))
  expect(await ledger.find('req_2')).toMatchObject({ state: 'reserved' })
})

test('a connection that becomes read-only is replaced (F31)', async () => {
  const database = await databases.open({ serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  await ledger.reserve(ledgerEntry('req_1'))
  await database.write([{ sql: 'set default_transaction_read_only = on', parameters: [] }])
  await ledger.reserve(ledgerEntry('req_2')).catch(() => {})
  await expect.poll(() => database.healthy, { timeout: 20_000 }).toBe(true)
  await ledger.reserve(ledgerEntry('req_3'))
  expect(await ledger.find('req_3')).toMatchObject({ state: 'reserved' })
})

test('several services share a database, but not with a version that counts limits alone', async () => {
  await databases.open({ serve: true })
  await (await databases.open({ serve: true })).close()
  await databases.open()
  const old = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await old.connect()
  try {
    const lock = 'select pg_try_advisory_lock(1346981972) as taken'
    expect((await old.query(lock)).rows).toEqual([{ taken: false }])
  } finally {
    await old.end()
  }
})

test('a service of a version that counts limits alone keeps others out', async () => {
  const old = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await old.connect()
  try {
    await old.query('select pg_advisory_lock(1346981972)')
    await expect(databases.open({ serve: true })).rejects.toThrow(
      /^A pipit service of an older version, which does not share limits, uses postgres:.+ Stop it first/,
    )
  } finally {
    await old.end()
  }
})

test.each([
  ['postgres://pipit:sesame@127.0.0.1:1/pipit', /no PostgreSQL answers there/],
  ['postgres://pipit:sesame@nowhere.invalid/pipit', /its host name is unknown/],
  ['mysql://pipit:sesame@127.0.0.1/pipit', /must have the form postgres:/],
  ['sesame', /must have the form postgres:/],
])('the start with %s fails in a sentence without the password (F43)', async (url, message) => {
  const error = await openDatabase(databases.dataDir, { url }).catch((cause: unknown) => cause)
  expect(String(error)).toMatch(message)
  expect(String(error)).not.toContain('sesame')
})
