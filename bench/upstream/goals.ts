import { table } from '../report.ts'

export type Goal = { readonly goal: string; readonly found: string; readonly met: boolean }

/** A part of the benchmark: its tables, and what they say about goals. */
export type Part = { readonly markdown: string; readonly goals: readonly Goal[] }

export function describeParts(parts: readonly Part[]): string {
  const rows = parts
    .flatMap(({ goals }) => goals)
    .map(({ goal, found, met }) => [goal, found, met ? 'met' : 'missed'])
  return [table(['Goal', 'Found', ''], rows), ...parts.map(({ markdown }) => markdown)].join('\n\n')
}
