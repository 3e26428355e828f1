import type { Sabotage } from '../sabotage.ts'
import type { Copy } from './copy.ts'
import { runProgram, runVitest } from './run-vitest.ts'

/** The outcome of a test with a sabotage. Only `red` proves that the test detects it. */
export type SabotageResult = {
  readonly id: string
  readonly breaks: string
  readonly file: string
  readonly test: Sabotage['test']
  readonly outcome: 'red' | 'green' | 'not run' | 'not built'
  /** The first line of the test's error, or the reason why there was no result. */
  readonly message: string
  readonly seconds: number
  /** The date in ISO 8601, without a time. */
  readonly date: string
}

const buildTimeoutMs = 600_000
const testTimeoutMs = 300_000
const longTestTimeoutMs = 1_200_000

/** Breaks the code, rebuilds what the change needs, runs the named test and repairs the code. */
export async function trySabotage(
  copy: Copy,
  sabotage: Sabotage,
  signal: AbortSignal,
): Promise<SabotageResult> {
  const startedMs = performance.now()
  const repair = copy.apply(sabotage)
  let seen: Pick<SabotageResult, 'outcome' | 'message'>
  try {
    seen = (await build(copy, sabotage, signal)) ?? (await runTest(copy, sabotage.test, signal))
  } finally {
    repair()
  }
  const { id, breaks, file, test } = sabotage
  return {
    id,
    breaks,
    file,
    test,
    ...seen,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    date: new Date().toISOString().slice(0, 10),
  }
}

/** Runs the named test. Without a sabotage it must be `green`. */
export async function runTest(
  copy: Copy,
  { file, title }: Sabotage['test'],
  signal: AbortSignal,
): Promise<Pick<SabotageResult, 'outcome' | 'message'>> {
  const timeoutMs = file.endsWith('.long.test.ts') ? longTestTimeoutMs : testTimeoutMs
  const run = await runVitest({ folder: copy.folder, files: [file], title, timeoutMs, signal })
  const named = run.tests.filter(
    ({ titles, status }) => status !== 'skipped' && titles.join(' ').includes(title),
  )
  const failed = named.find(({ status }) => status === 'failed')
  if (failed !== undefined) return { outcome: 'red', message: failed.message }
  if (named.length > 0 && run.fault === '') return { outcome: 'green', message: '' }
  return { outcome: 'not run', message: run.fault || 'no test with this title ran' }
}

/** Rebuilds the parts whose sources have changed. Returns the failure, or undefined if the build worked. */
async function build(
  copy: Copy,
  { file }: Sabotage,
  signal: AbortSignal,
): Promise<Pick<SabotageResult, 'outcome' | 'message'> | undefined> {
  if (!/^(src|panel)\//.test(file)) return undefined
  const { code, output } = await runProgram(['tools/build.mjs'], {
    folder: copy.folder,
    timeoutMs: buildTimeoutMs,
    signal,
  })
  return code === 0 ? undefined : { outcome: 'not built', message: output.trim().slice(0, 500) }
}
