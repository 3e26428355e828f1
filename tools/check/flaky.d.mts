import type { Outcome, Step } from './run-step.mjs'

export function rerunFailedFiles(
  step: Step,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<Outcome>
