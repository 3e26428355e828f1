import { table } from '../report.ts'

export type Goal = {
  readonly goal: string
  readonly found: string
  /** Absent if a side did not reach the load, so that the sides cannot be compared. */
  readonly met: boolean | undefined
}

/** A part of the benchmark: its tables, and what they say about goals. */
export type Part = { readonly markdown: string; readonly goals: readonly Goal[] }

export function describeParts(parts: readonly Part[]): string {
  const rows = parts
    .flatMap(({ goals }) => goals)
    .map(({ goal, found, met }) => [goal, found, verdictOf(met)])
  return [table(['Goal', 'Found', ''], rows), ...parts.map(({ markdown }) => markdown)].join('\n\n')
}

function verdictOf(met: boolean | undefined): string {
  if (met === undefined) return 'no comparison: a side did not reach the load'
  return met ? 'met' : 'missed'
}
