import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/database.ts'
import { transferredTables } from '../../../src/storage/transfer/transferred-tables.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import { startOfDay } from '../../../src/usage/utc-periods.ts'
import { useDatabases } from '../../support/databases.ts'
import { ledgerEntry } from '../../support/ledger-entry.ts'
import { createOldDatabase } from '../../support/old-database.ts'
import { admin, postPanel, setUp } from '../../support/panel/panel.ts'
import { mainFile, runCli } from '../../support/process.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

type Migration = {
  state: string
  resumed: boolean
  rowsWritten: number
  rows: number
  seconds: number
  writeMs: number
  tables: Record<string, { rows: number; sums: Record<string, string> }>
}

const entries = 6000
/** The tests start many processes, which is slow on a busy machine. */
const timeoutMs = 180_000
const inUsage = "select 1 from pipit_transfer where table_name = 'usage' and after_key <> ''"
const databases = useDatabases()
let sourceDir: string

beforeEach(() => {
  sourceDir = mkdtempSync(join(tmpdir(), 'pipit-source-'))
})
afterEach(() => rmSync(sourceDir, { recursive: true, force: true }))

test(
  'a migration goes on after kill -9, and keys, limits, usage, receipts and sign-in are equal afterwards',
  async () => {
    const before = await fillSource(entries)
    const bytes = readFileSync(join(sourceDir, 'pipit.db'))
    await killMigration('select 1 from pipit_transfer')
    await killMigration(inUsage, { before: 'usage_sums' })
    await expect(startOnTarget()).rejects.toThrow(
      /A `pipit migrate` to this database has not finished\. Run the same command again/,
    )
    await killMigration("select 1 from pipit_transfer where table_name = 'idempotency'", {
      before: 'audit_log',
    })

    const last = await migrate()
    expect(last).toMatchObject({ state: 'copied', resumed: true })
    expect(last.rowsWritten).toBeLessThan(entries)
    expect(last.tables['usage']?.rows).toBe(before.rows)
    expect(await count('usage')).toBe(before.rows)
    expect(readFileSync(join(sourceDir, 'pipit.db')).equals(bytes)).toBe(true)
    expect(await migrate()).toMatchObject({ state: 'already', rowsWritten: 0 })

    copyFileSync(join(sourceDir, 'panel.secret'), join(databases.dataDir, 'panel.secret'))
    const service = await startOnTarget()
    try {
      expect(await factsOf(service, before)).toEqual(before.facts)
      const replay = await service.post(question, {
        key: before.key,
        headers: { 'idempotency-key': 'order-1' },
      })
      expect(replay.headers.get('idempotency-replayed')).toBe('true')
      expect(await replay.json()).toMatchObject({ id: before.replyId })
      const again = { email: admin.email, password: admin.password }
      expect((await postPanel(service, '/auth/sign-in/email', again)).status).toBe(200)
      expect((await service.post(question, { key: before.key })).status).toBe(200)
    } finally {
      await service.close()
    }
  },
  timeoutMs,
)

test(
  'a text with U+0000, which PostgreSQL refuses, is copied with U+FFFD in its place',
  async () => {
    const source = await openDatabase(sourceDir, { serve: true })
    const ledger = Ledger.open(source, 'boot_fill')
    const entry = ledgerEntry('fill_0')
    await ledger.reserve(entry)
    await ledger.settle(entry, {
      outcome: 'refused',
      promptTokens: 0,
      cachedTokens: 0,
      completionTokens: 0,
      error: { code: 'invalid_value', param: 'metadata.\0', message: 'metadata.\0 is \ud800.' },
    })
    await source.close()
    expect(await migrate()).toMatchObject({ state: 'copied' })
    expect(await query('select error_param, error_message from usage')).toEqual([
      { error_param: 'metadata.\ufffd', error_message: 'metadata.\ufffd is \ufffd.' },
    ])
    expect(await migrate()).toMatchObject({ state: 'already' })
  },
  timeoutMs,
)

