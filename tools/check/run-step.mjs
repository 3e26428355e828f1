// Runs one step of the check: its commands one after the other, each in a process group of its own.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const defaultRetryMs = 5_000
/** Matches what npm, apt and Go say of an install that no further attempt can mend. */
const wrongInstall =
  /npm error code (?:EUSAGE|EJSONPARSE|ETARGET|EINTEGRITY|EBADENGINE)|^E: (?:Unable to locate package|Package .* has no installation candidate)|invalid go version|No space left on device/m

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [needs] names of the steps that must have passed before
 * @property {number} [cores] processor cores that the step takes; 0 for a step that mostly waits for the network
 * @property {string[][]} commands each a program and its arguments
 * @property {Record<string, string>} [env]
 * @property {number} [tries] number of attempts; set only for installs, where a failure counts as `no answer` unless the
 *   output shows that the repository asks for something wrong
 * @property {number} [retryMs] the wait before another attempt
 * @property {number} minutes after which the step is ended and counts as failed
 * @property {boolean} [stopsOthers] true if a failure ends the whole check at once
 * @property {string} [results] the file in which the test reporter leaves its results
 *
 * @typedef {object} Outcome
 * @property {'passed' | 'failed' | 'no answer' | 'ended'} status `no answer`: a registry did not answer; `ended`: the
 *   signal ended the step
 * @property {number} seconds
 * @property {string} log the file with the output
 * @property {string} text the output
 * @property {boolean} [isTimeUp] true if the step took longer than its `minutes`
 * @property {Results} [results] of the tests, if the step has any
 *
 * @typedef {object} Results
 * @property {number} passed
 * @property {Failure[]} failed
 * @property {Record<string, number>} skipped the number of tests by reason
 * @property {boolean} isBroken true if there were errors that belong to no test
 * @property {Failure[]} [flaky] tests that failed, but not when they ran alone
 *
 * @typedef {{ file: string, line: number, title: string, message: string, project: string, notes: string[] }} Failure
 */

/**
 * @param {Step} step
 * @param {string} log the file for its output
 * @param {AbortSignal} signal ends the step
 * @returns {Promise<Outcome>}
 */
export async function runStep(step, log, signal) {
  const startMs = performance.now()
  // `AbortSignal.any` with a timeout does not do on Node 20: the garbage collector may take it away.
  const limit = new AbortController()
  const end = () => limit.abort()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const timer = setTimeout(end, step.minutes * 60_000)
  const output = openSync(log, 'w')
  let passed = false
  try {
    for (let left = step.tries ?? 1; left > 0 && !passed && !limit.signal.aborted; left -= 1) {
      passed = await runCommands(step, output, limit.signal)
      if (!passed && isWrong(step, log)) break
      if (!passed && left > 1)
        await delay(step.retryMs ?? defaultRetryMs, undefined, { signal: limit.signal }).catch(
          () => {},
        )
    }
    if (isTimeUp()) writeSync(output, `\nEnded after ${step.minutes} minutes.\n`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    closeSync(output)
  }
  const status = statusOf(step, passed, log, signal)
  const seconds = Math.round((performance.now() - startMs) / 1000)
  return { status, seconds, log, text: readFileSync(log, 'utf8'), isTimeUp: isTimeUp() }

  function isTimeUp() {
    return !passed && limit.signal.aborted && !signal.aborted
  }
}

function statusOf(step, passed, log, signal) {
  if (passed) return 'passed'
  if (signal.aborted) return 'ended'
  return step.tries === undefined || isWrong(step, log) ? 'failed' : 'no answer'
}

function isWrong({ tries }, log) {
  return tries !== undefined && wrongInstall.test(readFileSync(log, 'utf8'))
}

async function runCommands({ commands, env = {} }, output, signal) {
  for (const [program, ...args] of commands) {
    writeSync(output, `$ ${[program, ...args].join(' ')}\n`)
    if ((await runCommand(program, args, env, output, signal)) !== 0) return false
  }
  return true
}

/** Returns the exit code; undefined for a command that was ended or could not be started. */
function runCommand(program, args, env, output, signal) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      detached: true,
    })
    const end = () => endGroup(child.pid)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    child.once('error', (error) => {
      signal.removeEventListener('abort', end)
      writeSync(output, `${error.message}\n`)
      resolve(undefined)
    })
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end)
      // Processes that outlive their command would take time from the next steps.
      end()
      resolve(code ?? undefined)
    })
  })
}

/** Kills a command and the processes that it started. */
function endGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
