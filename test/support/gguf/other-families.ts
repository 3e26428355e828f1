import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomNumbers } from '../random/random-numbers.ts'
import {
  chatMlTemplate,
  byteLevelTokenizer,
  shapeMetadata,
  type Vocabulary,
} from './llama-model.ts'
import { toHalves, toQ8 } from './random-blocks.ts'
import { joinedLetters, normal, textSeed } from './random-gguf.ts'
import { ggufBytes, type Metadata, type Tensor } from './write-gguf.ts'

/** Families whose state is not a single KV cache of all tokens. */
export const otherFamilies = ['gemma3', 'gemma4', 'qwen35', 'mamba'] as const
type OtherFamily = (typeof otherFamilies)[number] | 'apertus' | 'deepseek2'

export function familyModelIn(folder: string, family: OtherFamily): string {
  const path = join(folder, `${family}.gguf`)
  writeFileSync(path, familyGguf(family))
  return path
}

/**
 * Returns a GGUF of the family with seeded random weights: gemma3 has layers with a sliding window of
 * `windowTokens`. So has gemma4, whose last two layers use the keys and values of the first two. qwen35 has recurrent layers between layers of attention, and mamba has only recurrent ones.
 * deepseek2 has multi-head latent attention, with tensors that hold a matrix for each head.
 */
function familyGguf(family: OtherFamily): Buffer {
  const { metadata, general, shared = [], tensors } = families[family]
  return ggufBytes(
    { ...metadataOf(family), ...prefixed(family, metadata), ...general },
    [
      ...sharedShapes,
      ...shared,
      ...Array.from({ length: layers }, (_, layer) => tensors(layer)).flat(),
    ].map(tensorOf),
  )
}

const windowTokens = 128

const width = 64
const layers = 4
const heads = 2
const headWidth = 32
const feedForward = 128
const contextTokens = 4096
const vocabularySize = 320
const vocabulary: Vocabulary = joinedLetters(vocabularySize)

/** The shape of a tensor; without `rows` it is a vector. Weights are normally distributed unless `values` is set. */
type Shape = {
  readonly name: string
  readonly columns: number
  readonly rows?: number
  /** The number of matrices. Default: 1. */
  readonly matrices?: number
  readonly type?: 'f16'
  readonly values?: 'ones' | 'negative' | 'small'
}

const matrix = (name: string, rows: number, columns: number): Shape => ({
  name: `${name}.weight`,
  rows,
  columns,
})
const norm = (name: string, columns = width): Shape => ({
  name: `${name}.weight`,
  columns,
  values: 'ones',
})

const sharedShapes: readonly Shape[] = [
  matrix('token_embd', vocabularySize, width),
  norm('output_norm'),
  matrix('output', vocabularySize, width),
]

/** Every second layer attends to all tokens. */
const isAttentionLayer = (layer: number): boolean => layer % 2 === 1

function feedForwardShapes(block: string): Shape[] {
  return [
    matrix(`${block}.ffn_gate`, feedForward, width),
    matrix(`${block}.ffn_up`, feedForward, width),
    matrix(`${block}.ffn_down`, width, feedForward),
  ]
}

function attentionShapes(block: string, queryRows: number, size = headWidth): Shape[] {
  return [
    matrix(`${block}.attn_q`, queryRows, width),
    matrix(`${block}.attn_k`, size, width),
    matrix(`${block}.attn_v`, size, width),
    matrix(`${block}.attn_output`, width, heads * size),
    norm(`${block}.attn_q_norm`, size),
    norm(`${block}.attn_k_norm`, size),
  ]
}

/** Norms of a layer of Gemma. */
function gemmaNorms(block: string): Shape[] {
  const names = ['attn_norm', 'post_attention_norm', 'ffn_norm', 'post_ffw_norm']
  return names.map((name) => norm(`${block}.${name}`))
}

type Family = {
  /** Keys below the name of the family. */
  readonly metadata: Metadata
  readonly general?: Metadata
  /** Tensors that belong to no layer, beside those that every family has. */
  readonly shared?: readonly Shape[]
  readonly tensors: (layer: number) => Shape[]
}

/**
 * Width of the part of a token's embedding that a layer of gemma4 adds. With 32, llama.cpp gives a row other bits where
 * the rows before it are cached. Models that were released have 256.
 */
const layerInputWidth = 64
const latentWidth = 64
const ropeWidth = 16
const stateSize = 32
const mambaStateSize = 8
const innerSize = 2 * width
const rank = 4