test(
  'every table of the file has its place in a migration',
  async () => {
    const source = await openDatabase(sourceDir)
    try {
      const rows = await source.readRows({
        sql: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
        parameters: [],
      })
      const names = rows
        .map(({ name }) => String(name))
        .filter((name) => name !== 'schema_migrations')
      expect(transferredTables.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    } finally {
      await source.close()
    }
  },
  timeoutMs,
)

test(
  'a source that a service uses, that is old, foreign or missing is refused, and nothing is created',
  async () => {
    const service = await startTestService({ dataDir: sourceDir })
    try {
      const link = join(sourceDir, 'current.db')
      symlinkSync(join(sourceDir, 'pipit.db'), link)
      for (const source of [sourceDir, link])
        await expectRefusal(source, /A service runs on .*\. Stop it first/)
    } finally {
      await service.close()
    }
    const old = join(sourceDir, 'old')
    const file = await createOldDatabase(old, 8)
    file.close()
    await expectRefusal(
      old,
      /has tables of an earlier version \(schema 8; this version needs \d+\)/,
    )
    const text = join(sourceDir, 'text')
    writeFileSync(text, 'not a database, but longer than the head of one. '.repeat(100))
    await expectRefusal(text, /is damaged, or no database/)
    await expectRefusal(join(sourceDir, 'none'), /none does not exist\. Name the database file/)
    const { PIPIT_DATABASE_URL: to } = databases.environment
    const form = await runCli(['migrate', '--from', sourceDir, '--to', to])
    expect([form.code, form.stderr]).toEqual([1, 'pipit: --from must have the form sqlite:PATH.\n'])
    expect(await targetTables()).toEqual([])
  },
  timeoutMs,
)

test(
  'a target with rows or with tables of another program is refused and stays as it is',
  async () => {
    await (await startTestService({ dataDir: sourceDir })).close()
    await query('create table orders (id integer)')
    await expectRefusal(sourceDir, /has tables of another program \(orders\)/)
    expect(await targetTables()).toEqual(['orders'])
    await query('drop table orders')
    await (await startOnTarget()).close()
    const rows = await count('accounts')
    await expectRefusal(sourceDir, /is not empty: its table accounts has rows/)
    expect(await count('accounts')).toBe(rows)
    const gone = await runCli(['migrate', '--to', 'postgres://pipit@127.0.0.1:1/none'], {
      PIPIT_DATA_DIR: sourceDir,
    })
    expect([gone.code, gone.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^pipit: postgres:\/\/127\.0\.0\.1:1\/none cannot be used: no PostgreSQL answers there\..*\n$/,
      ),
    ])
  },
  timeoutMs,
)

test(
  'a source that changed after an interrupted run, and a target that another program changed, are refused',
  async () => {
    const { key } = await fillSource(entries / 2)
    await killMigration('select 1 from pipit_transfer')
    await killMigration(inUsage, { before: 'usage_sums' })
    await query(
      "update usage set completion_tokens = completion_tokens + 1 where request_id = 'fill_1'",
    )
    await query("insert into usage_errors values ('acct_x', '', 0, 'x', 1, 1)")
    await expectRefusal(
      sourceDir,
      /The copy of the table usage(_errors)? differs: .*Another program wrote to it/,
    )
    await expect(startOnTarget()).rejects.toThrow(/has not finished/)
    const service = await startTestService({ dataDir: sourceDir })
    await service.post(question, { key })
    await service.close()
    await expectRefusal(sourceDir, /pipit\.db has changed since the copy to .* began \(.*usage.*\)/)
  },
  timeoutMs,
)

/** Uses every feature that has a table, and adds many entries to the ledger. */
async function fillSource(count: number) {
  const environment = { PIPIT_DATA_DIR: sourceDir }
  const service = await startTestService({ dataDir: sourceDir })
  const ada = await setUp(service)
  const limits = ['--tokens-per-month', '9000000', '--requests-per-minute', '600']
  const args = ['keys', 'create', '--name', 'app', ...limits, '--json']
  const { key, id: keyId } = JSON.parse((await runCli(args, environment)).stdout) as {
    key: string
    id: string
  }
  const reply = await service.post(question, { key, headers: { 'idempotency-key': 'order-1' } })
  const { id: replyId } = (await reply.json()) as { id: string }
  await service.stream(question, { key })
  await service.post({ ...question, temperature: 9 }, { key })
  const { account } = ada.me
  await service.close()

  const database = await openDatabase(sourceDir, { serve: true })
  const ledger = Ledger.open(database, 'boot_fill')
  const sinceMs = Date.now() - 20 * 86_400_000
  for (let first = 0; first < count; first += 500)
    await Promise.all(
      Array.from({ length: 500 }, async (_, offset) => {
        const i = first + offset
        const row = ledgerEntry(`fill_${i}`, {
          accountId: account.id,
          keyId,
          createdMs: sinceMs + i * 200_000,
          parameters: { name: `ö "${i}" \\ 🐦` },
        })
        await ledger.reserve(row)
        const tokens = { promptTokens: 11, cachedTokens: i % 11, completionTokens: i % 200 }
        await ledger.settle(row, { outcome: i % 9 === 0 ? 'client_abort' : 'completed', ...tokens })
      }),
    )
  await database.close()

  const opened = await startTestService({ dataDir: sourceDir })
  const rows = opened.ledgerRows().length
  const partial = { key, firstKey: service.key, cookie: ada.cookie, replyId, rows }
  const facts = await factsOf(opened, partial)
  await opened.close()
  return { ...partial, facts }
}

