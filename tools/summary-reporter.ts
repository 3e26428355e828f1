import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends a run with a line for each reason that skipped tests, and one line of counts. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    for (const [reason, { length }] of byReason(skipped))
      console.log(`skipped: ${length} ${length === 1 ? 'test' : 'tests'} (${reason})`)
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A file that cannot be loaded has no tests, so it counts as one failure.
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length
    console.log(
      `${count('passed')} passed, ${count('failed') + brokenFiles} failed, ${skipped.length} skipped`,
    )
  }
}

function byReason(tests: readonly TestCase[]): Map<string, TestCase[]> {
  const groups = new Map<string, TestCase[]>()
  for (const test of tests)
    groups.set(reasonOf(test), [...(groups.get(reasonOf(test)) ?? []), test])
  return groups
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'no reason given'
}