const families: Readonly<Record<OtherFamily, Family>> = {
  gemma3: {
    metadata: {
      'attention.key_length': headWidth,
      'attention.value_length': headWidth,
      'attention.sliding_window': windowTokens,
      'attention.sliding_window_pattern': 2,
    },
    tensors(layer) {
      const block = `blk.${layer}`
      return [
        ...gemmaNorms(block),
        ...attentionShapes(block, heads * headWidth),
        ...feedForwardShapes(block),
      ]
    },
  },
  gemma4: {
    metadata: {
      'attention.key_length': 2 * headWidth,
      'attention.value_length': 2 * headWidth,
      'attention.key_length_swa': headWidth,
      'attention.value_length_swa': headWidth,
      'attention.sliding_window': windowTokens,
      'attention.sliding_window_pattern': {
        int32s: Array.from({ length: layers }, (_, layer) => (isAttentionLayer(layer) ? 0 : 1)),
      },
      'attention.shared_kv_layers': 2,
      'rope.dimension_count_swa': headWidth,
      embedding_length_per_layer_input: layerInputWidth,
      final_logit_softcapping: { float32: 30 },
    },
    shared: [
      matrix('per_layer_token_embd', vocabularySize, layers * layerInputWidth),
      matrix('per_layer_model_proj', layers * layerInputWidth, width),
      norm('per_layer_proj_norm', layerInputWidth),
      // Each full layer divides the angles by these.
      norm('rope_freqs', headWidth),
    ],
    tensors(layer) {
      const block = `blk.${layer}`
      const size = isAttentionLayer(layer) ? 2 * headWidth : headWidth
      return [
        ...gemmaNorms(block),
        ...attentionShapes(block, heads * size, size),
        ...feedForwardShapes(block),
        matrix(`${block}.inp_gate`, layerInputWidth, width),
        matrix(`${block}.proj`, width, layerInputWidth),
        norm(`${block}.post_norm`),
        norm(`${block}.layer_output_scale`, 1),
      ]
    },
  },
  apertus: {
    metadata: {},
    general: {
      'xielu.alpha_n': { float32: 0.8 },
      'xielu.alpha_p': { float32: 0.8 },
      'xielu.beta': { float32: 0.5 },
      'xielu.eps': { float32: -1e-6 },
    },
    shared: [norm('rope_freqs', headWidth / 2)],
    tensors(layer) {
      const block = `blk.${layer}`
      return [
        norm(`${block}.attn_norm`),
        norm(`${block}.ffn_norm`),
        ...attentionShapes(block, heads * headWidth),
        matrix(`${block}.ffn_up`, feedForward, width),
        matrix(`${block}.ffn_down`, width, feedForward),
      ]
    },
  },
  qwen35: {
    metadata: {
      'attention.key_length': headWidth,
      'attention.value_length': headWidth,
      full_attention_interval: 2,
      'rope.dimension_count': 16,
      'rope.dimension_sections': { int32s: [3, 3, 2, 0] },
      'ssm.conv_kernel': 4,
      'ssm.state_size': stateSize,
      'ssm.group_count': 1,
      'ssm.time_step_rank': 2,
      'ssm.inner_size': 2 * stateSize,
    },
    tensors(layer) {
      const block = `blk.${layer}`
      const mixer = isAttentionLayer(layer)
        ? attentionShapes(block, 2 * heads * headWidth)
        : deltaNetShapes(block)
      const norms = [norm(`${block}.attn_norm`), norm(`${block}.post_attention_norm`)]
      return [...norms, ...mixer, ...feedForwardShapes(block)]
    },
  },
  deepseek2: {
    metadata: {
      'attention.key_length': latentWidth + ropeWidth,
      'attention.value_length': latentWidth,
      'attention.key_length_mla': headWidth + ropeWidth,
      'attention.value_length_mla': headWidth,
      'attention.q_lora_rank': latentWidth,
      'attention.kv_lora_rank': latentWidth,
      'rope.dimension_count': ropeWidth,
      leading_dense_block_count: layers,
      expert_feed_forward_length: feedForward,
      expert_shared_count: 0,
    },
    tensors(layer) {
      const block = `blk.${layer}`
      return [
        norm(`${block}.attn_norm`),
        norm(`${block}.attn_q_a_norm`, latentWidth),
        norm(`${block}.attn_kv_a_norm`, latentWidth),
        norm(`${block}.ffn_norm`),
        matrix(`${block}.attn_q_a`, latentWidth, width),
        matrix(`${block}.attn_q_b`, heads * (headWidth + ropeWidth), latentWidth),
        matrix(`${block}.attn_kv_a_mqa`, latentWidth + ropeWidth, width),
        headMatrices(layer, 'attn_k_b', latentWidth, headWidth),
        headMatrices(layer, 'attn_v_b', headWidth, latentWidth),
        matrix(`${block}.attn_output`, width, heads * headWidth),
        ...feedForwardShapes(block),
      ]
    },
  },
  mamba: {
    metadata: {
      'attention.head_count': 0,
      'attention.head_count_kv': 0,
      feed_forward_length: 0,
      'ssm.conv_kernel': 4,
      'ssm.state_size': mambaStateSize,
      'ssm.time_step_rank': rank,
      'ssm.inner_size': innerSize,
    },
    tensors(layer) {
      const block = `blk.${layer}`
      return [
        norm(`${block}.attn_norm`),
        matrix(`${block}.ssm_in`, 2 * innerSize, width),
        matrix(`${block}.ssm_conv1d`, innerSize, 4),
        { name: `${block}.ssm_conv1d.bias`, columns: innerSize, values: 'small' },
        matrix(`${block}.ssm_x`, rank + 2 * mambaStateSize, innerSize),
        matrix(`${block}.ssm_dt`, innerSize, rank),
        { name: `${block}.ssm_dt.bias`, columns: innerSize, values: 'small' },
        { name: `${block}.ssm_a`, rows: innerSize, columns: mambaStateSize, values: 'negative' },
        { name: `${block}.ssm_d`, columns: innerSize, values: 'ones' },
        matrix(`${block}.ssm_out`, width, innerSize),
      ]
    },
  },
}

