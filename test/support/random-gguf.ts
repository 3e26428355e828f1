import { writeFileSync } from 'node:fs'
import type { PackedType } from '../native/test-addon.ts'
import { weightBlocks } from './weight-blocks.ts'

export type RandomModel = {
  seed: number
  width: number
  layers: number
  heads: number
  kvHeads: number
  feedForward: number
  contextTokens: number
  /** At least 259: three special tokens and every byte; the rest are joined letters. */
  vocabSize: number
  quantised: boolean
  /** Of the quantised matrices, in turns. */
  types: readonly PackedType[]
  /** Of the attention in what a layer gives on; a model with little of it soon repeats itself. */
  attentionShare: number
  architecture: string
  chatTemplate: string | undefined
  /** Written as they are, over the ones that the fields above make. */
  metadata: Record<string, number | string>
}

export const chatMlTemplate =
  "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/**
 * Writes a llama-architecture GGUF with seeded random weights: a few hundred kB unless asked for
 * more. It speaks nonsense, broken UTF-8 included, but the same nonsense every time.
 */
export function writeRandomGguf(path: string, options: Partial<RandomModel> = {}): void {
  writeFileSync(path, randomGguf(options))
}

export function randomGguf(options: Partial<RandomModel> = {}): Buffer {
  const model: RandomModel = {
    seed: 1,
    width: 64,
    layers: 2,
    heads: 2,
    kvHeads: 1,
    feedForward: 128,
    contextTokens: 512,
    vocabSize: 320,
    quantised: true,
    types: ['q8_0'],
    attentionShare: 1,
    architecture: 'llama',
    chatTemplate: chatMlTemplate,
    metadata: {},
    ...options,
  }
  const tensors = tensorShapes(model).map((shape, index) => {
    const type = model.types[index % model.types.length] ?? 'q8_0'
    const isQuantised = shape.rows > 1 && model.quantised
    return {
      ...shape,
      type: isQuantised ? weightBlocks[type].id : plainTensor,
      bytes: tensorBytes(shape, model, isQuantised ? type : undefined),
    }
  })
  return assemble(metadataEntries(model), tensors)
}

/** The size of the bundled model, for measurements. */
export const bundledSize: Partial<RandomModel> = {
  width: 256,
  layers: 6,
  heads: 4,
  kvHeads: 2,
  feedForward: 768,
  contextTokens: 4096,
  vocabSize: 8192,
}

/** As files of others are: with each type that is packed but the bundled model's. */
export const ofOtherTypes: Partial<RandomModel> = {
  seed: 5,
  width: 256,
  heads: 4,
  kvHeads: 2,
  feedForward: 512,
  attentionShare: 0.3,
  contextTokens: 4096,
  types: ['q4_K', 'q5_K', 'q6_K', 'q5_0', 'q4_0'],
}

type TensorShape = { name: string; rows: number; columns: number; deviation: number }
type Tensor = TensorShape & { type: number; bytes: Buffer }

const typeIds = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const
const plainTensor = 0

function tensorShapes(model: RandomModel): TensorShape[] {
  const { width, feedForward, heads, kvHeads, vocabSize } = model
  const keyWidth = (width / heads) * kvHeads
  const inner = 1 / Math.sqrt(width)
  const shapes: TensorShape[] = [
    { name: 'token_embd.weight', rows: vocabSize, columns: width, deviation: 1 },
    { name: 'output_norm.weight', rows: 1, columns: width, deviation: 0 },
    { name: 'output.weight', rows: vocabSize, columns: width, deviation: 3 * inner },
  ]
  for (let layer = 0; layer < model.layers; layer++) {
    const matrix = (name: string, rows: number, columns: number, share = 1): TensorShape => ({
      name: `blk.${layer}.${name}.weight`,
      rows,
      columns,
      deviation: (share * 1.5) / Math.sqrt(columns),
    })
    shapes.push(
      { ...matrix('attn_norm', 1, width), deviation: 0 },
      { ...matrix('ffn_norm', 1, width), deviation: 0 },
      matrix('attn_q', width, width),
      matrix('attn_k', keyWidth, width),
      matrix('attn_v', keyWidth, width),
      matrix('attn_output', width, width, model.attentionShare),
      matrix('ffn_gate', feedForward, width),
      matrix('ffn_up', feedForward, width),
      matrix('ffn_down', width, feedForward),
    )
  }
  return shapes
}

/** Norms are ones, matrices normal numbers that the name and the seed decide, or bits that they do. */
function tensorBytes(
  { name, rows, columns, deviation }: TensorShape,
  model: RandomModel,
  type: PackedType | undefined,
): Buffer {
  const values = new Float32Array(rows * columns)
  const random = seededRandom(`${model.seed} ${name}`)
  if (type !== undefined && type !== 'q8_0')
    return randomBlocks(random, type, values.length, deviation)
  for (let index = 0; index < values.length; index++) {
    values[index] = deviation === 0 ? 1 : deviation * normal(random)
  }
  return type === 'q8_0' ? toQ8(values) : Buffer.from(values.buffer)
}

/** How far the weights of random bits are about zero with a scale of 1, and the minimum for that. */
const spreads = {
  q4_0: { spread: 4.6, minimum: 0 },
  q5_0: { spread: 9.2, minimum: 0 },
  q4_K: { spread: 258, minimum: 7.5 },
  q5_K: { spread: 527, minimum: 15.5 },
  q6_K: { spread: 1365, minimum: 0 },
} as const

