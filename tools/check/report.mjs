// Ends the check with what failed and why, so that the last lines of a log are enough.
import { relative } from 'node:path'
import { root } from '../build-part.mjs'

const exitFailed = 1
const exitNoAnswer = 3
const failuresMax = 20
const logLinesMax = 6

/**
 * Prints the seconds of each step, why tests were skipped, what failed, and one line of counts.
 * @param {import('./run-step.mjs').Step[]} steps
 * @param {Map<import('./run-step.mjs').Step, import('./run-step.mjs').Outcome>} outcomes
 * @returns {number} the exit code
 */
export function printReport(steps, outcomes) {
  console.log('\nSteps:')
  for (const step of steps) {
    const { status, seconds } = outcomes.get(step) ?? { status: 'not run', seconds: 0 }
    console.log(
      `  ${String(seconds).padStart(5)} s  ${step.name}${status === 'passed' ? '' : `: ${status}`}`,
    )
  }
  const all = [...outcomes.values()].flatMap(({ results }) => results ?? [])
  printSkips(all)
  for (const [step, { results }] of outcomes)
    for (const { file, title } of results?.flaky ?? [])
      console.log(`FLAKY: ${file} > ${title} (${step.name}; passed when run again, alone)`)
  const bad = steps.filter((step) => outcomes.get(step)?.status !== 'passed')
  for (const step of bad) printFailure(step, outcomes.get(step))
  const count = (of) => all.reduce((sum, results) => sum + of(results), 0)
  const failed =
    count(({ failed }) => failed.length) +
    bad.filter((step) => !outcomes.get(step)?.results?.failed.length).length
  console.log(
    `${count(({ passed }) => passed)} passed, ${failed} failed, ${count(({ skipped }) => Object.values(skipped).reduce((sum, tests) => sum + tests, 0))} skipped`,
  )
  if (bad.length === 0) return 0
  return bad.some((step) => outcomes.get(step)?.status === 'failed') ? exitFailed : exitNoAnswer
}

function printSkips(all) {
  const sums = new Map()
  for (const { skipped } of all)
    for (const [reason, tests] of Object.entries(skipped))
      sums.set(reason, (sums.get(reason) ?? 0) + tests)
  for (const [reason, tests] of sums)
    console.log(`skipped: ${tests} ${tests === 1 ? 'test' : 'tests'} (${reason})`)
}

function printFailure(step, outcome) {
  if (outcome === undefined) return console.log(`NOT RUN: ${step.name}`)
  const { status, seconds, results, log, text } = outcome
  if (status === 'no answer')
    console.log(
      `NO ANSWER: ${step.name}, ${seconds} s: a registry did not answer. Run the check again.`,
    )
  else console.log(`FAILED: ${step.name}, ${seconds} s`)
  if (results === undefined || results.failed.length === 0) {
    for (const line of text
      .trimEnd()
      .split('\n')
      .slice(-2 * logLinesMax))
      console.log(`  | ${line}`)
    return console.log(`  the whole log: ${relative(root, log)}`)
  }
  for (const test of results.failed.slice(0, failuresMax)) printTest(test)
  const more = results.failed.length - failuresMax
  if (more > 0) console.log(`  and ${more} more: ${relative(root, log)}`)
}

function printTest({ file, line, title, message, project, notes }) {
  console.log(`  ${file}:${line} > ${title}`)
  console.log(`    ${message}`)
  for (const note of notes)
    for (const part of note.split('\n').slice(-logLinesMax)) console.log(`    | ${part}`)
  console.log(`    alone: npx vitest run --project ${project} ${file}`)
}
