import { writeFileSync } from 'node:fs'
import type { BenchOptions } from './options.ts'
import { reliabilityPage, renderReliability } from '../test/reliability/page.ts'
import { readRecords, withMeasured, writeRecords } from '../test/reliability/records.ts'

/** Returns the name of the engine, with which a finding's sentence begins. */
export function engineName(engine: string, { models: [model = 'bundled'] }: BenchOptions): string {
  if (engine === 'scripted') return 'The scripted engine'
  return model === 'bundled' ? 'The bundled model' : `The model ${model}`
}

/** A measured result in one sentence, for a row of docs/reliability.md. */
export type Finding = {
  /** Id of the row, such as `G2` or `F04`. */
  readonly id: string
  /** Begins like `The scripted engine: …`. Replaces the finding with the same text before the first colon. */
  readonly sentence: string
}

export type BenchResult = { readonly markdown: string; readonly findings: readonly Finding[] }

/**
 * Writes findings to docs/reliability.json and docs/reliability.md.
 * @param file path of the benchmark, relative to the repository
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
