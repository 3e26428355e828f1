// Runs the whole check on a clean checkout: `node tools/check/main.mjs`, or with --full everything at full size. It
// needs git, npm and a Node (20 or newer) to start with, and installs the rest itself. It exits with 1 if the code is
// wrong and with 3 if a registry did not answer.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { mkdirSync, rmSync } from 'node:fs'
import { rerunFailedFiles } from './flaky.mjs'
import { printReport } from './report.mjs'
import { runStep } from './run-step.mjs'
import { schedule } from './schedule.mjs'
import { checkFolder, fullSteps, landingSteps } from './steps.mjs'

const progressMs = 60_000

rmSync(checkFolder, { recursive: true, force: true })
mkdirSync(checkFolder, { recursive: true })
const isFull = process.argv.includes('--full')
const steps = isFull ? fullSteps() : landingSteps()
if (isFull) {
  // A failed file must run again with the same seed.
  process.env['TEST_SEED'] ??= String(randomInt(2 ** 30))
  console.log(`TEST_SEED=${process.env['TEST_SEED']}`)
}
const stop = new AbortController()
const running = new Map()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
const progress = setInterval(printRunning, progressMs)
try {
  const outcomes = await schedule(steps, availableParallelism(), run, stop.signal)
  for (const [step, outcome] of outcomes) outcomes.set(step, await rerun(step, outcome))
  process.exitCode = printReport(steps, outcomes, console.log)
} finally {
  clearInterval(progress)
  stop.abort()
}

async function run(step) {
  const startMs = performance.now()
  running.set(step.name, startMs)
  say(`${step.name}: started`)
  const log = join(checkFolder, `${step.name.replaceAll(/\W+/g, '-')}.log`)
  const outcome = await runStep(step, log, stop.signal)
  running.delete(step.name)
  if (outcome.status !== 'passed') console.log(outcome.text)
  say(`${step.name}: ${outcome.status} after ${outcome.seconds} s`)
  if (outcome.status === 'failed' && step.stopsOthers === true) stop.abort()
  return outcome
}

/** Runs the failed files of a step again, when nothing else runs any more. */
async function rerun(step, outcome) {
  const again = await rerunFailedFiles(step, outcome, stop.signal)
  if (again.status !== outcome.status) say(`${step.name}: ${again.status} when its files ran alone`)
  return again
}

function printRunning() {
  for (const [name, startMs] of running)
    say(`${name}: running for ${Math.round((performance.now() - startMs) / 1000)} s`)
}

function say(text) {
  console.log(`[check] ${text}`)
}
