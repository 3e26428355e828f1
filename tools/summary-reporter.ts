import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

type Failure = {
  readonly file: string
  readonly line: number
  readonly title: string
  /** The first line of the first error. */
  readonly message: string
  readonly project: string
  /** Texts that help to find the cause, such as the end of a service's log. */
  readonly notes: readonly string[]
}

declare module 'vitest' {
  interface TaskMeta {
    notes?: string[]
  }
}

/**
 * Prints at the end of a run one line for each reason why tests were skipped, and one line of counts. Also writes these
 * figures and the failed tests to the file that PIPIT_TEST_RESULTS names, for the report of the whole check.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skips = tests.filter((test) => test.result().state === 'skipped')
    const skipped: Record<string, number> = {}
    for (const test of skips) skipped[reasonOf(test)] = (skipped[reasonOf(test)] ?? 0) + 1
    for (const [reason, count] of Object.entries(skipped))
      console.log(`skipped: ${count} ${count === 1 ? 'test' : 'tests'} (${reason})`)
    // A file that cannot be loaded has no tests, so it counts as one failure.
    const failed = modules.flatMap((module) => [
      ...ownFailures(module, module, '(the file itself)'),
      // Errors of the hooks of a `describe`.
      ...[...module.children.allSuites()].flatMap((suite) =>
        ownFailures(module, suite, suite.fullName),
      ),
      ...testFailures(module),
    ])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    console.log(`${passed} passed, ${failed.length} failed, ${skips.length} skipped`)
    const file = process.env['PIPIT_TEST_RESULTS']
    // A failed test often leaves a rejection behind that no other test has caused.
    const failedFiles = new Set(failed.map((failure) => failure.file))
    const isBroken = errors.some((error) => !failedFiles.has(fileOf(error)))
    if (file) writeFileSync(file, JSON.stringify({ passed, failed, skipped, isBroken }))
  }
}

/** Returns the test file in which an error outside of the tests occurred; an empty text if it is unknown. */
function fileOf(error: { message: string }): string {
  const path: unknown = 'VITEST_TEST_PATH' in error ? error.VITEST_TEST_PATH : undefined
  return typeof path === 'string' ? relative(process.cwd(), path) : ''
}

function ownFailures(module: TestModule, owner: TestModule | TestSuite, title: string): Failure[] {
  return owner.errors().map(({ message, stacks }) => ({
    file: pathOf(module),
    line: stacks?.[0]?.line ?? 1,
    title,
    message: firstLine(message),
    project: module.project.name,
    notes: [],
  }))
}

function testFailures(module: TestModule): Failure[] {
  return [...module.children.allTests('failed')].map((test) => {
    const [error] = test.result().errors ?? []
    const own = error?.stacks?.find(({ file }) => file === module.moduleId)
    return {
      file: pathOf(module),
      line: own?.line ?? error?.stacks?.[0]?.line ?? 1,
      title: test.fullName,
      message: firstLine(error?.message ?? 'failed without an error'),
      project: module.project.name,
      notes: test.meta().notes ?? [],
    }
  })
}

function pathOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'no reason given'
}
