import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { processUsage } from './process-usage.ts'

test('memory and processor time are those that the process itself reports', ({ skip }) => {
  skip(process.platform !== 'linux', 'there is no /proc')
  const usage = processUsage(process.pid)
  const { user, system } = process.cpuUsage()
  expect((usage?.residentBytes ?? 0) / process.memoryUsage.rss()).toBeCloseTo(1, 0)
  expect((usage?.cpuSeconds ?? 0) / ((user + system) / 1e6)).toBeCloseTo(1, 0)
})

test('a process that has ended uses nothing that can be told', () => {
  expect(processUsage(spawnSync('true').pid)).toBeUndefined()
})
