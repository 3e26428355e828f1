import { stat } from 'node:fs/promises'
import type { KvType } from '../../../engine-settings.ts'
import type { Addon, ModelHeader } from '../addon.ts'
import type { MemoryFacts } from './memory-plan.ts'
import { ModelFileError } from './model-file.ts'

/** Maximum number of files to look for if a model is split into several. */
const partsMax = 1_000
/** Numbers in one block of q8_0; a block must not span two heads. */
const blockWidth = 32
/** Recurrent states are stored in 32-bit floats. */
const floatBytes = 4

type ModelShape = Omit<MemoryFacts, 'availableBytes'>

/**
 * Returns the sizes that the memory plan needs, before the model is loaded.
 * @throws ModelFileError for a damaged header, or for heads that the KV type cannot store
 */
export async function readModelShape(
  addon: Addon,
  modelPath: string,
  kvType: KvType,
): Promise<ModelShape> {
  const shape = shapeOf(readHeader(addon, modelPath), kvType)
  let modelBytes = 0
  for (const path of partPaths(modelPath)) {
    const { size } = await stat(path)
    modelBytes += size + readHeader(addon, path).packedGrowthBytes
  }
  return { modelBytes, ...shape }
}

function readHeader(addon: Addon, path: string): ModelHeader {
  try {
    return addon.readModelHeader(path)
  } catch (error) {
    throw new ModelFileError(error instanceof Error ? error.message : String(error))
  }
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
  { architecture, numbers }: Pick<ModelHeader, 'architecture' | 'numbers'>,
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
  return {
    trainedContextTokens,
    kvWidth: sumOverLayers(kvHeads, layers) * (keyWidth + valueWidth),
    stateBytes: layers * stateWidth(numberOf, width, heads[0] ?? 0) * floatBytes,
  }
}

/**
 * Returns the numbers that a recurrent layer keeps for each sequence, as `llama_hparams::n_embd_r` and `n_embd_s` of
 * llama.cpp count them; 0 for a model without such layers.
 */
function stateWidth(
  numberOf: (key: string) => number | undefined,
  width: number,
  heads: number,
): number {
  const numberOrZero = (key: string): number => numberOf(key) ?? 0
  // RWKV
  const rwkvHead = numberOrZero('wkv.head_size')
  if (rwkvHead > 0) return width * (rwkvHead + (numberOf('token_shift_count') ?? 2))
  // LFM2
  const shortConvolution = numberOrZero('shortconv.l_cache')
  if (shortConvolution > 0) return width * (shortConvolution - 1)
  const kernel = numberOf('ssm.conv_kernel')
  // Kimi Linear
  const deltaHead = numberOrZero('kda.head_dim')
  if (deltaHead > 0) return heads * deltaHead * (deltaHead + 3 * ((kernel ?? 4) - 1))
  // Mamba, and hybrids such as Qwen3-Next
  const [inner, state, groups] = [
    numberOrZero('ssm.inner_size'),
    numberOrZero('ssm.state_size'),
    numberOrZero('ssm.group_count'),
  ]
  return state * inner + ((kernel ?? 1) - 1) * (inner + 2 * groups * state)
}

/** Sums a value over all layers. The header has either one number that holds for every layer, or one per layer. */
function sumOverLayers(values: readonly number[], layers: number): number {
  const [first = 0] = values
  if (values.length === 1) return first * layers
  return values.slice(0, layers).reduce((sum, value) => sum + value, 0)
}
