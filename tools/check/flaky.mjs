// Runs each failed test file once more, alone. If the file passes then, its failure depended on the machine's load or
// on tests that ran beside it. The file's failed tests are reported as flaky: the tests are at fault, not the code.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../build-part.mjs'
import { runStep } from './run-step.mjs'

/** Maximum number of failed files to run again. More failures than this are no accident. */
const rerunFilesMax = 5

/**
 * @param {import('./run-step.mjs').Step} step
 * @param {import('./run-step.mjs').Outcome} outcome
 * @param {AbortSignal} signal
 * @returns {Promise<import('./run-step.mjs').Outcome>} the outcome with the results of the tests; its status is
 * `passed` if every failed file passed alone
 */
export async function rerunFailedFiles(step, outcome, signal) {
  if (step.results === undefined) return outcome
  const results = readResults(step.results)
  if (outcome.status === 'passed' || results === undefined) return { ...outcome, results }
  const files = [...new Set(results.failed.map(({ file }) => file))]
  // A run that hung did not end because of the tests that it reported.
  const isBroken = results.isBroken || outcome.isTimeUp === true
  if (isBroken || files.length === 0 || files.length > rerunFilesMax) return { ...outcome, results }
  const flaky = []
  for (const [index, file] of files.entries()) {
    const log = outcome.log.replace(/\.log$/, `-again-${index + 1}.log`)
    const again = await runStep(aloneStep(step, file), log, signal)
    if (again.status === 'passed')
      flaky.push(...results.failed.filter((test) => test.file === file))
  }
  const failed = results.failed.filter((test) => !flaky.includes(test))
  const status = failed.length === 0 ? 'passed' : 'failed'
  return { ...outcome, status, results: { ...results, failed, flaky } }
}

/** Returns the results that the reporter wrote; undefined if the run ended before that. */
function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Returns the step with one test file instead of the ones that it names. */
function aloneStep(step, file) {
  const [[program, ...args]] = step.commands
  const options = args.filter((arg) => !isTestPath(arg))
  const command = program === 'npm' ? [program, ...args, '--', file] : [program, ...options, file]
  return { ...step, commands: [command], env: { ...step.env, PIPIT_TEST_RESULTS: '' } }
}

function isTestPath(arg) {
  return /^(src|panel|test|tools)(\/|$)/.test(arg.startsWith(root) ? relative(root, arg) : arg)
}
