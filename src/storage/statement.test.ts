import { expect, test } from 'vitest'
import { queries, template, toStatement } from './statement.ts'

test('a template keeps its text and fills in the values (T6)', () => {
  const rename = template<{ id: string; name: string }>((value) =>
    queries
      .updateTable('accounts')
      .set({ name: value('name') })
      .where('id', '=', value('id')),
  )
  expect(rename({ id: 'acct_1', name: "o'clock" })).toEqual({
    sql: 'update "accounts" set "name" = ? where "id" = ?',
    parameters: ["o'clock", 'acct_1'],
  })
  expect(rename({ id: 'acct_2', name: 'b' }).sql).toBe(rename({ id: 'x', name: 'y' }).sql)
})

test('a template keeps the constants of its query', () => {
  const find = template<{ id: string }>((value) =>
    queries
      .selectFrom('usage')
      .select('model')
      .where('state', '=', 'final')
      .where('request_id', '=', value('id')),
  )
  expect(find({ id: 'r' }).parameters).toEqual(['final', 'r'])
})

test('null stays null', () => {
  const expire = template<{ expiresMs: number | null }>((value) =>
    queries.updateTable('api_keys').set({ expires_ms: value('expiresMs') }),
  )
  expect(expire({ expiresMs: null }).parameters).toEqual([null])
})

test('a value of a type that the database does not have is refused', () => {
  const query = queries
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', {} as string)
  expect(() => toStatement(query)).toThrow(TypeError)
})
