import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { readProofs } from '../../tools/security/read-proofs.ts'
import { readSabotages } from '../faults/sabotage/runner/read-sabotages.ts'
import { knownIds, reliabilityPage, renderReliability } from './page.ts'
import { readRecords, type Records, withFiles, withMeasured, withSabotage } from './records.ts'
import { toRuns } from './run-tests.ts'

const none: Records = { tests: [], findings: [], sabotages: [] }
const passed = {
  file: 'a.test.ts',
  title: 'a title',
  ids: ['F06'],
  status: 'passed',
  date: '2026-01-02',
} as const
const finding = { id: 'F06', file: 'a.test.ts', sentence: '200 images.', date: '2026-01-02' }
const red = {
  id: 'F06',
  breaks: 'Nothing is flushed.',
  file: 'src/a.ts',
  test: { file: 'a.test.ts', title: 'a title' },
  outcome: 'red',
  message: 'AssertionError: 3 | 0',
  seconds: 1,
  date: '2026-01-03',
} as const

test('docs/reliability.md is what docs/reliability.json gives', () => {
  expect(readFileSync(reliabilityPage, 'utf8')).toBe(renderReliability(readRecords()))
})

test('every goal, fault and threat in a title of a test or of a sabotage has a row', async () => {
  const ids = [
    ...readProofs(packageRoot).flatMap((proof) => proof.ids),
    ...(await readSabotages()).map(({ id }) => id),
  ]
  // Ids I1 to I6 are invariants of the ledger, which `pipit doctor` lists.
  expect(ids.filter((id) => !knownIds.has(id) && !/^I[1-6]$/.test(id))).toEqual([])
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
  const faults = numbered('F', 48).map((id) => id.replace(/^F(\d)$/, 'F0$1'))
  for (const id of [...numbered('G', 9), ...faults, ...numbered('T', 44)])
    expect(knownIds).toContain(id)
})

test('a row shows the tests, what they saw, and how they failed with the sabotage', () => {
  const page = renderReliability({ tests: [passed], findings: [finding], sabotages: [red] })
  const row = page.split('\n').find((line) => line.startsWith('| F06 '))
  expect(row).toContain('[a title](../a.test.ts)')
  expect(row).toContain('| 1 test passed<br>200 images. |')
  expect(row).toContain('Nothing is flushed: `AssertionError: 3 \\| 0`')
  expect(row).toContain('| 2026-01-02 to 2026-01-03 |')
})

test('a row says so when there is no test, or none that notices the sabotage', () => {
  const green = { ...red, outcome: 'green', message: '' } as const
  const page = renderReliability({ ...none, sabotages: [green] })
  const row = page.split('\n').find((line) => line.startsWith('| F06 '))
  expect(page).toContain('**not tested**')
  expect(row).toContain('**no run recorded**')
  expect(row).toContain('Nothing is flushed. **not noticed**')
})

test('the row of G6 adds up the requests of all runs, and those to the real engine, beside its goal of a million', () => {
  const of = (sentence: string) => ({ ...finding, id: 'G6', sentence })
  const rowOf = (...sentences: string[]) =>
    renderReliability({ ...none, findings: sentences.map(of) })
      .split('\n')
      .find((line) => line.startsWith('| G6 '))
  const front = 'Hostile requests, front, seed 1: 179,040 sent, 0 faults.'
  const engine = 'Hostile requests, engine, seed 1: 6,640 sent, 0 faults.'
  expect(rowOf(front, engine)).toContain(
    `${engine}<br>In all 185,680 of 1,000,000 requests, of which 6,640 to the real engine: **the goal is not reached**. |`,
  )
  const million = 'Hostile requests, front, seed 2: 900,000 sent, 0 faults.'
  expect(rowOf(front, million)).toContain(
    '<br>In all 1,079,040 of 1,000,000 requests, of which 0 to the real engine. |',
  )
})

test('a row says why a fault cannot happen here, instead of that it is not tested', () => {
  const row = renderReliability(none)
    .split('\n')
    .find((line) => line.startsWith('| F32 '))
  expect(row).toMatch(/Does not apply\. There is no shared cache/)
  expect(row).not.toContain('not tested')
})

test('a run replaces the results of its files and sabotages, and keeps the others', () => {
  const other = { ...passed, file: 'b.test.ts' }
  const before = { tests: [passed, other], findings: [finding], sabotages: [red] }
  const failed = { ...passed, status: 'failed' } as const
  const after = withFiles(before, ['a.test.ts'], { tests: [failed], findings: [] })
  expect(after).toEqual({ tests: [failed, other], findings: [], sabotages: [red] })
  const later = { ...red, date: '2026-02-01' }
  expect(withSabotage(after, later).sabotages).toEqual([later])
  expect(withSabotage(after, { ...later, breaks: 'Another.' }).sabotages).toHaveLength(2)
})

test('a skipped test keeps its earlier result and findings', () => {
  const skipped = { ...passed, status: 'skipped' } as const
  const run = { tests: [skipped], findings: [] }
  const before = { ...none, tests: [passed], findings: [finding] }
  expect(withFiles(before, [passed.file], run)).toEqual(before)
  expect(withFiles(none, [passed.file], run).tests).toEqual([skipped])
  expect(withFiles(none, [passed.file], { ...run, tests: [skipped, passed] }).tests).toEqual([
    passed,
  ])
  const later = { ...finding, sentence: 'later' }
  expect(withFiles(before, [passed.file], { ...run, findings: [later] }).findings).toEqual([later])
})

test('a benchmark replaces its finding for the same engine, and keeps the others', () => {
  const of = (sentence: string) => ({ ...finding, file: 'bench/a.ts', sentence })
  const before = { ...none, findings: [finding, of('Real: 1.'), of('Scripted: 2.')] }
  const after = withMeasured(before, [of('Scripted: 3.')])
  expect(after.findings).toEqual([finding, of('Real: 1.'), of('Scripted: 3.')])
})

test('long tests run alone, so that an interruption loses little', () => {
  expect(toRuns(['a.test.ts', 'b.long.test.ts', 'c.test.ts'])).toEqual([
    ['b.long.test.ts'],
    ['a.test.ts', 'c.test.ts'],
  ])
})

test('a finding beyond the bounds of its goal says that the goal is not reached', () => {
  const rowOf = (sentence: string) =>
    renderReliability({ ...none, findings: [{ ...finding, id: 'G4', sentence }] })
      .split('\n')
      .find((line) => line.startsWith('| G4 '))
  const soak = (growth: string, delay: string) =>
    `A soak: memory of the service grew by ${growth} MiB/h; event-loop delay ${delay} ms (largest).`
  expect(rowOf(soak('4.1', '29.0'))).toContain('(largest). **The goal is not reached.** |')
  expect(rowOf(soak('0.2', '50.1'))).toContain('(largest). **The goal is not reached.** |')
  expect(rowOf(soak('-0.2', '29.0'))).toContain('(largest). |')
})

test('a run noticed each sabotage', async () => {
  const keyOf = ({ id, breaks }: { id: string; breaks: string }) => `${id}: ${breaks}`
  const noticed = readRecords().sabotages.filter(({ outcome }) => outcome === 'red')
  const keys = new Set(noticed.map(keyOf))
  const missing = (await readSabotages()).map(keyOf).filter((key) => !keys.has(key))
  expect(missing, 'run `npm run reliability -- --only ID --skip-tests`').toEqual([])
})
