import { expect, test } from 'vitest'
import { contextTokensDefaultMax, slotsDefault } from '../limits.ts'
import { settingsTable } from './settings-table.ts'

type Bounded = { range: readonly [number, number]; default?: unknown }

/** Largest defaults of the settings whose default also depends on the machine. */
const largest = { PIPIT_SLOTS: slotsDefault, PIPIT_CONTEXT_TOKENS: contextTokensDefaultMax }

const bounded = Object.entries(settingsTable).flatMap(([name, setting]): [string, Bounded][] => [
  ...('range' in setting ? [[name, setting] as [string, Bounded]] : []),
  ...('upstream' in setting ? [[`${name} upstream`, setting.upstream] as [string, Bounded]] : []),
])

test.each(bounded)('%s: the default is within the bounds', (name, bounds) => {
  const [min, max] = bounds.range
  expect(min).toBeLessThan(max)
  const value = bounds.default ?? largest[name as keyof typeof largest] ?? min
  expect(value).toBeGreaterThanOrEqual(min)
  expect(value).toBeLessThanOrEqual(max)
})
