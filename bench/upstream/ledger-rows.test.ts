import { expect, test } from 'vitest'
import { describeRows } from './ledger-rows.ts'

const round = { rows: 6000, commits: 12, postgresShare: 50, failed: 0 }
const write = async () => ({ rows: 0, failed: 0 })

test('the text names the requests of a ledger that failed', () => {
  const writers = (failed: number) => [
    { name: 'one ledger', write, rounds: [round, { ...round, failed }] },
    { name: 'two ledgers', write, rounds: [round] },
  ]
  const line = 'Failed requests, left out: 3 of one ledger.'
  expect(describeRows(writers(3), [1]).markdown).toContain(line)
  expect(describeRows(writers(0), [1]).markdown).not.toContain('Failed')
})
