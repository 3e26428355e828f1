import { describe, expect, test } from 'vitest'
import { cpuMsOf, workOf } from '../../../test/support/schemas/compile-work.ts'
import { hostileSchemas } from '../../../test/support/schemas/hostile-schemas.ts'
import { grammarWorkMax } from '../../limits.ts'
import { Budget, SchemaRefused } from './grammar.ts'

// Takes about 0.2 s on an idle machine. CPU time is measured, so that other load hardly counts.
const cpuMsMax = 1000

describe('the work that a schema costs is bounded (T25, T47)', () => {
  test.each(hostileSchemas)('%s', (_name, schema) => {
    const { work, cpuMs } = workOf(schema)
    expect(work).toBeLessThan(grammarWorkMax * 1.1)
    expect(cpuMs).toBeLessThan(cpuMsMax)
  })
})

test('a budget checks again and again whether the compilation was cancelled', () => {
  let asked = 0
  const budget = new Budget(10_000, () => (asked += 1))
  for (let work = 0; work < 10_000; work++) budget.spend(1)
  expect(asked).toBeGreaterThan(3)
  expect(budget.isExceeded).toBe(false)
  expect(() => budget.spend(1)).toThrow(SchemaRefused)
  expect(budget.isExceeded).toBe(true)
})

test('work that exceeds the budget at once is refused before it is done', () => {
  const cpuMs = cpuMsOf(() => expect(() => new Budget().spend(1e12)).toThrow('too complex'))
  expect(cpuMs).toBeLessThan(cpuMsMax)
})
