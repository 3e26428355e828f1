// Starts each step of the check as soon as the steps that it needs have passed and enough cores are free.

/**
 * @param {import('./run-step.mjs').Step[]} steps earlier ones start first
 * @param {number} cores
 * @param {(step: import('./run-step.mjs').Step) => Promise<import('./run-step.mjs').Outcome>} run
 * @returns {Promise<Map<import('./run-step.mjs').Step, import('./run-step.mjs').Outcome>>} without the steps that
 * never started
 */
export async function schedule(steps, cores, run) {
  const outcomes = new Map()
  const running = new Map()
  let waiting = [...steps]
  let free = cores
  let isStopped = false
  const passed = (name) =>
    [...outcomes].some(([step, { status }]) => step.name === name && status === 'passed')
  const canStart = (step) => coresOf(step, cores) <= free && (step.needs ?? []).every(passed)
  for (;;) {
    for (const step of isStopped ? [] : waiting.filter((each) => each)) {
      if (!canStart(step)) continue
      waiting = waiting.filter((other) => other !== step)
      free -= coresOf(step, cores)
      running.set(
        step,
        run(step).then((outcome) => ({ step, outcome })),
      )
    }
    if (running.size === 0) return outcomes
    const { step, outcome } = await Promise.race(running.values())
    running.delete(step)
    free += coresOf(step, cores)
    outcomes.set(step, outcome)
    if (outcome.status !== 'passed' && step.stopsOthers === true) isStopped = true
  }
}

/** A machine with one core runs a step for two alone. */
function coresOf({ cores: wanted = 1 }, cores) {
  return Math.min(wanted, cores)
}
