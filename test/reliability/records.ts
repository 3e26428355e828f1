import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/paths.ts'
import type { SabotageResult } from '../faults/sabotage/runner/try-sabotage.ts'

const recordsFile = join(packageRoot, 'docs/reliability.json')

export type TestRecord = {
  /** Relative to the repository. */
  readonly file: string
  /** The titles of the enclosing `describe` blocks, then the test's own, without ids. */
  readonly title: string
  readonly ids: readonly string[]
  readonly status: 'passed' | 'failed' | 'skipped'
  /** The date in ISO 8601, without a time, like all dates here. */
  readonly date: string
}

/** A sentence that a test recorded with `recordFinding`, or a benchmark with `--save`. */
export type FindingRecord = {
  readonly id: string
  readonly file: string
  readonly sentence: string
  readonly date: string
}

/** The latest results of the tests and sabotages. */
export type Records = {
  readonly tests: readonly TestRecord[]
  readonly findings: readonly FindingRecord[]
  readonly sabotages: readonly SabotageResult[]
}

export function readRecords(): Records {
  if (!existsSync(recordsFile)) return { tests: [], findings: [], sabotages: [] }
  return JSON.parse(readFileSync(recordsFile, 'utf8')) as Records
}

export function writeRecords(records: Records): void {
  writeFileSync(recordsFile, `${JSON.stringify(records, null, 2)}\n`)
}

/**
 * Replaces the results and findings of the tests in some files. A test that was skipped, for example for want of a
 * program, keeps its earlier result, and its file keeps the findings that the run did not record again.
 */
export function withFiles(
  records: Records,
  files: readonly string[],
  { tests, findings }: Pick<Records, 'tests' | 'findings'>,
): Records {
  const isOther = ({ file }: { file: string }) => !files.includes(file)
  const skipped = tests.filter(({ status }) => status === 'skipped')
  const isKept = (finding: FindingRecord) =>
    isOther(finding) ||
    (skipped.some(({ file }) => file === finding.file) &&
      !findings.some(({ id, file }) => id === finding.id && file === finding.file))
  const results = [...records.tests.filter(isOther), ...withoutSkips(tests, records.tests)]
  return {
    tests: sorted(results, ({ file, title }) => [file, title]),
    findings: sortedFindings([...records.findings.filter(isKept), ...findings]),
    sabotages: records.sabotages,
  }
}

/** Replaces each skipped test by its result in another project of the run, or else by its earlier result. */
function withoutSkips(tests: readonly TestRecord[], earlier: readonly TestRecord[]): TestRecord[] {
  return tests.flatMap((test) => {
    const isSame = (other: TestRecord) =>
      other.file === test.file && other.title === test.title && other.status !== 'skipped'
    if (test.status !== 'skipped') return test
    return tests.some(isSame) ? [] : (earlier.find(isSame) ?? test)
  })
}

/**
 * Adds findings of benchmarks. Each replaces earlier findings with the same id, file and text before the first colon.
 */
export function withMeasured(records: Records, findings: readonly FindingRecord[]): Records {
  const keyOf = ({ id, file, sentence }: FindingRecord) =>
    [id, file, sentence.split(': ')[0]].join('\n')
  const measured = new Set(findings.map(keyOf))
  const others = records.findings.filter((finding) => !measured.has(keyOf(finding)))
  return { ...records, findings: sortedFindings([...others, ...findings]) }
}

/** Replaces the result of one sabotage. */
export function withSabotage(records: Records, result: SabotageResult): Records {
  const others = records.sabotages.filter(
    ({ id, breaks }) => id !== result.id || breaks !== result.breaks,
  )
  return {
    ...records,
    sabotages: sorted([...others, result], ({ id, breaks }) => [id, breaks]),
  }
}

/** Removes the records of tests and sabotages that no longer exist. */
export function withoutRemoved(
  records: Records,
  isTest: (file: string) => boolean,
  isSabotage: (result: SabotageResult) => boolean,
): Records {
  return {
    tests: records.tests.filter(({ file }) => isTest(file)),
    findings: records.findings.filter(({ file }) => isTest(file)),
    sabotages: records.sabotages.filter(isSabotage),
  }
}

function sortedFindings(findings: readonly FindingRecord[]): FindingRecord[] {
  return sorted(findings, ({ id, file, sentence }) => [id, file, sentence])
}

/** Sorts by the texts of `keyOf`. With a fixed order, a run changes only the lines of the tests that it ran. */
function sorted<Value>(values: readonly Value[], keyOf: (value: Value) => string[]): Value[] {
  const key = (value: Value) => keyOf(value).join('\n')
  return values.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
