import { createCipheriv, createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  byteLength,
  countEntry,
  flagEntry,
  integersEntry,
  realEntry,
  stringEntry,
  stringsEntry,
  tensorTypes,
  writeGguf,
  type Tensor,
} from './gguf.ts'

export type RandomModel = {
  width: number
  layers: number
  heads: number
  kvHeads: number
  feedForward: number
  vocabulary: number
  contextTokens: number
  /** Of the matrices inside; the embedding, which is the output too, is Q8_0 as llama.cpp has it. */
  weights: 'q4' | 'q8'
  /** It says the words of `copierWords` in their order, so that a reply can be foretold. */
  copies?: true
  seed: string
}

/** 17.3 M parameters. */
export const tinyModel: RandomModel = {
  width: 384,
  layers: 9,
  heads: 6,
  kvHeads: 2,
  feedForward: 1024,
  vocabulary: 8192,
  contextTokens: 2048,
  weights: 'q8',
  seed: 'tiny',
}

/** The shape of Qwen2.5-0.5B, in Q4_0: 494 M parameters. */
export const smallModel: RandomModel = {
  width: 896,
  layers: 24,
  heads: 14,
  kvHeads: 2,
  feedForward: 4864,
  vocabulary: 151_936,
  contextTokens: 2048,
  weights: 'q4',
  seed: 'small',
}

/** The shape of the bundled model, which ends most replies after a few words. */
export function bundledShape(): RandomModel {
  const config = new URL('../../model/config/mini.json', import.meta.url)
  const { width, layers, heads, kv_heads, ffn_width } = JSON.parse(
    readFileSync(config, 'utf8'),
  ) as Record<'width' | 'layers' | 'heads' | 'kv_heads' | 'ffn_width', number>
  const shape = { width, layers, heads, kvHeads: kv_heads, feedForward: ffn_width }
  return { ...tinyModel, ...shape, seed: 'mini' }
}

/**
 * A llama model with random weights, a byte-level BPE vocabulary and ChatML. It talks nonsense in
 * ASCII and never ends by itself, so that every reply has exactly `max_tokens`.
 */
export function writeRandomModel(path: string, model: RandomModel): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  writeGguf(`${path}.new`, metadataOf(model), tensorsOf(model))
  renameSync(`${path}.new`, path)
}

function tensorsOf(model: RandomModel): Tensor[] {
  const { width, feedForward, layers, heads, kvHeads, weights, copies } = model
  const kvWidth = (width / heads) * kvHeads
  const random = randomBytes(model.seed)
  const matrix = (name: string, columns: number, rows: number): Tensor => ({
    name,
    dimensions: [columns, rows],
    type: weights,
    bytes: () => randomMatrix(random, weights, columns, rows, 0.02),
  })
  /** Writes to the residual stream, and leaves its first quarter alone: all of it, in a copier. */
  const output = (name: string, columns: number): Tensor => ({
    name,
    dimensions: [columns, width],
    type: weights,
    bytes: () => {
      const scale = 0.02 / Math.sqrt(2 * layers)
      const bytes = randomMatrix(random, weights, columns, width, scale)
      return bytes.fill(0, 0, copies ? bytes.length : bytes.length / 4)
    },
  })
  const norm = (name: string): Tensor => ({
    name,
    dimensions: [width],
    type: 'f32',
    bytes: () => Buffer.from(new Float32Array(width).fill(1).buffer),
  })
  const blockTensors = (layer: number): Tensor[] => {
    const name = (part: string) => `blk.${layer}.${part}.weight`
    return [
      norm(name('attn_norm')),
      matrix(name('attn_q'), width, width),
      matrix(name('attn_k'), width, kvWidth),
      matrix(name('attn_v'), width, kvWidth),
      output(name('attn_output'), width),
      norm(name('ffn_norm')),
      matrix(name('ffn_gate'), width, feedForward),
      matrix(name('ffn_up'), width, feedForward),
      output(name('ffn_down'), feedForward),
    ]
  }
  const inner = Array.from({ length: layers }, (_, layer) => blockTensors(layer))
  return [...embeddings(model), norm('output_norm.weight'), ...inner.flat()]
}

function randomMatrix(
  random: (count: number) => Buffer,
  type: 'q4' | 'q8',
  columns: number,
  rows: number,
  scale: number,
): Buffer {
  const bytes = random(byteLength({ dimensions: [columns, rows], type }))
  const { blockBytes } = tensorTypes[type]
  // A block begins with its half-precision scale; the rest spreads evenly about zero.
  const blockScale = half(scale / (type === 'q4' ? 4.6 : 73.6))
  for (let start = 0; start < bytes.length; start += blockBytes)
    bytes.writeUInt16LE(blockScale, start)
  return bytes
}

/** The embedding is the output matrix too; a copier has one of its own. */
function embeddings(model: RandomModel): Tensor[] {
  const { width, vocabulary, copies, seed } = model
  const shape = { dimensions: [width, vocabulary], type: 'q8' as const }
  const embedding = () => {
    const random = randomBytes(`${seed} embedding`)
    const bytes = randomMatrix(random, 'q8', width, vocabulary, 0.05)
    biasEmbedding(bytes, model)
    if (copies) closeCycle(bytes, width)
    return bytes
  }
  const input = { name: 'token_embd.weight', ...shape, bytes: embedding }
  if (!copies) return [input]
  const output = () => successorMatrix(embedding(), width)
  return [input, { name: 'output.weight', ...shape, bytes: output }]
}

