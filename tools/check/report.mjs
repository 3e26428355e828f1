// Prints at the end of the check what failed and why, so that the last lines of a log are enough.
import { relative } from 'node:path'
import { root } from '../build-part.mjs'

/** @typedef {import('./run-step.mjs').Step} Step */
/** @typedef {import('./run-step.mjs').Outcome} Outcome */

const exitFailed = 1
const exitNoAnswer = 3
/** Maximum number of failed files in each step for which the report prints details. */
const filesMax = 12
const flakyMax = 20
/** Maximum lines of the list at the end, which must be within the last 40 lines of the log. */
const namesMax = 36
const noteLinesMax = 6
const logLinesMax = 12

/**
 * Prints the seconds of each step, why tests were skipped, what failed, and one line of counts.
 * @param {Step[]} steps
 * @param {Map<Step, Outcome>} outcomes of the steps that started
 * @param {(line: string) => void} print
 * @returns {number} the exit code: 0, 1 if the code is wrong, 3 if only a registry did not answer
 */
export function printReport(steps, outcomes, print) {
  const results = [...outcomes.values()].flatMap((outcome) => outcome.results ?? [])
  printSteps(steps, outcomes, print)
  printSkips([...outcomes.values()], print)
  for (const [step, outcome] of outcomes) {
    const flaky = outcome.results?.flaky ?? []
    for (const { file, title, message } of flaky.slice(0, flakyMax)) {
      print(`FLAKY: ${file} > ${title} (${step.name}; it passed when it ran again, alone)`)
      print(`    ${message}`)
    }
    if (flaky.length > flakyMax) print(`  and ${flaky.length - flakyMax} more`)
  }
  const failed = [...outcomes].filter(([, { status }]) => status === 'failed')
  const unanswered = [...outcomes].filter(([, { status }]) => status === 'no answer')
  for (const [step, outcome] of unanswered) printUnanswered(step, outcome, print)
  const files = new Set()
  for (const [step, outcome] of failed) printFailed(step, outcome, files, print)
  printNames(failed, print)
  printCounts(results, failed, print)
  if (failed.length > 0) return exitFailed
  if (unanswered.length > 0) return exitNoAnswer
  return steps.every((step) => outcomes.get(step)?.status === 'passed') ? 0 : exitFailed
}

function printSteps(steps, outcomes, print) {
  print('')
  for (const step of steps) {
    const { status, seconds } = outcomes.get(step) ?? { status: 'not run', seconds: 0 }
    print(`${String(seconds).padStart(6)} s  ${step.name}: ${status}`)
  }
}

function printSkips(outcomes, print) {
  const sums = new Map()
  const checks = new Set()
  for (const { results, text } of outcomes) {
    const { tests, others } = results ? { tests: results.skipped, others: [] } : skipsIn(text)
    for (const [reason, count] of Object.entries(tests))
      sums.set(reason, (sums.get(reason) ?? 0) + count)
    for (const check of others) checks.add(check)
  }
  for (const [reason, count] of sums)
    print(`skipped: ${count} ${count === 1 ? 'test' : 'tests'} (${reason})`)
  for (const check of checks) print(`skipped: ${check}`)
}

/**
 * Returns what a step without test results reports as skipped: tests of Python's `unittest -v`, and its own lines that
 * begin with `skipped:`.
 */
function skipsIn(text) {
  const tests = {}
  for (const [, , reason] of text.matchAll(/(?:^| )skipped (['"])(.+)\1$/gm))
    tests[reason] = (tests[reason] ?? 0) + 1
  return { tests, others: [...text.matchAll(/^skipped: (.+)$/gm)].map(([, other]) => other) }
}

function printUnanswered(step, { seconds, text, log }, print) {
  print(`NO ANSWER: ${step.name}, ${seconds} s: a registry did not answer. Run the check again.`)
  printLog(text, log, print)
}

/** Prints the first failure of each file, unless an earlier step has printed it; adds the files to `printed`. */
function printFailed(step, { seconds, results, text, log }, printed, print) {
  print(`FAILED: ${step.name}, ${seconds} s`)
  if (results === undefined || results.failed.length === 0) {
    for (const title of pythonFailuresIn(text)) print(`  ${title}`)
    return printLog(text, log, print)
  }
  const byFile = new Map()
  for (const failure of results.failed)
    byFile.set(failure.file, [...(byFile.get(failure.file) ?? []), failure])
  const news = [...byFile].filter(([file]) => !printed.has(file))
  for (const [file, [failure, ...others]] of news.slice(0, filesMax)) {
    printed.add(file)
    const { line, title, message, project, notes } = failure
    print(`  ${file}:${line} > ${title}`)
    print(`    ${message}`)
    for (const note of notes)
      for (const part of note.trimEnd().split('\n').slice(-noteLinesMax)) print(`    | ${part}`)
    if (others.length > 0) print(`    and ${others.length} more in this file`)
    print(`    alone: npx vitest run --project ${project} ${file}`)
  }
  const asAbove = byFile.size - news.length
  if (asAbove > 0) print(`  and ${asAbove} of the files above`)
  const more = news.length - filesMax
  if (more > 0) print(`  and ${more} more files, see ${relative(root, log)}`)
}

/** If more than one thing failed, prints a list with one line for each file and each Python test. */
function printNames(failed, print) {
  const names = new Map()
  const note = (key, title) => names.set(key, [...(names.get(key) ?? []), title])
  for (const [step, { results, text }] of failed) {
    const { failed: failures = [] } = results ?? {}
    for (const { file, title } of failures) note(file, title)
    const tests = results === undefined ? pythonFailuresIn(text) : []
    for (const title of tests) note(`${step.name} > ${title}`, title)
    if (failures.length + tests.length === 0) note(step.name, '')
  }
  if (names.size < 2) return
  print('What failed:')
  for (const [key, titles] of [...names].slice(0, namesMax)) {
    const [first = ''] = titles
    const others = new Set(titles).size - 1
    const title = first === '' || key.endsWith(first) ? '' : ` > ${first}`
    print(`  ${key}${title}${others > 0 ? ` (and ${others} more)` : ''}`)
  }
  if (names.size > namesMax) print(`  and ${names.size - namesMax} more files`)
}

/** Returns the names of failed tests of Python's unittest. */
function pythonFailuresIn(text) {
  return [...text.matchAll(/^(?:FAIL|ERROR): (\w+) \(/gm)].map(([, name]) => name)
}

function printLog(text, log, print) {
  for (const line of text.trimEnd().split('\n').slice(-logLinesMax)) print(`  | ${line}`)
  print(`  the whole log: ${relative(root, log)}`)
}

/** Prints the counts of all tests. A failed step without failed tests counts as one failure. */
function printCounts(results, failed, print) {
  const sum = (of) => results.reduce((total, result) => total + of(result), 0)
  const passed = sum((result) => result.passed + (result.flaky?.length ?? 0))
  const failures = failed.reduce(
    (total, [, outcome]) => total + (outcome.results?.failed.length || 1),
    0,
  )
  const skipped = sum((result) => Object.values(result.skipped).reduce((a, b) => a + b, 0))
  print(`${passed} passed, ${failures} failed, ${skipped} skipped`)
}
