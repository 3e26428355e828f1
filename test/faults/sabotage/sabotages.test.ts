import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

test('a run names every id that no sabotage has, and tries none', async () => {
  const run = join(import.meta.dirname, 'runner/run.ts')
  // Without the refusal it would try F06, which takes longer than this.
  const options = { timeout: 20_000 }
  const args = [run, '--out', '/dev/null', '--only', 'F06, F99,f06,']
  await expect(promisify(execFile)(process.execPath, args, options)).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'No sabotage has these ids: "F99", "f06", "".\n',
  })
})
