import { expect, test } from 'vitest'
import { faultsOf, readSabotages } from './runner/read-sabotages.ts'

test('every sabotage fits the sources, and its test exists', async () => {
  const sabotages = await readSabotages()
  expect(sabotages.length).toBeGreaterThan(0)
  expect(sabotages.flatMap((sabotage) => faultsOf(sabotage))).toEqual([])
})

test('a sabotage that does not fit is reported', () => {
  const sabotage = {
    id: 'F06',
    breaks: 'Nothing.',
    file: 'package.json',
    find: '"name": "pipit"',
    replace: '"name": "other"',
    test: { file: 'test/faults/sabotage/sabotages.test.ts', title: 'is reported' },
  }
  expect(faultsOf(sabotage)).toEqual([])
  expect(faultsOf({ ...sabotage, find: '"' })).toEqual([expect.stringContaining('expected once')])
  expect(faultsOf({ ...sabotage, find: 'absent text' })).toHaveLength(1)
  expect(faultsOf({ ...sabotage, replace: sabotage.find })).toHaveLength(1)
  expect(faultsOf({ ...sabotage, file: 'absent.ts' })).toHaveLength(1)
  const absent = { ...sabotage.test, title: ['a title', 'that no test has'].join(' ') }
  expect(faultsOf({ ...sabotage, test: absent })).toHaveLength(1)
})
