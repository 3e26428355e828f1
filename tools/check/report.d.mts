import type { Outcome, Step } from './run-step.mjs'

export function printReport(
  steps: readonly Step[],
  outcomes: ReadonlyMap<Step, Outcome>,
  print: (line: string) => void,
): number
