import { stat } from 'node:fs/promises'
import type { KvType } from '../../../engine-settings.ts'
import type { Addon, ModelHeader } from '../addon.ts'
import type { MemoryFacts } from './memory-plan.ts'
import { ModelFileError } from './model-file.ts'

/** Numbers in one block of q8_0; a block must not span two heads. */
const blockWidth = 32

type ModelShape = Pick<MemoryFacts, 'trainedContextTokens' | 'kvWidth' | 'modelBytes'>

/**
 * Returns the sizes that decide on memory, before the model is loaded.
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
  const { size: modelBytes } = await stat(modelPath)
  return { modelBytes, ...shapeOf(header, kvType) }
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

/** Adds up a header's values, which are one number for all layers or one for each. */
function sumOverLayers(values: readonly number[], layers: number): number {
  const [first = 0] = values
  if (values.length === 1) return first * layers
  return values.slice(0, layers).reduce((sum, value) => sum + value, 0)
}
