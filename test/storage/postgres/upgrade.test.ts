import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { listApiKeys } from '../../../src/accounts/api-key-store.ts'
import { baseTables, baseVersion } from '../../../src/storage/postgres/base-tables.ts'
import {
  changeChannel,
  readSchema,
  type SchemaUpgrade,
  upgradeSchema,
  upgrades,
} from '../../../src/storage/postgres/schema.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { Replica } from '../../../src/usage/replicas/replica.ts'
import { useDatabases } from '../../support/databases.ts'

const databases = useDatabases()

const next = upgrades.length + baseVersion + 1
const expand = {
  version: next,
  name: 'note',
  sql: `alter table usage add column note text not null default 'none'`,
}
const contraction = {
  version: next + 1,
  name: 'without-seed',
  sql: 'alter table usage drop column seed',
  needs: next,
}

/** Upgrades the database like a service that also knows these upgrades. */
async function upgradeTo(...later: SchemaUpgrade[]): Promise<void> {
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    await upgradeSchema(client, 1, { steps: [...upgrades, ...later] })
  } finally {
    await client.end()
  }
}

test('the first tables of PostgreSQL are upgraded once, and their rows stay', async () => {
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    await client.query(baseTables(changeChannel))
    await client.query(`
      insert into schema_migrations (version, name, applied_ms) values (${baseVersion}, 'base-tables', 0);
      insert into accounts (id, name, created_ms) values ('acct_1', 'default', 1);
      insert into api_keys (id, account_id, name, digest, created_ms) values ('key_1', 'acct_1', 'old', 'd', 1)`)
  } finally {
    await client.end()
  }
  const onUpgrade = vi.fn<() => void>()
  const database = await databases.open({ onUpgrade })
  expect(await listApiKeys(database, 2)).toMatchObject([{ id: 'key_1', hint: undefined }])
  await databases.open({ onUpgrade })
  expect(onUpgrade).toHaveBeenCalledOnce()
})

test('the first start on an empty database is no upgrade', async () => {
  const onUpgrade = vi.fn<() => void>()
  await databases.open({ onUpgrade })
  expect(onUpgrade).not.toHaveBeenCalled()
})

test('a service starts on tables that a newer version has only added to (F40)', async () => {
  await databases.open()
  await upgradeTo(expand)
  const database = await databases.open({ serve: true })
  await Replica.register(database, { address: 'old', version: '1.2.3', logger: silentLogger })
  expect(await listApiKeys(database, 2)).toEqual([])
})

test('a service that is too old for tables from which something was removed does not start (F40)', async () => {
  await databases.open()
  await upgradeTo(expand, contraction)
  await expect(databases.open({ serve: true })).rejects.toThrow(
    `The database was written by a newer Pipit (schema ${next + 1}, which needs at least ${next}; this version supports ` +
      `up to ${next - 1}). Start that version, or restore a backup from before the upgrade.`,
  )
  await upgradeTo(expand)
})

test('nothing is removed from the tables while a service runs that uses it (F40)', async () => {
  const database = await databases.open({ serve: true })
  const replica = await Replica.register(database, {
    address: 'old:8080',
    version: '1.2.3',
    logger: silentLogger,
  })
  await upgradeTo(expand)
  await expect(upgradeTo(expand, contraction)).rejects.toThrow(
    `The service at old:8080 is of a version that is too old for the tables of this one (they need schema ${next}). ` +
      'Upgrade all services to the version before this one first, or stop them.',
  )
  const kept = { sql: 'select seed, note from usage', parameters: [] }
  expect(await database.readRows(kept)).toEqual([])
  await replica.close()
  await upgradeTo(expand, contraction)
  await expect(database.readRows(kept)).rejects.toThrow('seed')
})

test('an upgrade that waits for a dump of the tables holds up no running service (F40)', async () => {
  const newClient = () => new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  const [upgrader, dump, service] = [newClient(), newClient(), newClient()]
  const clients = [upgrader, dump, service]
  try {
    await Promise.all(clients.map((client) => client.connect()))
    await upgradeSchema(upgrader, 1, { steps: upgrades.filter(({ version }) => version <= 15) })
    await dump.query('begin; select * from replicas')
    const onBlocked = vi.fn<() => void>()
    const upgraded = upgradeSchema(upgrader, 1, { onBlocked })
    await expect
      .poll(async () => (await service.query('select from pg_locks where not granted')).rowCount)
      .toBeGreaterThan(0)
    await service.query("set statement_timeout = '5s'")
    await service.query('update replicas set heartbeat_ms = pipit_now()')
    await expect.poll(() => onBlocked).toHaveBeenCalledOnce()
    await dump.query('commit')
    await upgraded
    expect(await readSchema(service)).toMatchObject({ state: 'current' })
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
})
