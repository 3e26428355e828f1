import type { Sabotage } from '../sabotage.ts'
import { Copy } from './copy.ts'
import { runTest, type SabotageResult, trySabotage } from './try-sabotage.ts'

type Options = {
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  /** Called with each result at once, so that an interrupted run loses no result. */
  readonly keep: (result: SabotageResult) => void
  /** The checkout to copy. Default: this one. */
  readonly root?: string
}

/**
 * Tries sabotages one at a time in one copy of the checkout, and returns the results. Runs each named test once without its
 * sabotage, and does not try the sabotage if that test fails, because its failure would prove nothing.
 */
export async function runSabotages(
  sabotages: readonly Sabotage[],
  options: Options,
): Promise<SabotageResult[]> {
  const results: SabotageResult[] = []
  const baselines = new Map<string, string>()
  const copy = new Copy(options.root)
  try {
    for (const [index, sabotage] of sabotages.entries()) {
      const fault = await baselineFault(copy, sabotage, options, baselines)
      const result =
        fault === ''
          ? await trySabotage(copy, sabotage, options.signal)
          : unproven(sabotage, `fails without the sabotage: ${fault}`)
      results.push(result)
      options.keep(result)
      options.log(lineOf(result, `${index + 1}/${sabotages.length}`))
    }
  } finally {
    copy.remove()
  }
  return results
}

/** Returns why the named test fails without the sabotage; empty if it passes. */
async function baselineFault(
  copy: Copy,
  { test }: Sabotage,
  { signal }: Options,
  known: Map<string, string>,
): Promise<string> {
  const name = `${test.file}\n${test.title}`
  const seen = known.get(name)
  if (seen !== undefined) return seen
  const { outcome, message } = await runTest(copy, test, signal)
  const fault = outcome === 'green' ? '' : message || outcome
  known.set(name, fault)
  return fault
}

function unproven({ id, breaks, file, test }: Sabotage, message: string): SabotageResult {
  const date = new Date().toISOString().slice(0, 10)
  return { id, breaks, file, test, outcome: 'not run', message, seconds: 0, date }
}

function lineOf({ id, outcome, seconds, breaks, message }: SabotageResult, place: string): string {
  return `${place} ${id} ${outcome} in ${seconds} s: ${breaks}${message && `\n    ${message}`}`
}