function randomBlocks(
  random: () => number,
  type: keyof typeof spreads,
  count: number,
  deviation: number,
): Buffer {
  const { blockBytes, blockValues, halves } = weightBlocks[type]
  const { spread, minimum } = spreads[type]
  const length = (count / blockValues) * blockBytes
  const bytes = Buffer.from(Uint8Array.from({ length }, () => random() * 256))
  const [scaleAt = 0, minimumAt] = halves
  for (let begin = 0; begin < bytes.length; begin += blockBytes) {
    bytes.writeUInt16LE(toHalf(deviation / spread), begin + scaleAt)
    if (minimumAt !== undefined)
      bytes.writeUInt16LE(toHalf((minimum * deviation) / spread), begin + minimumAt)
  }
  return bytes
}

/** Blocks of 32: a half-precision scale and 32 signed bytes. */
function toQ8(values: Float32Array): Buffer {
  const blocks = values.length / 32
  const bytes = Buffer.alloc(blocks * 34)
  for (let block = 0; block < blocks; block++) {
    const part = values.subarray(block * 32, block * 32 + 32)
    const scale = part.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / 127
    bytes.writeUInt16LE(toHalf(scale), block * 34)
    for (let index = 0; index < 32; index++) {
      bytes.writeInt8(Math.round((part[index] ?? 0) / (scale || 1)), block * 34 + 2 + index)
    }
  }
  return bytes
}

/** Of a number that is not negative. */
function toHalf(value: number): number {
  if (value < 2 ** -14) return Math.round(value * 2 ** 24)
  const exponent = Math.floor(Math.log2(value))
  return ((exponent + 15) << 10) | Math.min(1023, Math.round((value / 2 ** exponent - 1) * 1024))
}

function seededRandom(seed: string): () => number {
  let state = 0
  for (const char of seed) state = (Math.imul(state, 31) + char.charCodeAt(0)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function metadataEntries(model: RandomModel): Buffer[] {
  const { tokens, merges, tokenTypes } = vocabulary(model.vocabSize)
  const arch = model.architecture
  const numbers: Record<string, number> = {
    [`${arch}.vocab_size`]: model.vocabSize,
    [`${arch}.context_length`]: model.contextTokens,
    [`${arch}.embedding_length`]: model.width,
    [`${arch}.block_count`]: model.layers,
    [`${arch}.feed_forward_length`]: model.feedForward,
    [`${arch}.attention.head_count`]: model.heads,
    [`${arch}.attention.head_count_kv`]: model.kvHeads,
    [`${arch}.rope.dimension_count`]: model.width / model.heads,
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.eot_token_id': 2,
    'tokenizer.ggml.padding_token_id': 0,
  }
  const texts: Record<string, string> = {
    'general.architecture': arch,
    'general.name': 'random',
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'smollm',
  }
  if (model.chatTemplate !== undefined) texts['tokenizer.chat_template'] = model.chatTemplate
  const all = { ...texts, ...numbers, ...model.metadata }
  return [
    ...Object.entries(all).map(([key, value]) =>
      typeof value === 'number'
        ? entry(key, typeIds.uint32, uint32(value))
        : entry(key, typeIds.string, text(value)),
    ),
    entry(`${arch}.rope.freq_base`, typeIds.float32, float32(10_000)),
    entry(`${arch}.attention.layer_norm_rms_epsilon`, typeIds.float32, float32(1e-5)),
    entry('tokenizer.ggml.add_bos_token', typeIds.bool, Buffer.from([0])),
    entry('tokenizer.ggml.tokens', typeIds.array, array(typeIds.string, tokens.map(text))),
    entry('tokenizer.ggml.token_type', typeIds.array, array(typeIds.int32, tokenTypes.map(uint32))),
    entry('tokenizer.ggml.merges', typeIds.array, array(typeIds.string, merges.map(text))),
  ]
}

/** ChatML's special tokens, one token a byte, and letters joined two by two. */
function vocabulary(size: number): { tokens: string[]; merges: string[]; tokenTypes: number[] } {
  const tokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', ...byteCharacters()]
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
  return { tokens, merges, tokenTypes: tokens.map((_, id) => (id < 3 ? 3 : 1)) }
}

/** Byte-level BPE writes every byte as one visible character. */
function byteCharacters(): string[] {
  let shifted = 256
  return Array.from({ length: 256 }, (_, byte) => {
    const visible =
      (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || (byte > 173 && byte < 256)
    return String.fromCharCode(visible ? byte : shifted++)
  })
}

function assemble(entries: Buffer[], tensors: Tensor[]): Buffer {
  const infos: Buffer[] = []
  const contents: Buffer[] = []
  let offset = 0
  for (const { name, rows, columns, type, bytes } of tensors) {
    const dimensions = rows > 1 ? [columns, rows] : [columns]
    infos.push(
      Buffer.concat([
        text(name),
        uint32(dimensions.length),
        ...dimensions.map(uint64),
        uint32(type),
        uint64(offset),
      ]),
    )
    contents.push(padded(bytes))
    offset += padded(bytes).length
  }
  const counts = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(entries.length)]
  return Buffer.concat([padded(Buffer.concat([...counts, ...entries, ...infos])), ...contents])
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)])
}

function entry(key: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), uint32(type), value])
}

function array(type: number, items: Buffer[]): Buffer {
  return Buffer.concat([uint32(type), uint64(items.length), ...items])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}
