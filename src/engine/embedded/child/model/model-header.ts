import { stat } from 'node:fs/promises'
import type { KvType } from '../../../engine-settings.ts'
import type { Addon, ModelHeader } from '../addon.ts'
import type { MemoryFacts } from './memory-plan.ts'
import { ModelFileError } from './model-file.ts'

/** Maximum number of files to look for if a model is split into several. */
const partsMax = 1_000
/** Numbers in one block of q8_0; a block must not span two heads. */
const blockWidth = 32

type ModelShape = Pick<MemoryFacts, 'trainedContextTokens' | 'kvWidth' | 'modelBytes'>

/**
 * Returns the sizes that the memory plan needs, before the model is loaded.
 * @throws ModelFileError for a damaged header, or for heads that the KV type cannot store
 */
export async function readModelShape(
  addon: Addon,
  modelPath: string,
  kvType: KvType,
): Promise<ModelShape> {
  let header: ModelHeader
  try {
    header = addon.readModelHeader(modelPath)
  } catch (error) {
    throw new ModelFileError(error instanceof Error ? error.message : String(error))
  }
  const sizes = await Promise.all(partPaths(modelPath).map(async (path) => (await stat(path)).size))
  const modelBytes = sizes.reduce((sum, size) => sum + size, 0)
  return { modelBytes, ...shapeOf(header, kvType) }
}

/** Returns the paths of all files of a model. One that is split into three begins with `…-00001-of-00003.gguf`. */
export function partPaths(modelPath: string): string[] {
  const [, stem, count = ''] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/.exec(modelPath) ?? []
  if (stem === undefined) return [modelPath]
  return Array.from(
    { length: Math.min(Number(count), partsMax) },
    (_, part) => `${stem}-${String(part + 1).padStart(5, '0')}-of-${count}.gguf`,
  )
}

/** @throws ModelFileError */
export function shapeOf(
  { architecture, numbers }: ModelHeader,
  kvType: KvType,
): Omit<ModelShape, 'modelBytes'> {
  const numberOf = (key: string): number | undefined => numbers[key]?.[0]
  const trainedContextTokens = numberOf('context_length')
  const layers = numberOf('block_count')
  const width = numberOf('embedding_length')
  if (!trainedContextTokens || !layers || !width)
    throw new ModelFileError(
      `its header lacks the context length, layers or width of architecture ${architecture ?? '(none)'}`,
    )
  // A model without attention has no heads and no KV cache.
  const heads = numbers['attention.head_count'] ?? [0]
  const headWidth = heads[0] ? Math.floor(width / heads[0]) : 0
  const keyWidth = numberOf('attention.key_length') ?? headWidth
  const valueWidth = numberOf('attention.value_length') ?? headWidth
  if (kvType === 'q8_0' && (keyWidth % blockWidth !== 0 || valueWidth % blockWidth !== 0))
    throw new ModelFileError(
      `PIPIT_KV_TYPE=q8_0 needs attention heads of a multiple of ${blockWidth} numbers and its heads have ` +
        `${keyWidth % blockWidth === 0 ? valueWidth : keyWidth}: set PIPIT_KV_TYPE=f16`,
    )
  const kvHeads = numbers['attention.head_count_kv'] ?? heads
  return { trainedContextTokens, kvWidth: sumOverLayers(kvHeads, layers) * (keyWidth + valueWidth) }
}

/** Sums a value over all layers. The header has either one number that holds for every layer, or one per layer. */
function sumOverLayers(values: readonly number[], layers: number): number {
  const [first = 0] = values
  if (values.length === 1) return first * layers
  return values.slice(0, layers).reduce((sum, value) => sum + value, 0)
}
