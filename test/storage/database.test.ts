import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDefaultAccount } from '../../src/accounts/accounts.ts'
import { ServiceError, StartError } from '../../src/errors.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { isServed } from '../../src/storage/service-file.ts'
import { queries, toStatement } from '../../src/storage/statement.ts'

let directory: string
let dataDir: string
let opened: Database[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pipit-'))
  dataDir = join(directory, 'data')
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()))
  rmSync(directory, { recursive: true })
})

test('the first start creates a directory and files that only their owner can read', async () => {
  await open({ serve: true })
  expect(modeOf(dataDir)).toBe('700')
  for (const file of ['pipit.db', 'pipit.db-wal', 'pipit.db-shm', 'serve.lock', 'ballast'])
    expect(modeOf(join(dataDir, file)), file).toBe('600')
})

test('written rows are there after a restart', async () => {
  const first = await open()
  const account = await ensureDefaultAccount(first)
  await first.close()
  expect(await ensureDefaultAccount(await open())).toEqual(account)
})

test('two first starts at the same time create one database and one account', async () => {
  const [one, other] = await Promise.all([open(), open()])
  const accounts = await Promise.all([ensureDefaultAccount(one), ensureDefaultAccount(other)])
  expect(accounts[0]).toEqual(accounts[1])
})

test('the connection has the settings that keep acknowledged commits through a power failure', async () => {
  const database = await open()
  const pragma = async (name: string) =>
    Object.values((await database.read(rawQuery(`PRAGMA ${name}`)))[0] ?? {})[0]
  expect(await pragma('journal_mode')).toBe('wal')
  expect(await pragma('synchronous')).toBe(2)
  expect(await pragma('foreign_keys')).toBe(1)
  expect(await pragma('mmap_size')).toBe(0)
  expect(await pragma('busy_timeout')).toBe(5000)
})

test('a second service on the same directory is refused, a command is not', async () => {
  const serving = await open({ serve: true })
  await expect(open({ serve: true })).rejects.toThrow(
    new StartError(
      `Another pipit process serves from ${dataDir}. Stop it, or set PIPIT_DATA_DIR to another directory.`,
    ),
  )
  await ensureDefaultAccount(await open())
  await serving.close()
  await open({ serve: true })
})

test('a start waits for a command that checks whether a service runs', async () => {
  await (await open({ serve: true })).close()
  const check = new Sqlite(join(dataDir, 'serve.lock'), { readonly: true })
  check.exec('begin')
  check.pragma('schema_version')
  const endCheck = async () => {
    // A start that waits for the lock keeps further commands from it.
    await expect.poll(() => isServed(dataDir), { interval: 5 }).toBe(true)
    check.close()
  }
  await Promise.all([open({ serve: true }), endCheck()])
})

test.each([
  ['text', 'not a database, but longer than the hundred bytes of the head of one. '.repeat(20)],
  ['half a page', readFileSync(process.execPath).subarray(0, 2048)],
])('a file of %s in place of the database is refused and left as it is', async (_, content) => {
  mkdirSync(dataDir)
  writeFileSync(databaseFile(), content)
  await expect(open()).rejects.toThrow(/pipit\.db is damaged .* Restore a backup/)
  expect(readFileSync(databaseFile()).equals(Buffer.from(content))).toBe(true)
})

test('a database of another program is refused and left as it is', async () => {
  mkdirSync(dataDir)
  new Sqlite(databaseFile()).exec('CREATE TABLE notes (text TEXT)').close()
  const before = readFileSync(databaseFile())
  await expect(open()).rejects.toThrow(/pipit\.db is not a database of Pipit/)
  expect(readFileSync(databaseFile()).equals(before)).toBe(true)
})

test('the service finds a damaged page when it starts (F28)', async () => {
  await filledDatabase()
  const bytes = readFileSync(databaseFile())
  bytes.fill(0xa5, 4096 * 8, 4096 * 9)
  writeFileSync(databaseFile(), bytes)
  await expect(open({ serve: true })).rejects.toThrow(/pipit\.db is damaged/)
})

test('a truncated or emptied database is never used as a new one (F28)', async () => {
  await filledDatabase()
  truncateSync(databaseFile(), 4096 * 2)
  await expect(open({ serve: true })).rejects.toThrow(/pipit\.db is damaged/)
  truncateSync(databaseFile(), 0)
  await expect(open()).rejects.toThrow(/pipit\.db is empty/)
})

test('a missing database is not replaced while its journal is there (F28)', async () => {
  mkdirSync(dataDir)
  writeFileSync(`${databaseFile()}-wal`, 'the last commits')
  await expect(open()).rejects.toThrow(/pipit\.db is missing, but its journal/)
  expect(existsSync(databaseFile())).toBe(false)
})

test('a database that may not be written is refused (F28)', async ({ skip }) => {
  await (await open()).close()
  const mount = (...args: string[]) => spawnSync('mount', args).status === 0
  const file = databaseFile()
  skip(!mount('--bind', file, file), 'this user may not mount a file')
  try {
    expect(mount('-o', 'remount,ro,bind', file)).toBe(true)
    await expect(open({ serve: true })).rejects.toThrow(/pipit\.db cannot be written \(EROFS\)/)
  } finally {
    spawnSync('umount', [file])
  }
})

