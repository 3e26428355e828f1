import { expect, test } from 'vitest'
import { type Contestant, findingOf, toTable } from './gateways.ts'

function contestant(name: string, paced: Partial<Contestant['paced'][0]> = {}): Contestant {
  return {
    server: { name, url: '', pid: 1, readyMs: 0, stop: async () => {} },
    way: 'whole',
    alone: [{ p50: 1, p99: 2 }],
    paced: [{ p50: 1, p99: 2, reached: 300, failed: 0, ...paced }],
    rates: [4000],
  }
}

test('the table and the finding name the rate reached and the failures', () => {
  const bare = contestant('node:http upstream')
  const pipit = contestant('Pipit', { p50: 3, p99: 5, reached: 290, failed: 7 })
  const [finding] = findingOf(pipit, [bare, pipit])
  expect(finding?.sentence).toContain('added 2.00 ms (p50) and 3.00 ms (p99)')
  expect(finding?.sentence).toContain('it answered 290 requests/s, and 7 requests failed')
  const lines = toTable([bare, pipit]).split('\n')
  expect(lines[0]).toContain('| reached, requests/s | failed |')
  expect(lines.at(-1)).toContain('| 290 | 7 |')
})

test('a side that did not reach the paced load gives no finding', () => {
  const bare = contestant('node:http upstream')
  const slow = contestant('Pipit', { reached: 284 })
  expect(findingOf(slow, [bare, slow])).toEqual([])
  const slowBare = contestant('node:http upstream', { reached: 200 })
  const pipit = contestant('Pipit')
  expect(findingOf(pipit, [slowBare, pipit])).toEqual([])
})
