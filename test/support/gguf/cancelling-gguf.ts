import { randomNumbers } from '../random/random-numbers.ts'
import {
  byteLevelTokenizer,
  chatMlTemplate,
  llamaTensors,
  type Matrix,
  shapeMetadata,
} from './llama-model.ts'
import { toQ8 } from './random-blocks.ts'
import { joinedLetters, normal, textSeed } from './random-gguf.ts'
import { ggufBytes } from './write-gguf.ts'

const shape = {
  width: 256,
  layers: 1,
  heads: 4,
  kvHeads: 1,
  feedForward: 128,
  contextTokens: 4096,
  vocabularySize: 320,
}

/**
 * Returns a model with a matrix whose products are only rounding errors, so that no two orders of summation agree. The
 * matrix's inputs are all equal, and the weights of each row add up to zero. A weight and its negative are in different
 * blocks, because the sum of a block is exact.
 */
export function cancellingGguf(): Buffer {
  const tensors = llamaTensors(shape, true, (matrix) => ({
    type: 'q8_0',
    bytes: () => toQ8(weightsOf(matrix)),
  }))
  const metadata = {
    ...shapeMetadata(shape, 'llama'),
    ...byteLevelTokenizer(joinedLetters(shape.vocabularySize)),
    'tokenizer.chat_template': chatMlTemplate,
  }
  return ggufBytes(metadata, tensors)
}

function weightsOf({ name, rows, columns }: Matrix): Float32Array {
  const random = randomNumbers(textSeed(name))
  if (name === 'token_embd.weight') return new Float32Array(rows * columns).fill(1)
  if (name !== 'blk.0.attn_q.weight')
    return Float32Array.from({ length: rows * columns }, () => normal(random) / Math.sqrt(columns))
  const weights = new Float32Array(rows * columns)
  for (let row = 0; row < rows; row++) weights.set(cancellingRow(columns, random), row * columns)
  return weights
}

/** Returns the weights of random blocks and of their negatives, with all blocks in random order. */
function cancellingRow(columns: number, random: () => number): number[] {
  const blocks = Array.from({ length: columns / blockValues / 2 }, () =>
    Array.from({ length: blockValues }, () => normal(random)),
  )
  return [...blocks, ...blocks.map((block) => block.map((weight) => -weight))]
    .map((block) => ({ block, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ block }) => block)
}

/** Weights in one block of Q8_0. */
const blockValues = 32
