import type { Outcome, Step } from './run-step.mjs'

export function schedule(
  steps: readonly Step[],
  cores: number,
  run: (step: Step) => Promise<Outcome>,
  signal: AbortSignal,
): Promise<Map<Step, Outcome>>
