import { expect, test } from 'vitest'
import { newSchedule, type Schedule } from './schedule.ts'
import { shrink } from './shrink.ts'

test('a schedule that fails is made smaller as long as it fails in the same way', async () => {
  const large = newSchedule(1)
  const request = large.events.find(({ type }) => type === 'request')
  expect(request).toBeDefined()
  const kill = { type: 'kill', atMs: 70_000, downMs: 10 } as const
  const otherFault = { type: 'engine-crash', atMs: 80_000, restartMs: 10 } as const
  const schedule = { ...large, events: [...large.events, kill, otherFault] }
  expect(schedule.events.length).toBeGreaterThan(5)

  let runs = 0
  const run = async ({ events }: Schedule) => {
    runs += 1
    const types = new Set(events.map(({ type }) => type))
    if (!types.has('kill')) return ['I2: req_1 is still open']
    return types.has('request') ? [`I1: req_${events.length} saw other usage`] : []
  }
  const smallest = await shrink(schedule, run)
  expect(smallest.events.map(({ type }) => type)).toEqual(['request', 'kill'])
  expect(smallest.events[0]).toMatchObject({ retries: 0, bodyMs: 0, choices: 1, reader: 'fast' })
  expect(smallest.keys.every(({ limits }) => Object.keys(limits).length === 0)).toBe(true)
  expect(runs).toBeLessThan(500)
})
