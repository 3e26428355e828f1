import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Addition } from '../additions.ts'
import { Ballast } from './ballast.ts'
import { GroupCommit } from './group-commit.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { queries, type Statement, toStatement } from '../statement.ts'
import type { Unit } from '../unit.ts'

let directory: string
let db: Sqlite.Database

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pipit-'))
  db = await openSqliteFile(directory, false)
})

afterEach(() => {
  db.close()
  rmSync(directory, { recursive: true })
})

test('a failed unit does not affect the other units of its batch', () => {
  const store = new GroupCommit(db)
  const results = store.write([unit(insert('a')), unit(insert('a')), unit(insert('b'))])
  expect(results).toEqual([1, { code: 'SQLITE_CONSTRAINT_PRIMARYKEY', message: taken }, 1])
  expect(ids()).toEqual(['a', 'b'])
})

test('a unit takes effect whole or not at all', () => {
  const store = new GroupCommit(db)
  store.write([unit(insert('a'))])
  const [result] = store.write([unit(insert('b'), insert('a'))])
  expect(result).toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  expect(ids()).toEqual(['a'])
})

test('a guarded unit stops if its guard changes no row', () => {
  const store = new GroupCommit(db)
  const results = store.write([
    guarded(rename('none'), [insert('a')]),
    unit(rename('none'), insert('b')),
  ])
  expect(results).toEqual([0, 0])
  expect(ids()).toEqual(['b'])
})

test('a returning unit takes effect whole, and its steps only if it returns a row', () => {
  const store = new GroupCommit(db)
  const returning = (statement: Statement, step: Statement): Unit => ({
    type: 'returning',
    urgency: 'ordinary',
    statement: { ...statement, sql: `${statement.sql} returning id` },
    steps: [step],
  })
  const results = store.write([
    returning(insert('a'), insert('b')),
    returning(rename('none'), insert('c')),
    returning(insert('d'), insert('a')),
  ])
  expect(results).toEqual([[{ id: 'a' }], [], { code: expect.any(String), message: taken }])
  expect(ids()).toEqual(['a', 'b'])
})

test('additions take effect only with the unit that carries them', () => {
  const store = new GroupCommit(db)
  const addition = (id: string, ...amounts: number[]) => ({
    sql: 'insert into accounts (id, name, created_ms) values (?, 0, ?) on conflict (id) do update set created_ms = created_ms + excluded.created_ms',
    keys: [[id], ['all']],
    amounts,
  })
  store.write([
    guarded(insert('a'), [], [addition('sum a', 5)]),
    guarded(insert('a'), [], [addition('sum a', 70)]),
    guarded(rename('none'), [], [addition('sum a', 700)]),
    guarded(insert('b'), [], [addition('sum b', 2)]),
  ])
  store.write([guarded(insert('c'), [], [addition('sum a', 10)])])
  const sums = db
    .prepare('select id, created_ms from accounts where name = 0 order by id')
    .raw()
    .all()
  expect(sums).toEqual([
    ['all', 17],
    ['sum a', 15],
    ['sum b', 2],
  ])
})

test('statements run after the cache of prepared statements has overflowed', () => {
  const store = new GroupCommit(db)
  for (let columns = 1; columns < 600; columns++)
    store.read({ sql: `select ${'1, '.repeat(columns)}1`, parameters: [] })
  expect(store.write([unit(insert('a'))])).toEqual([1])
})

test('on a full disk the ballast makes room for essential units until space is available', () => {
  const ballast = new Ballast(join(directory, 'ballast'))
  expect(ballast.take()).toBe(true)
  const store = new GroupCommit(db, ballast)
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`)

  const [big, small] = store.write([
    unit(insert('big', 'x'.repeat(100_000))),
    { ...unit(insert('small')), urgency: 'essential' },
  ])
  expect(big).toMatchObject({ code: 'SQLITE_FULL' })
  expect(small).toBe(1)
  expect(store.full).toBe(true)
  expect(existsSync(join(directory, 'ballast'))).toBe(false)
  expect(store.write([unit(insert('later'))])).toEqual([big])

  store.tryToRecover()
  expect(store.full).toBe(false)
  expect(store.write([unit(insert('later'))])).toEqual([1])
  expect(ids()).toEqual(['later', 'small'])
})

test('an exhausted quota, which SQLite takes for a broken disk, counts as a full disk', ({
  skip,
}) => {
  skip(!existsSync('/dev/full'), 'this system has no /dev/full')
  const path = join(directory, 'ballast')
  // On this device, a write always lacks room.
  symlinkSync('/dev/full', path)
  const store = new GroupCommit(db, new Ballast(path))
  failNextWrite()
  const [ordinary, essential] = store.write([
    unit(insert('ordinary')),
    { ...unit(insert('essential')), urgency: 'essential' },
  ])
  expect([ordinary, essential]).toEqual([expect.objectContaining({ code: 'SQLITE_FULL' }), 1])
  expect([store.failed, store.full, existsSync(path)]).toEqual([undefined, true, false])
  store.tryToRecover()
  expect(store.write([unit(insert('later'))])).toEqual([1])
  expect(ids()).toEqual(['essential', 'later'])
})

test('a failed write on a disk with room ends all writes', () => {
  const ballast = new Ballast(join(directory, 'ballast'))
  expect(ballast.take()).toBe(true)
  const store = new GroupCommit(db, ballast)
  failNextWrite()
  const failed = { code: 'SQLITE_IOERR_WRITE', message: 'disk I/O error' }
  expect(store.write([{ ...unit(insert('a')), urgency: 'essential' }])).toEqual([failed])
  expect(store.failed).toEqual(failed)
})

function failNextWrite(): void {
  vi.spyOn(db, 'prepare').mockImplementationOnce(() => {
    throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
  })
}

test('after damage that may have lost a commit, no write is acknowledged (F07)', () => {
  db.pragma('wal_checkpoint(TRUNCATE)')
  const bytes = readFileSync(join(directory, 'pipit.db'))
  writeFileSync(join(directory, 'pipit.db'), bytes.fill(0xa5, 4096))
  const store = new GroupCommit(new Sqlite(join(directory, 'pipit.db')))

  const [result] = store.write([unit(insert('a'))])
  expect(result).toMatchObject({ code: 'SQLITE_CORRUPT' })
  expect(store.failed).toEqual(result)
  expect(store.write([unit(insert('c'))])).toEqual([result])
})

const taken = 'UNIQUE constraint failed: accounts.id'

function unit(...steps: readonly Statement[]): Unit {
  return { type: 'all', urgency: 'ordinary', steps }
}

function guarded(
  guard: Statement,
  steps: readonly Statement[],
  additions: readonly Addition[] = [],
): Unit {
  return { type: 'guarded', urgency: 'ordinary', guard, steps, additions }
}

function insert(id: string, name = '') {
  return toStatement(queries.insertInto('accounts').values({ id, name, created_ms: 0 }))
}

function rename(id: string) {
  return toStatement(queries.updateTable('accounts').set({ name: 'new' }).where('id', '=', id))
}

function ids(): unknown[] {
  return db.prepare('SELECT id FROM accounts ORDER BY id').pluck().all()
}
