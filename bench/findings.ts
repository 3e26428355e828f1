import { writeFileSync } from 'node:fs'
import type { BenchOptions } from './options.ts'
import { reliabilityPage, renderReliability } from '../test/reliability/page.ts'
import { readRecords, withMeasured, writeRecords } from '../test/reliability/records.ts'

/** Names the engine of a finding. */
export function engineName(engine: string, { models: [model = 'bundled'] }: BenchOptions): string {
  if (engine === 'scripted') return 'The scripted engine'
  return model === 'bundled' ? 'The bundled model' : `The model ${model}`
}

/** A sentence that a benchmark measured, for a row of docs/reliability.md. */
export type Finding = {
  /** `G2`, `F04` */
  readonly id: string
  /** `The scripted engine: …`; it replaces the finding with the same text before the first colon. */
  readonly sentence: string
}

export type BenchResult = { readonly markdown: string; readonly findings: readonly Finding[] }

/**
 * Writes findings to docs/reliability.json and docs/reliability.md.
 * @param file of the benchmark, relative to the repository
 */
export function saveFindings(file: string, findings: readonly Finding[]): void {
  const date = new Date().toISOString().slice(0, 10)
  const records = withMeasured(
    readRecords(),
    findings.map((finding) => ({ ...finding, file, date })),
  )
  writeRecords(records)
  writeFileSync(reliabilityPage, renderReliability(records))
}
