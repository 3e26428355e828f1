import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { packageRoot } from '../../src/paths.ts'
import { runVitest } from '../faults/sabotage/runner/run-vitest.ts'
import type { FindingRecord, Records, TestRecord } from './records.ts'

/** Time limit of one run: enough for 1,000 kills of the engine (`ENGINE_KILLS`). */
const chunkTimeoutMs = 7_200_000
/** Number of test files in one run. Results are saved after each run, so an interruption loses only one run. */
const filesPerRun = 12

/** Splits test files into runs: long ones alone, the others a few at a time. */
export function toRuns(files: readonly string[]): string[][] {
  const isLong = (file: string) => file.endsWith('.long.test.ts')
  const short = files.filter((file) => !isLong(file))
  const runs: string[][] = files.filter(isLong).map((file) => [file])
  for (let from = 0; from < short.length; from += filesPerRun)
    runs.push(short.slice(from, from + filesPerRun))
  return runs
}

/** Runs some test files, and returns the tests that carry ids and the findings that the tests recorded. */
export async function runTests(
  files: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Records, 'tests' | 'findings'> & { fault: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-findings-'))
  const findingsFile = join(folder, 'findings.jsonl')
  try {
    const { tests, fault } = await runVitest({
      folder: packageRoot,
      files,
      environment: { PIPIT_TEST_FINDINGS: findingsFile },
      timeoutMs: chunkTimeoutMs,
      signal,
    })
    const date = new Date().toISOString().slice(0, 10)
    const records = tests.map(({ file, titles, status }) => ({
      file,
      ...withoutIds(titles),
      status,
      date,
    }))
    return {
      tests: records.filter(({ ids }) => ids.length > 0),
      findings: readFindings(findingsFile, date),
      fault,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const idsAtEnd = / \(([A-Z]\d+(?:, [A-Z]\d+)*)\)$/

/** Separates ids from titles. A test also has the ids of its enclosing `describe` blocks. */
function withoutIds(titles: readonly string[]): Pick<TestRecord, 'title' | 'ids'> {
  const ids = titles.flatMap((title) => idsAtEnd.exec(title)?.[1]?.split(', ') ?? [])
  return {
    title: titles.map((title) => title.replace(idsAtEnd, '')).join(': '),
    ids: [...new Set(ids)],
  }
}

function readFindings(path: string, date: string): FindingRecord[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const { id, file, sentence } = JSON.parse(line) as Record<'id' | 'file' | 'sentence', string>
    return { id, file: relative(packageRoot, file), sentence, date }
  })
}