/**
 * The first quarter of every row says whether the token may be spoken. No layer writes there, so
 * that tokens of the other sign are never sampled.
 */
function biasEmbedding(bytes: Buffer, { width, vocabulary }: RandomModel): void {
  const rowBlocks = width / 32
  for (let token = 0; token < vocabulary; token++) {
    const level = isSpoken(token) ? 127 : -127
    for (let block = 0; block < rowBlocks / 4; block++) {
      const start = (token * rowBlocks + block) * tensorTypes.q8.blockBytes + 2
      bytes.fill(level & 255, start, start + 32)
    }
  }
}

/** To the model a line break, with which a prompt ends, is the last word: the first one follows. */
function closeCycle(embedding: Buffer, width: number): void {
  const row = rowBytes(width)
  const last = firstWordToken + copierWords.length - 1
  embedding.copy(embedding, lineBreakToken * row, last * row, (last + 1) * row)
}

/** A word is answered by the word after it: no layer adds anything, so that its row alone matches. */
function successorMatrix(embedding: Buffer, width: number): Buffer {
  const output = Buffer.alloc(embedding.length)
  const row = rowBytes(width)
  for (let index = 0; index < copierWords.length; index++) {
    const before = (index + copierWords.length - 1) % copierWords.length
    const from = (firstWordToken + before) * row
    embedding.copy(output, (firstWordToken + index) * row, from, from + row)
  }
  return output
}

function rowBytes(width: number): number {
  return byteLength({ dimensions: [width], type: 'q8' })
}

const controlTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
const lineBreakToken = controlTokens.length + 0x0a

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const letterPairs = letters.flatMap((first) => letters.map((second) => [first, second]))

/** Each is one token, with the space before it. */
export const copierWords = letterPairs.map((pair) => pair.join(''))
/** After the bytes, the pairs and the letters with a space before them, see `vocabularyOf`. */
const firstWordToken = controlTokens.length + 256 + letterPairs.length + letters.length

function isSpoken(token: number): boolean {
  const byte = token - controlTokens.length
  // What was said last decides the sign: a prompt ends in a line break, so that one is spoken too.
  return byte > 255 || (byte >= 0x20 && byte < 0x7f) || byte === 0x0a
}

const chatTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

function metadataOf(model: RandomModel): Buffer[] {
  const { tokens, merges } = vocabularyOf(model)
  const kinds = tokens.map((_, token) => (token < controlTokens.length ? 3 : 1))
  return [
    stringEntry('general.architecture', 'llama'),
    stringEntry('general.name', `random-${model.seed}`),
    countEntry('general.file_type', model.weights === 'q4' ? 2 : 7),
    countEntry('llama.vocab_size', model.vocabulary),
    countEntry('llama.context_length', model.contextTokens),
    countEntry('llama.embedding_length', model.width),
    countEntry('llama.block_count', model.layers),
    countEntry('llama.feed_forward_length', model.feedForward),
    countEntry('llama.attention.head_count', model.heads),
    countEntry('llama.attention.head_count_kv', model.kvHeads),
    countEntry('llama.rope.dimension_count', model.width / model.heads),
    realEntry('llama.rope.freq_base', 10_000),
    realEntry('llama.attention.layer_norm_rms_epsilon', 1e-5),
    stringEntry('tokenizer.ggml.model', 'gpt2'),
    stringEntry('tokenizer.ggml.pre', 'smollm'),
    stringsEntry('tokenizer.ggml.tokens', tokens),
    integersEntry('tokenizer.ggml.token_type', kinds),
    stringsEntry('tokenizer.ggml.merges', merges),
    countEntry('tokenizer.ggml.bos_token_id', 0),
    countEntry('tokenizer.ggml.eos_token_id', 2),
    flagEntry('tokenizer.ggml.add_bos_token', false),
    stringEntry('tokenizer.chat_template', chatTemplate),
  ]
}

/** All pairs of letters, with and without the space before them, then pairs of pairs. */
function vocabularyOf({ vocabulary, seed }: RandomModel): { tokens: string[]; merges: string[] } {
  const merges = [...letterPairs, ...letters.map((letter) => ['Ġ', letter])]
  merges.push(...copierWords.map((word) => ['Ġ', word]))
  const tokens = [...controlTokens, ...byteNames(), ...merges.map((parts) => parts.join(''))]
  const random = randomBytes(`${seed} vocabulary`)
  const known = new Set(tokens)
  while (tokens.length < vocabulary) {
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

/** The visible stand-ins of byte-level BPE, by byte. */
function byteNames(): string[] {
  const isVisible = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad)
  let standIn = 256
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isVisible(byte) ? byte : standIn++),
  )
}

/** The same bytes for the same seed. */
function randomBytes(seed: string): (count: number) => Buffer {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (count) => stream.update(Buffer.alloc(count))
}

/** A normal half-precision number, cut to its ten bits. */
function half(value: number): number {
  const exponent = Math.floor(Math.log2(value))
  return ((exponent + 15) << 10) | Math.floor((value / 2 ** exponent - 1) * 1024)
}
