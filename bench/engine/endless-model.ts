import { createCipheriv, createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  byteTokens,
  chatMlTemplate,
  controlTokens,
  llamaMetadata,
  llamaTensors,
  type LlamaShape,
  type Matrix,
  type Vocabulary,
} from '../../test/support/gguf/llama-model.ts'
import { randomBlocks, type RandomBytes } from '../../test/support/gguf/random-blocks.ts'
import { weightBlocks, type BlockType } from '../../test/support/gguf/weight-blocks.ts'
import { writeGguf, type Metadata } from '../../test/support/gguf/write-gguf.ts'

export type EndlessModel = LlamaShape & {
  /** Type of the layers' matrices. The embedding is always Q8_0, as in llama.cpp's own Q4_0 and Q8_0 files. */
  readonly weights: keyof typeof fileTypes
  /** The reply repeats `copierWords` in order, so that speculation can predict it. */
  readonly copies?: true
  /** The output matrix is independent of the embedding, so that no token makes the next one predictable. */
  readonly varies?: true
  readonly seed: string
}

/** Numbers of the file types in llama.cpp (`llama_ftype`). */
const fileTypes = { q4_0: 2, q8_0: 7, q4_K_M: 15 } as const

/** 17.3 M parameters. */
export const tinyModel: EndlessModel = {
  width: 384,
  layers: 9,
  heads: 6,
  kvHeads: 2,
  feedForward: 1024,
  vocabularySize: 8192,
  contextTokens: 2048,
  weights: 'q8_0',
  seed: 'tiny',
}

/** The shape of Qwen2.5-0.5B, in Q4_0: 494 M parameters. */
export const smallModel: EndlessModel = {
  width: 896,
  layers: 24,
  heads: 14,
  kvHeads: 2,
  feedForward: 4864,
  vocabularySize: 151_936,
  contextTokens: 2048,
  weights: 'q4_0',
  seed: 'small',
}

/**
 * 490 M parameters in Q4_K_M, which needs a width divisible by 256. One matrix is in IQ4_NL, as
 * in files whose quantiser had no other type for it.
 */
export const smallMixedModel: EndlessModel = {
  ...smallModel,
  width: 1024,
  heads: 16,
  kvHeads: 4,
  feedForward: 4096,
  layers: 22,
  weights: 'q4_K_M',
  seed: 'small-q4km',
}

/** Returns a random model of the bundled model's shape, because the bundled model itself ends most replies early. */
export function bundledShape(): EndlessModel {
  const config = new URL('../../model/config/mini.json', import.meta.url)
  const { width, layers, heads, kv_heads, ffn_width } = JSON.parse(
    readFileSync(config, 'utf8'),
  ) as Record<'width' | 'layers' | 'heads' | 'kv_heads' | 'ffn_width', number>
  const shape = { width, layers, heads, kvHeads: kv_heads, feedForward: ffn_width }
  return { ...tinyModel, ...shape, seed: 'mini' }
}

/**
 * Writes a llama model with random weights. It generates ASCII nonsense and no end token, so every reply has exactly
 * `max_tokens` tokens. An existing file is kept.
 */
export function writeEndlessModel(path: string, model: EndlessModel): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  const metadata: Metadata = {
    ...llamaMetadata(model, vocabularyOf(model)),
    'general.name': `random-${model.seed}`,
    'general.file_type': fileTypes[model.weights],
    'tokenizer.chat_template': chatMlTemplate,
  }
  const random = randomBytes(model.seed)
  const hasOutputMatrix = model.copies === true || model.varies === true
  const tensors = llamaTensors(model, hasOutputMatrix, (matrix) => {
    if (matrix.name === 'token_embd.weight')
      return { type: 'q8_0', bytes: () => embeddingBytes(model) }
    if (matrix.name === 'output.weight') return { type: 'q8_0', bytes: () => outputBytes(model) }
    return { type: typeOf(matrix, model), bytes: () => layerBytes(matrix, model, random) }
  })
  writeGguf(`${path}.new`, metadata, tensors)
  renameSync(`${path}.new`, path)
}

function typeOf({ name }: Matrix, { weights, layers }: EndlessModel): BlockType {
  if (weights !== 'q4_K_M') return weights
  if (name === 'blk.1.ffn_up.weight') return 'iq4_nl'
  if (!/\.(attn_v|ffn_down)\.weight$/.test(name)) return 'q4_K'
  // Follows llama.cpp's quantiser: these matrices have more bits in the first and last eighth of the layers, and in
  // every third layer between.
  const layer = Number(name.split('.')[1])
  const eighth = Math.floor(layers / 8)
  const isOuter = layer < eighth || layer >= Math.floor((7 * layers) / 8)
  return isOuter || (layer - eighth) % 3 === 2 ? 'q6_K' : 'q4_K'
}

/**
 * Returns random weights. Matrices that write to the residual stream leave the stream's first quarter unchanged,
 * because `biasEmbedding` uses that quarter. If `model.copies`, they leave the whole stream unchanged.
 */