/** Returns the keys, limits, usage and receipts as users see them. */
async function factsOf(
  service: TestService,
  { key, firstKey, cookie }: { key: string; firstKey: string; cookie: string },
) {
  const json = async (path: string, one: string) => {
    const reply = await service.request(path, { key: one })
    expect([path, reply.status]).toEqual([path, 200])
    return await reply.json()
  }
  const panel = async (path: string) => {
    const reply = await fetch(`${service.url}/panel/api${path}`, { headers: { cookie } })
    expect([path, reply.status]).toEqual([path, 200])
    return (await reply.json()) as unknown
  }
  const dayMs = 86_400_000
  const today = startOfDay(Date.now())
  const span = `from_ms=${today - 25 * dayMs}&to_ms=${today + dayMs}`
  const facts = {
    key: await json('/v1/key', key),
    receipts: await json('/v1/requests?limit=100', key),
    others: await json('/v1/requests?limit=100', firstKey),
    me: await panel('/me'),
    keys: await panel('/keys'),
    usage: await panel(`/usage?${span}&step=day`),
  }
  // These change with every second.
  const passing = ['reset_ms', 'requests_per_minute']
  const text = JSON.stringify(facts, (name, value: unknown) =>
    passing.includes(name) ? undefined : value,
  )
  return JSON.parse(text) as unknown
}

function startOnTarget(): Promise<TestService> {
  return startTestService({ environment: databases.environment, dataDir: databases.dataDir })
}

async function migrate(from = sourceDir): Promise<Migration> {
  const run = await runMigrate(from)
  expect([run.code, run.stderr.replaceAll(/^\w+: \d+ of .*\n/gm, '')]).toEqual([0, ''])
  return JSON.parse(run.stdout) as Migration
}

function runMigrate(from: string) {
  const { PIPIT_DATABASE_URL: to } = databases.environment
  return runCli(['migrate', '--from', `sqlite:${from}`, '--to', to, '--json'])
}

async function expectRefusal(from: string, message: RegExp): Promise<void> {
  const run = await runMigrate(from)
  expect([run.code, run.stdout, run.stderr]).toEqual([1, '', expect.stringMatching(message)])
}

/**
 * Starts a migration, and kills it as soon as the query finds a row in the target. A lock on the table named in
 * `before` keeps a fast migration from finishing earlier.
 */
async function killMigration(sql: string, { before }: { before?: string } = {}): Promise<void> {
  const { PIPIT_DATABASE_URL: to } = databases.environment
  const args = ['--no-warnings', mainFile, 'migrate', '--from', `sqlite:${sourceDir}`, '--to', to]
  const client = new pg.Client(to)
  const holder = new pg.Client(to)
  await Promise.all([client.connect(), holder.connect()])
  let child: ChildProcess | undefined
  try {
    if (before !== undefined) await holder.query(`begin; lock table ${before} in exclusive mode`)
    child = spawn(process.execPath, args, { stdio: 'ignore' })
    const exited = once(child, 'exit')
    const found = async () => {
      try {
        return (await client.query(sql)).rows.length > 0
      } catch {
        // The table does not exist yet.
        return false
      }
    }
    const endMs = performance.now() + 30_000
    while (!(await found()) && child.exitCode === null && performance.now() < endMs) await delay(2)
    child.kill('SIGKILL')
    expect((await exited)[1]).toBe('SIGKILL')
    const { rows } = await client.query('select finished_ms from pipit_transfer')
    expect(rows).toEqual([{ finished_ms: null }])
  } finally {
    child?.kill('SIGKILL')
    await Promise.all([client.end(), holder.end()])
  }
}

async function targetTables(): Promise<string[]> {
  const rows = await query("select tablename from pg_tables where schemaname = 'public' order by 1")
  return rows.map(({ tablename }) => String(tablename))
}

async function count(table: string): Promise<number> {
  const [row] = await query(`select count(*)::integer as rows from ${table}`)
  return Number(row?.['rows'])
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
