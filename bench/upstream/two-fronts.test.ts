import { expect, test } from 'vitest'
import type { Contestant, Round } from './measure-sides.ts'
import { describeTwoFronts } from './two-fronts.ts'

const server = { name: 'pipit', url: '', pid: 1, readyMs: 0, stop: async () => {} }

function sides(one: Partial<Round>, two: Partial<Round>): Contestant[] {
  const round = { p50: 1, p99: 2, requestsPerSecond: 600, serverMs: 0, postgresMs: 0, failed: 0 }
  return [
    {
      side: { name: 'one front', servers: [server] },
      way: 'whole',
      rounds: [{ ...round, ...one }],
    },
    {
      side: { name: 'two fronts', servers: [server, server] },
      way: 'whole',
      rounds: [{ ...round, ...two }],
    },
  ]
}

test('the goal for two fronts is judged on full fronts, and the time of PostgreSQL counts', () => {
  const paced = sides({ serverMs: 3, postgresMs: 1 }, { serverMs: 2, postgresMs: 0.5 })
  const full = sides({ serverMs: 1, postgresMs: 0.5 }, { serverMs: 1, postgresMs: 1 })
  const { goals, markdown } = describeTwoFronts(paced, full)
  expect(goals).toMatchObject([{ found: '1.50 ×', met: false }])
  const [ofPaced = [], ofFull = []] = markdown
    .split('\n\n')
    .filter((part) => part.startsWith('| '))
    .map((part) => part.split('\n'))
  expect(ofPaced[0]).not.toContain('× one front')
  expect(ofPaced.at(-1)).toBe('| two fronts, whole | 600 | 1.00 | 2.00 | 2.00 | 0.50 |')
  expect(ofFull[0]).toContain('× one front')
  expect(ofFull.at(-1)).toBe('| two fronts, whole | 600 | 1.00 | 2.00 | 1.00 | 1.00 | 1.50 |')
})
