import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BatchWriter } from '../../../src/storage/postgres/batch-writer.ts'
import { connectPipelined } from '../../../src/storage/postgres/connection.ts'
import type { Statement } from '../../../src/storage/statement.ts'
import type { Unit } from '../../../src/storage/unit.ts'
import { useDatabases } from '../../support/databases.ts'

const databases = useDatabases()
let client: pg.Client
let writer: BatchWriter
beforeEach(async () => {
  client = await connectPipelined(databases.environment.PIPIT_DATABASE_URL)
  await client.query('create table notes (id int primary key, text text not null)')
  writer = new BatchWriter(client)
})
afterEach(() => client.end())

const insert = (id: number, text = 'new'): Statement => ({
  sql: 'insert into notes values ($1, $2)',
  parameters: [id, text],
})
const change = (from: string, to: string): Statement => ({
  sql: 'update notes set text = $2 where text = $1',
  parameters: [from, to],
})
const all = (...steps: Statement[]): Unit => ({ type: 'all', urgency: 'ordinary', steps })
const guarded = (guard: Statement, ...steps: Statement[]): Unit => ({
  type: 'guarded',
  urgency: 'ordinary',
  guard,
  steps,
  additions: [],
})
const notes = async () => {
  const { rows } = await client.query<{ note: string }>(
    `select id || ' ' || text as note from notes order by id`,
  )
  return rows.map(({ note }) => note)
}

test('the statements of a batch are sent without waiting for one another', async () => {
  const most = countUnanswered()
  const units = Array.from({ length: 20 }, (_, id) => all(insert(id), insert(100 + id)))
  expect(await writer.write(units)).toEqual(Array(20).fill(1))
  expect(most()).toBe(1 + 2 * 20)
  expect(await notes()).toHaveLength(40)
})

test('units take effect in their order, and the steps of a guard only if it changes a row', async () => {
  const units = [
    guarded(insert(1, 'a'), change('a', 'b')),
    guarded(change('b', 'c'), insert(2)),
    guarded(change('missing', 'd'), insert(3)),
    all(change('c', 'e'), insert(4)),
  ]
  expect(await writer.write(units)).toEqual([1, 1, 0, 1])
  expect(await notes()).toEqual(['1 e', '2 new', '4 new'])
})

test('a unit that fails is undone alone, and is told its own fault', async () => {
  const units = [
    all(insert(1)),
    all(insert(2), insert(1)),
    guarded(insert(3), change('missing', 'd'), insert(1)),
    all(insert(4)),
  ]
  const duplicate = expect.objectContaining({ message: expect.stringContaining('duplicate key') })
  expect(await writer.write(units)).toEqual([1, duplicate, duplicate, 1])
  expect(await notes()).toEqual(['1 new', '4 new'])
})

test('a statement that was first sent after a fault is prepared again later', async () => {
  await writer.write([all(insert(1))])
  const [, changed] = await writer.write([all(insert(1)), all(change('new', 'old'))])
  expect(changed).toBe(1)
  expect(await writer.write([all(change('old', 'older'))])).toEqual([1])
})

test('statements that return whole rows go on after another service has changed the table', async () => {
  const returning = (id: number): Unit => ({
    type: 'returning',
    urgency: 'ordinary',
    statement: { ...insert(id), sql: 'insert into notes values ($1, $2) returning *' },
    steps: [],
  })
  await writer.write([all(insert(1)), returning(2)])
  await client.query('alter table notes alter column id type bigint, add column later text')
  expect(await writer.write([all(insert(3)), returning(4)])).toEqual([
    1,
    [{ id: 4, text: 'new', later: null }],
  ])
  expect(await writer.write([returning(5)])).toMatchObject([[{ id: 5 }]])
  expect(await notes()).toHaveLength(5)
})

/** Returns a function that tells how many statements have waited for an answer at once. */
function countUnanswered(): () => number {
  const send = client.query.bind(client) as (...sent: unknown[]) => Promise<unknown>
  let open = 0
  let most = 0
  client.query = ((...sent: unknown[]) => {
    open += 1
    most = Math.max(most, open)
    return send(...sent).finally(() => (open -= 1))
  }) as typeof client.query
  return () => most
}
