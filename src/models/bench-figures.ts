import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { folderOf, listPulled, modelPathOf, type PulledModel, writeJson } from './store.ts'

/** Speeds that `pipit bench` has measured for a pulled model on this machine. */
export type BenchFigures = {
  readonly measuredMs: number
  /** Speed of prefill; undefined where no prompt was read in time. */
  readonly promptTokensPerSecond: number | undefined
  readonly tokensPerSecond: readonly { readonly callers: number; readonly speed: number }[]
}

const figuresName = 'bench.json'

/** Keeps the figures beside the model, if it is a pulled one. */
export async function keepFigures(
  dataDir: string,
  settings: EngineSettings,
  figures: BenchFigures,
): Promise<void> {
  if (settings.kind !== 'embedded') return
  const model = listPulled(dataDir).find(
    (pulled) => modelPathOf(dataDir, pulled) === settings.modelPath,
  )
  if (model === undefined) return
  const value = { ...figures, sha256: model.files[0]?.sha256 }
  await writeJson(folderOf(dataDir, model.name), figuresName, value)
}

/** Returns undefined if there are none of this version of the model. */
export function readFigures(dataDir: string, model: PulledModel): BenchFigures | undefined {
  try {
    const path = join(folderOf(dataDir, model.name), figuresName)
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isFigures(value) && value.sha256 === model.files[0]?.sha256 ? value : undefined
  } catch {
    return undefined
  }
}

function isFigures(value: unknown): value is BenchFigures & { sha256: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sha256' in value &&
    'measuredMs' in value &&
    typeof value.measuredMs === 'number' &&
    'tokensPerSecond' in value &&
    Array.isArray(value.tokensPerSecond) &&
    value.tokensPerSecond.every(
      (row: unknown) =>
        typeof row === 'object' &&
        row !== null &&
        'callers' in row &&
        'speed' in row &&
        typeof row.speed === 'number',
    )
  )
}
