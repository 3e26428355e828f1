import { writeFileSync } from 'node:fs'

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
    attentionShare: 1,
    architecture: 'llama',
    chatTemplate: chatMlTemplate,
    metadata: {},
    ...options,
  }
  const tensors = tensorShapes(model).map((shape) => ({
    ...shape,
    bytes: tensorBytes(shape, model),
  }))
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

type TensorShape = { name: string; rows: number; columns: number; deviation: number }
type Tensor = TensorShape & { bytes: Buffer }

const typeIds = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const
const quantisedTensor = 8
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

/** Norms are ones, matrices normal numbers that the name and the seed decide. */
function tensorBytes({ name, rows, columns, deviation }: TensorShape, model: RandomModel): Buffer {
  const values = new Float32Array(rows * columns)
  const random = seededRandom(`${model.seed} ${name}`)
  for (let index = 0; index < values.length; index++) {
    values[index] = deviation === 0 ? 1 : deviation * normal(random)
  }
  return rows > 1 && model.quantised ? toQ8(values) : Buffer.from(values.buffer)
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

/** Of a positive number within the normal range of halves. */
function toHalf(value: number): number {
  if (value < 2 ** -14) return 0
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
  for (const { name, rows, columns, bytes } of tensors) {
    const dimensions = rows > 1 ? [columns, rows] : [columns]
    const quantised = bytes.length !== rows * columns * 4
    infos.push(
      Buffer.concat([
        text(name),
        uint32(dimensions.length),
        ...dimensions.map(uint64),
        uint32(quantised ? quantisedTensor : plainTensor),
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
