import pg from 'pg'
import { expect, test } from 'vitest'
import { schemaVersion } from '../../../src/storage/postgres/schema.ts'
import { useDatabases } from '../../support/databases.ts'
import { runCommand } from '../../support/terminal/run-command.ts'

type Finding = { state: string; name: string; text: string; remedy?: string }

const databases = useDatabases()

/** Returns the findings on the database and its ledger. */
async function doctor(url = databases.environment.PIPIT_DATABASE_URL): Promise<Finding[]> {
  const { stdout } = await runCommand(['doctor', '--json'], {
    ...databases.environment,
    PIPIT_DATABASE_URL: url,
    PIPIT_ENGINE: 'scripted',
    PIPIT_PORT: '0',
    PIPIT_METRICS_PORT: '0',
  })
  const findings = JSON.parse(stdout) as Finding[]
  return findings.filter(({ name }) => name === 'database' || name === 'ledger')
}

async function change(sql: string): Promise<void> {
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

function guestUrl(): string {
  const url = new URL(databases.environment.PIPIT_DATABASE_URL)
  url.username = 'guest'
  return url.href
}

test('doctor names the version of the tables, and checks the ledger', async () => {
  await databases.open()
  expect(await doctor()).toEqual([
    {
      state: 'ok',
      name: 'database',
      text: expect.stringMatching(
        new RegExp(
          `^PostgreSQL \\d+.* at postgres://.*; its tables have version ${schemaVersion}$`,
        ),
      ),
    },
    { state: 'ok', name: 'ledger', text: '0 entries agree with their sums' },
  ])
  await change(
    `insert into usage_sums (account_id, key_id, span, begin_ms, requests, errors, prompt_tokens, cached_tokens,
      completion_tokens) values ('acct_1', 'key_1', 'hour', 0, 1, 0, 0, 0, 0)`,
  )
  const [, ledger] = await doctor()
  expect(ledger).toMatchObject({
    state: 'fault',
    text: 'The ledger has accounts whose sums by hour, day and month differ: acct_1 (I3).',
    remedy: expect.stringMatching(/^Stop the service and keep a copy of its database\./),
  })
})

test('doctor says what a start will do with the tables', async () => {
  expect(await doctor()).toMatchObject([
    { state: 'ok', text: expect.stringMatching(/; the first start creates/) },
  ])
  await databases.open()
  await change(`delete from schema_migrations where version = ${schemaVersion}`)
  expect(await doctor()).toMatchObject([
    { state: 'note', text: expect.stringMatching(/upgrades its tables from version/) },
  ])
  await change(`insert into schema_migrations values (${schemaVersion + 1}, 'later', 0)`)
  expect(await doctor()).toMatchObject([
    {
      state: 'note',
      text: expect.stringMatching(/a newer Pipit wrote its tables .* which this one can use$/),
    },
    { state: 'ok', name: 'ledger' },
  ])
  await change(`update schema_needs set version = ${schemaVersion + 1}`)
  expect(await doctor()).toMatchObject([
    {
      state: 'fault',
      text: expect.stringMatching(/was written by a newer Pipit .* Start that version/),
    },
  ])
})

test('doctor names a server that does not answer, and a user that may not create tables', async () => {
  expect(await doctor('postgres://pipit@127.0.0.1:1/pipit')).toMatchObject([
    {
      state: 'fault',
      text: expect.stringMatching(/no PostgreSQL answers there\. Check PIPIT_DATABASE_URL\.$/),
    },
  ])
  await change('create role guest login')
  try {
    expect(await doctor(guestUrl())).toMatchObject([
      {
        state: 'fault',
        text: expect.stringMatching(/its user may not create tables/),
        remedy: expect.stringMatching(/^Make the user the owner/),
      },
    ])
  } finally {
    await change('drop role guest')
  }
})

test('doctor names tables that the user may not write, and the owner of those that it may not upgrade', async () => {
  await databases.open()
  await change('create role guest login; grant create on schema public to guest')
  try {
    const url = guestUrl()
    await expect(databases.open({ url })).rejects.toThrow(
      'cannot be used: permission denied for table schema_migrations. Check PIPIT_DATABASE_URL.',
    )
    await change('grant select on all tables in schema public to guest')
    expect(await doctor(url)).toMatchObject([
      {
        state: 'fault',
        text: expect.stringMatching(
          /its user may not write to the tables accounts, alert_deliveries, alert_settings and others\.$/,
        ),
        remedy: expect.stringMatching(/^Make the user their owner/),
      },
      { state: 'ok', name: 'ledger' },
    ])
    await change('grant insert, update, delete on all tables in schema public to guest')
    expect(await doctor(url)).toMatchObject([
      { state: 'ok', name: 'database' },
      { state: 'ok', name: 'ledger' },
    ])
    await change('delete from schema_migrations where version > 15')
    expect(await doctor(url)).toMatchObject([
      {
        state: 'fault',
        text: expect.stringMatching(/may not upgrade the tables, .* some belong to pipit\.$/),
        remedy: expect.stringMatching(/`grant pipit to` it\.$/),
      },
    ])
    await expect(databases.open({ url })).rejects.toThrow('must be owner of table replicas')
  } finally {
    await change('drop owned by guest; drop role guest')
  }
})
