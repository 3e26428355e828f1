import { expect, test } from 'vitest'
import type { Unit } from '../unit.ts'
import { textRestorer, textShortener } from './known-texts.ts'

const select = 'select id from accounts where id = ?'
const update = 'update usage set state = ? where request_id = ?'
const add = 'insert into usage_sums values (?, ?)'

const units: readonly Unit[] = [
  {
    type: 'guarded',
    urgency: 'essential',
    guard: { sql: update, parameters: ['final', 'req_1'] },
    steps: [{ sql: select, parameters: ['acct_1'] }],
    additions: [{ sql: add, keys: [['acct_1']], amounts: [1] }],
  },
  { type: 'all', urgency: 'ordinary', steps: [{ sql: update, parameters: ['0', null] }] },
  {
    type: 'returning',
    urgency: 'ordinary',
    statement: { sql: select, parameters: [1] },
    steps: [{ sql: add, parameters: ['acct_1', 1] }],
  },
]

test('a text crosses once, and the units arrive as they were', () => {
  const [shorten, restore] = [textShortener(), textRestorer()]
  const first = units.map((unit) => shorten(unit))
  expect(first.map((unit) => restore(unit))).toEqual(units)

  const second = units.map((unit) => shorten(unit))
  expect(JSON.stringify(second)).not.toMatch(/select|update|insert/)
  expect(second.map((unit) => restore(unit))).toEqual(units)
})

test('more texts than are kept arrive as they were', () => {
  const [shorten, restore] = [textShortener(), textRestorer()]
  const many = Array.from({ length: 1200 }, (_, index): Unit => {
    const sql = `select ${index % 600}`
    return { type: 'all', urgency: 'ordinary', steps: [{ sql, parameters: [index] }] }
  })
  expect(many.map((unit) => restore(shorten(unit)))).toEqual(many)
})
