import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { BenchOptions } from './options.ts'
import { reliabilityPage, renderReliability } from '../test/reliability/page.ts'
import { readRecords, withMeasured, writeRecords } from '../test/reliability/records.ts'

/**
 * Returns the name of the engine, with which a finding's sentence begins. It has the number of threads, because a service
 * starts with one fewer than the cores unless PIPIT_THREADS is set, and benchmarks with all.
 */
export function engineName(engine: string, options: BenchOptions): string {
  if (engine === 'scripted') return 'The scripted engine'
  const { models, threads } = options
  const [model = 'bundled'] = models
  const name = model === 'bundled' ? 'The bundled model' : `The model ${model}`
  const cores = availableParallelism()
  const count = `${name} with ${threads} ${threads === 1 ? 'thread' : 'threads'}`
  return threads === Math.max(1, cores - 1) ? `${count}, the default on ${cores} cores` : count
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