test('commits that only the journal holds after a crash are recovered (F28)', async () => {
  const database = await open()
  const account = await ensureDefaultAccount(database)
  const copy = join(directory, 'copy')
  mkdirSync(copy)
  for (const file of ['pipit.db', 'pipit.db-wal'])
    copyFileSync(join(dataDir, file), join(copy, file))
  dataDir = copy
  const recovered = await open()
  expect(await ensureDefaultAccount(recovered)).toEqual(account)
})

test('a database of a newer version is refused', async () => {
  await (await open()).close()
  const db = new Sqlite(databaseFile())
  db.exec("INSERT INTO schema_migrations VALUES (99, '0099-later', 0)")
  db.close()
  await expect(open()).rejects.toThrow(
    /pipit\.db was written by a newer Pipit \(schema 99; this version supports up to \d+\)/,
  )
})

test('the error names a data directory that is a file or cannot be created', async () => {
  writeFileSync(dataDir, '')
  await expect(open()).rejects.toThrow(`${dataDir} is not a directory`)
  dataDir = join(dataDir, 'below')
  await expect(open()).rejects.toThrow(`${dataDir} is not a directory`)
  dataDir = '/proc/pipit'
  await expect(open()).rejects.toThrow(StartError)
  dataDir = join(directory, 'link')
  symlinkSync('/nowhere/at/all', dataDir)
  await expect(open()).rejects.toThrow(StartError)
})

test('a database announces a commit of another connection', async () => {
  const database = await open()
  const noticed = new Promise<void>((resolve) => database.onForeignCommit(resolve))
  await ensureDefaultAccount(await open())
  await noticed
})

test('a database does not announce its own commits', async () => {
  const database = await open()
  let announced = 0
  database.onForeignCommit(() => announced++)
  await ensureDefaultAccount(database)
  const other = await open()
  const foreign = new Promise<void>((resolve) => database.onForeignCommit(resolve))
  await insertAccount(other, 'acct_foreign')
  await foreign
  expect(announced).toBe(1)
})

test('close commits the waiting writes; later reads and writes are refused', async () => {
  const database = await open()
  const writes = Array.from({ length: 2000 }, (_, i) => insertAccount(database, `acct_${i}`))
  database.writeSoon([insertion('acct_soon')])
  await database.close()
  expect(await Promise.all(writes)).toEqual(Array.from({ length: 2000 }, () => 1))
  await expect(insertAccount(database, 'acct_late')).rejects.toThrow(ServiceError)
  await expect(database.read(queries.selectFrom('accounts').selectAll())).rejects.toThrow(
    ServiceError,
  )
  expect(database.healthy).toBe(false)
  const rows = await (await open()).read(queries.selectFrom('accounts').select('id'))
  expect(rows).toHaveLength(2001)
})

test('writes take effect in the order of their calls', async () => {
  const database = await open()
  await insertAccount(database, 'acct_a')
  const rename = (name: string) =>
    database.write([
      toStatement(queries.updateTable('accounts').set({ name }).where('name', '!=', 'last')),
    ])
  await Promise.all([rename('first'), rename('last'), rename('never')])
  const [row] = await database.read(queries.selectFrom('accounts').select('name'))
  expect(row?.name).toBe('last')
})

test('a write that does not fit into the queue is refused at once', async () => {
  const database = await open()
  const writes = Array.from({ length: 20_001 }, (_, i) => insertAccount(database, `acct_${i}`))
  const results = await Promise.allSettled(writes)
  expect(results.filter((result) => result.status === 'rejected')).toMatchObject([
    { reason: { code: 'ledger_unavailable' } },
  ])
})

test('a faulty statement fails alone, and the database stays healthy', async () => {
  const database = await open()
  await insertAccount(database, 'acct_a')
  await expect(insertAccount(database, 'acct_a')).rejects.toThrow(/^SQLITE_CONSTRAINT/)
  await expect(database.read(rawQuery('SELECT nothing'))).rejects.toThrow(/^SQLITE_ERROR/)
  expect(database.healthy).toBe(true)
})

async function open(options: { serve?: boolean } = {}): Promise<Database> {
  const database = await openDatabase(dataDir, options)
  opened.push(database)
  return database
}

async function filledDatabase(): Promise<void> {
  const database = await open()
  await Promise.all(Array.from({ length: 2000 }, (_, i) => insertAccount(database, `acct_${i}`)))
  await database.close()
}

function insertAccount(database: Database, id: string): Promise<number> {
  return database.write([insertion(id)])
}

function insertion(id: string) {
  const row = { id, name: 'a', created_ms: 1 }
  return toStatement(queries.insertInto('accounts').values(row))
}

function rawQuery(sql: string) {
  const query = queries.selectFrom('accounts').selectAll()
  return Object.assign(Object.create(query) as typeof query, {
    compile: () => ({ ...query.compile(), sql, parameters: [] }),
  })
}

function databaseFile(): string {
  return join(dataDir, 'pipit.db')
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}
