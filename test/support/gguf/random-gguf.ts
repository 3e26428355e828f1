import { randomNumbers } from '../random/random-numbers.ts'
import { randomBlocks, toHalves, toQ8 } from './random-blocks.ts'
import { ggufBytes, type Metadata } from './write-gguf.ts'
import {
  byteTokens,
  chatMlTemplate,
  controlTokens,
  byteLevelTokenizer,
  llamaTensors,
  shapeMetadata,
  type LlamaShape,
  type Matrix,
  type Vocabulary,
} from './llama-model.ts'
import type { WeightType } from './weight-blocks.ts'

export type RandomModel = LlamaShape & {
  readonly seed: number
  /** Weight types. The matrix at index i in the list of tensors has the type at index i modulo the number of types. */
  readonly types: readonly WeightType[]
  /** Weight of the attention in the output of a layer. A model with little attention soon repeats itself. */
  readonly attentionShare: number
  readonly architecture: string
  readonly chatTemplate: string | undefined
  /** All metadata of the tokenizer; undefined for a vocabulary of bytes and joined letters. */
  readonly tokenizer: Metadata | undefined
  /** Metadata that adds to or overrides what the other fields give. */
  readonly metadata: Metadata
}

/**
 * Returns a llama-architecture GGUF with seeded random weights: a few hundred kB unless the options
 * ask for more. It generates nonsense, broken UTF-8 included, and the same nonsense every time.
 */
export function randomGguf(options: Partial<RandomModel> = {}): Buffer {
  const { metadata, tensors } = contentOf(options)
  return ggufBytes(metadata, tensors)
}

/** Returns the model of `randomGguf` as two files, like those that llama.cpp's gguf-split writes. */
export function splitGguf(options: Partial<RandomModel> = {}): [first: Buffer, second: Buffer] {
  const { metadata, tensors } = contentOf(options)
  const half = Math.ceil(tensors.length / 2)
  const part = (number: number): Metadata => ({
    'split.no': uint16(number),
    'split.count': uint16(2),
    'split.tensors.count': { encoded: Buffer.from(Int32Array.of(5, tensors.length).buffer) },
  })
  return [
    ggufBytes({ ...metadata, ...part(0) }, tensors.slice(0, half)),
    ggufBytes(part(1), tensors.slice(half)),
  ]
}

function uint16(value: number): Metadata[string] {
  return { encoded: Buffer.from([2, 0, 0, 0, value, 0]) }
}

function contentOf(options: Partial<RandomModel>) {
  const model: RandomModel = { ...smallest, ...options }
  const { chatTemplate } = model
  const metadata: Metadata = {
    ...shapeMetadata(model, model.architecture),
    ...(model.tokenizer ?? byteLevelTokenizer(joinedLetters(model.vocabularySize))),
    ...(chatTemplate === undefined ? {} : { 'tokenizer.chat_template': chatTemplate }),
    ...model.metadata,
  }
  const tensors = llamaTensors(model, true, (matrix) => {
    const type = model.types[matrix.index % model.types.length] ?? 'q8_0'
    return { type, bytes: () => matrixBytes(matrix, model, type) }
  })
  return { metadata, tensors }
}

const smallest: RandomModel = {
  seed: 1,
  width: 64,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  feedForward: 128,
  contextTokens: 512,
  vocabularySize: 320,
  types: ['q8_0'],
  attentionShare: 1,
  architecture: 'llama',
  chatTemplate: chatMlTemplate,
  tokenizer: undefined,
  metadata: {},
}

/** The size of the bundled model, for generations that must run for seconds. */
export const bundledSize: Partial<RandomModel> = {
  width: 256,
  layers: 6,
  heads: 4,
  kvHeads: 2,
  feedForward: 768,
  contextTokens: 4096,
  vocabularySize: 8192,
}

/** A model with types of weights that the packed kernels read, other than the bundled model's. */
export const ofOtherTypes: Partial<RandomModel> = {
  seed: 7,
  width: 256,
  heads: 4,
  kvHeads: 2,
  feedForward: 512,
  attentionShare: 0.3,
  contextTokens: 4096,
  types: ['q4_K', 'q5_K', 'q6_K', 'q5_0', 'q4_0', 'iq4_nl', 'iq4_xs'],
}

/** A model in which our kernels pack all matrices but two: `attn_v` of the first layer and `attn_k` of the second. */
export const withForeignTypes: Partial<RandomModel> = {
  ...ofOtherTypes,
  types: [...Array<WeightType>(7).fill('q4_K'), 'q2_K'],
}

/**
 * Returns a matrix's weights, which depend on the seed and the name. Q8_0 and floats are normally distributed; other
 * types are random bits.
 */
function matrixBytes(matrix: Matrix, model: RandomModel, type: WeightType): Buffer {
  const count = matrix.rows * matrix.columns
  const deviation = deviationOf(matrix, model)
  const random = randomNumbers(textSeed(`${model.seed} ${matrix.name}`))
  const isHalf = type === 'f16' || type === 'bf16'
  if (type === 'q8_0' || isHalf) {
    const values = Float32Array.from({ length: count }, () => deviation * normal(random))
    return isHalf ? toHalves(values, type) : toQ8(values)
  }
  const bytes = (length: number) => Buffer.from(Uint8Array.from({ length }, () => random() * 256))
  return randomBlocks(bytes, type, count, deviation)
}

function deviationOf({ name, columns }: Matrix, model: RandomModel): number {
  if (name === 'token_embd.weight') return 1
  if (name === 'output.weight') return 3 / Math.sqrt(columns)
  const share = name.endsWith('.attn_output.weight') ? model.attentionShare : 1
  return (share * 1.5) / Math.sqrt(columns)
}

/** Hashes a text to a seed. */
export function textSeed(text: string): number {
  let number = 0
  for (const char of text) number = (Math.imul(number, 31) + char.charCodeAt(0)) >>> 0
  return number
}

/** Returns a normally distributed number. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Returns the control tokens, one token per byte, then letters joined to pairs, triples and so on. */
export function joinedLetters(size: number): Vocabulary {
  const tokens: string[] = [...controlTokens, ...byteTokens()]
  const merges: string[] = []
  const letters = 'etaoinshrdlucmfwypvbgkjqxz'.split('')
  let level = letters
  while (tokens.length < size) {
    const next: string[] = []
    for (const left of level) {
      for (const right of letters) {
        if (tokens.length === size) break
        next.push(left + right)
        tokens.push(left + right)
        merges.push(`${left} ${right}`)
      }
    }
    level = next
  }
  return { tokens, merges }
}