function layerBytes(matrix: Matrix, model: EndlessModel, random: RandomBytes): Buffer {
  const writesResidual = /\.(attn_output|ffn_down)\.weight$/.test(matrix.name)
  const deviation = writesResidual ? 0.02 / Math.sqrt(2 * model.layers) : 0.02
  const bytes = randomBlocks(random, typeOf(matrix, model), matrix.rows * matrix.columns, deviation)
  if (!writesResidual) return bytes
  return bytes.fill(0, 0, model.copies ? bytes.length : bytes.length / 4)
}

function outputBytes(model: EndlessModel): Buffer {
  return model.copies
    ? successorMatrix(embeddingBytes(model), model.width)
    : embeddingBytes({ ...model, seed: `${model.seed} output` })
}

/** Returns the embedding, which is also the output matrix of a model that neither copies nor varies. */
function embeddingBytes(model: EndlessModel): Buffer {
  const { width, vocabularySize, copies, seed } = model
  const random = randomBytes(`${seed} embedding`)
  const bytes = randomBlocks(random, 'q8_0', width * vocabularySize, 0.05)
  biasEmbedding(bytes, model)
  if (copies) closeCycle(bytes, width)
  return bytes
}

/**
 * Writes the likelihood of each token to the first quarter of its row. No layer changes that quarter, so a token with a
 * negative value is never sampled.
 */
function biasEmbedding(bytes: Buffer, { width, vocabularySize }: EndlessModel): void {
  const { rowBlocks, blockBytes } = rowLayout(width)
  for (let token = 0; token < vocabularySize; token++) {
    const level = isGenerated(token) ? 127 : -127
    for (let block = 0; block < rowBlocks / 4; block++) {
      const start = (token * rowBlocks + block) * blockBytes + 2
      bytes.fill(level & 255, start, start + 32)
    }
  }
}

/** Gives the line break that ends each prompt the row of the last word, so that replies begin with the first word. */
function closeCycle(embedding: Buffer, width: number): void {
  const { rowBytes } = rowLayout(width)
  const last = firstWordToken + copierWords.length - 1
  embedding.copy(embedding, lineBreakToken * rowBytes, last * rowBytes, (last + 1) * rowBytes)
}

/** Returns an output matrix in which the row of each word is the embedding of the word before it. */
function successorMatrix(embedding: Buffer, width: number): Buffer {
  const output = Buffer.alloc(embedding.length)
  const { rowBytes } = rowLayout(width)
  for (let index = 0; index < copierWords.length; index++) {
    const before = (index + copierWords.length - 1) % copierWords.length
    const from = (firstWordToken + before) * rowBytes
    embedding.copy(output, (firstWordToken + index) * rowBytes, from, from + rowBytes)
  }
  return output
}

function rowLayout(width: number) {
  const { blockValues, blockBytes } = weightBlocks.q8_0
  const rowBlocks = width / blockValues
  return { rowBlocks, blockBytes, rowBytes: rowBlocks * blockBytes }
}

const lineBreakToken = controlTokens.length + 0x0a

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const letterPairs = letters.flatMap((first) => letters.map((second) => [first, second]))

/** Words of two letters; each is one token, together with the space before it. */
export const copierWords = letterPairs.map((pair) => pair.join(''))
/**
 * First token of `copierWords`. Earlier in the vocabulary are the control tokens, the bytes, the letter pairs, and the
 * letters with a space before them; see `vocabularyOf`.
 */
const firstWordToken = controlTokens.length + 256 + letterPairs.length + letters.length

function isGenerated(token: number): boolean {
  const byte = token - controlTokens.length
  // Line breaks must have a positive value too: the last token of a prompt is one, and if its value were negative, the
  // signs would be reversed and the model would sample only the unwanted tokens.
  return byte > 255 || (byte >= 0x20 && byte < 0x7f) || byte === 0x0a
}

/** Returns a vocabulary of all pairs of letters, with and without a space before them, then pairs of pairs. */
function vocabularyOf({ vocabularySize, seed }: EndlessModel): Vocabulary {
  const merges = [...letterPairs, ...letters.map((letter) => ['Ġ', letter])]
  merges.push(...copierWords.map((word) => ['Ġ', word]))
  const tokens = [...controlTokens, ...byteTokens(), ...merges.map((parts) => parts.join(''))]
  const random = randomBytes(`${seed} vocabulary`)
  const known = new Set(tokens)
  while (tokens.length < vocabularySize) {
    const [first = '', second = ''] = [random(2), random(2)].map(
      (bytes) => copierWords[bytes.readUInt16LE() % copierWords.length],
    )
    if (known.has(first + second)) continue
    known.add(first + second)
    tokens.push(first + second)
    merges.push([first, second])
  }
  return { tokens, merges: merges.map((parts) => parts.join(' ')) }
}

/** Returns a generator of bytes that depend only on the seed. */
function randomBytes(seed: string): RandomBytes {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (count) => stream.update(Buffer.alloc(count))
}
