import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { bytesOf, folderOf, listPulled, modelPathOf, type PulledModel, writeJson } from './store.ts'

/** Speeds that `pipit bench` has measured for a pulled model on this machine. */
export type BenchFigures = {
  readonly measuredMs: number
  /** Prefill speed; undefined if no prompt was processed in time. */
  readonly promptTokensPerSecond: number | undefined
  readonly tokensPerSecond: readonly { readonly callers: number; readonly speed: number }[]
}

const figuresName = 'bench.json'

/** Stores the figures beside the model if it is a pulled model. */
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

/** Returns the stored figures; undefined if there are none for this version of the model. */
export function readFigures(dataDir: string, model: PulledModel): BenchFigures | undefined {
  try {
    const path = join(folderOf(dataDir, model.name), figuresName)
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isFigures(value) && value.sha256 === model.files[0]?.sha256 ? value : undefined
  } catch {
    return undefined
  }
}

/** Largest ratio of model sizes at which the speed of one model predicts that of the other. */
const comparableTimes = 8

/**
 * Estimates the tokens per second of one caller with an unmeasured model, from the measured model nearest in size. The
 * speed depends on the size, because the processor reads all weights for each token.
 * @returns undefined if no measured model is comparable
 */
export function estimateSpeed(
  dataDir: string,
  model: PulledModel,
): { readonly speed: number; readonly from: string } | undefined {
  const times = (other: PulledModel) =>
    Math.max(bytesOf(other) / bytesOf(model), bytesOf(model) / bytesOf(other))
  const measured = listPulled(dataDir).flatMap((other) => {
    const one = readFigures(dataDir, other)?.tokensPerSecond.find(({ callers }) => callers === 1)
    return one === undefined || times(other) > comparableTimes ? [] : [{ other, speed: one.speed }]
  })
  const [nearest] = measured.toSorted((a, b) => times(a.other) - times(b.other))
  if (nearest === undefined) return undefined
  const { other, speed } = nearest
  return { speed: (speed * bytesOf(other)) / bytesOf(model), from: other.name }
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
