// Starts each step of the check as soon as the steps that it needs have passed and enough cores are free.

/**
 * @param {import('./run-step.mjs').Step[]} steps earlier ones start first
 * @param {number} cores
 * @param {(step: import('./run-step.mjs').Step) => Promise<import('./run-step.mjs').Outcome>} run
 * @param {AbortSignal} signal after which no step starts
 * @returns {Promise<Map<import('./run-step.mjs').Step, import('./run-step.mjs').Outcome>>} the outcomes of the
 * steps that started
 */
export async function schedule(steps, cores, run, signal) {
  const outcomes = new Map()
  const running = new Map()
  let waiting = steps
  const hasPassed = (name) =>
    [...outcomes].some(([step, { status }]) => step.name === name && status === 'passed')
  const usedCores = () => [...running.keys()].reduce((sum, step) => sum + coresOf(step, cores), 0)
  for (;;) {
    for (const step of signal.aborted ? [] : waiting) {
      if (usedCores() + coresOf(step, cores) > cores) continue
      if (!(step.needs ?? []).every(hasPassed)) continue
      running.set(
        step,
        run(step).then((outcome) => ({ step, outcome })),
      )
    }
    waiting = waiting.filter((step) => !running.has(step))
    if (running.size === 0) return outcomes
    const { step, outcome } = await Promise.race(running.values())
    running.delete(step)
    outcomes.set(step, outcome)
  }
}

/** Returns the cores that a step takes. On a machine with fewer cores than it wants, it runs alone. */
function coresOf({ cores: wanted = 1 }, cores) {
  return Math.min(wanted, cores)
}