/** A matrix for each head. Every second layer has 16-bit floats. */
function headMatrices(layer: number, name: string, rows: number, columns: number): Shape {
  return {
    ...matrix(`blk.${layer}.${name}`, rows, columns),
    matrices: heads,
    ...(layer % 2 === 1 && { type: 'f16' }),
  }
}

/** The tensors of a gated delta net (https://arxiv.org/abs/2412.06464), the recurrent layer of Qwen3.5. */
function deltaNetShapes(block: string): Shape[] {
  const valueWidth = 2 * stateSize
  const mixedWidth = 2 * stateSize + valueWidth
  return [
    matrix(`${block}.attn_qkv`, mixedWidth, width),
    matrix(`${block}.attn_gate`, valueWidth, width),
    matrix(`${block}.ssm_conv1d`, mixedWidth, 4),
    { name: `${block}.ssm_dt.bias`, columns: 2, values: 'small' },
    { name: `${block}.ssm_a`, columns: 2, values: 'negative' },
    matrix(`${block}.ssm_beta`, 2, width),
    matrix(`${block}.ssm_alpha`, 2, width),
    norm(`${block}.ssm_norm`, stateSize),
    matrix(`${block}.ssm_out`, width, valueWidth),
  ]
}

function metadataOf(family: OtherFamily): Metadata {
  const shape = { width, layers, heads, kvHeads: 1, feedForward, contextTokens, vocabularySize }
  return {
    ...shapeMetadata(shape, family),
    ...byteLevelTokenizer(vocabulary),
    'tokenizer.chat_template': chatMlTemplate,
  }
}

function prefixed(family: OtherFamily, metadata: Metadata): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [`${family}.${key}`, value]),
  )
}

/** Returns a tensor with random weights: Q8_0 for a matrix of whole blocks, else plain numbers. */
function tensorOf({ name, rows, columns, values, matrices = 1, type }: Shape): Tensor {
  const count = columns * (rows ?? 1) * matrices
  const dimensions = [
    columns,
    ...(rows === undefined ? [] : [rows]),
    ...(matrices === 1 ? [] : [matrices]),
  ]
  const random = randomNumbers(textSeed(name))
  const valueAt = (): number => {
    if (values === 'ones') return 1
    if (values === 'small') return 0.1 * normal(random)
    if (values === 'negative') return -0.05 - 0.5 * random()
    return deviationOf(name, columns) * normal(random)
  }
  const numbers = () => Float32Array.from({ length: count }, valueAt)
  const isQuantised = rows !== undefined && columns % 32 === 0 && values === undefined
  if (type === 'f16') return { name, dimensions, type, bytes: () => toHalves(numbers(), type) }
  if (isQuantised) return { name, dimensions, type: 'q8_0', bytes: () => toQ8(numbers()) }
  return { name, dimensions, type: 'f32', bytes: () => Buffer.from(numbers().buffer) }
}

function deviationOf(name: string, columns: number): number {
  if (name === 'token_embd.weight') return 1
  return (name === 'output.weight' ? 3 : 1.5) / Math.sqrt(columns)
}
