import { createCipheriv, createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  countEntry,
  f32Type,
  flagEntry,
  integersEntry,
  q8Type,
  realEntry,
  stringEntry,
  stringsEntry,
  toGguf,
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
  seed: 'tiny',
}

/** The shape of the bundled model, which ends most replies after a few words. */
export function bundledShape(): RandomModel {
  const config = new URL('../model/config/mini.json', import.meta.url)
  const { width, layers, heads, kv_heads, ffn_width } = JSON.parse(
    readFileSync(config, 'utf8'),
  ) as Record<'width' | 'layers' | 'heads' | 'kv_heads' | 'ffn_width', number>
  const shape = { width, layers, heads, kvHeads: kv_heads, feedForward: ffn_width }
  return { ...tinyModel, ...shape, seed: 'mini' }
}

/**
 * A llama model with random weights in Q8_0, a byte-level BPE vocabulary and ChatML. It talks
 * nonsense in ASCII and never ends by itself, so that every reply has exactly `max_tokens`.
 */
export function writeRandomModel(path: string, model: RandomModel): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, toGguf(metadataOf(model), tensorsOf(model)))
  renameSync(`${path}.new`, path)
}

function tensorsOf(model: RandomModel): Tensor[] {
  const { width, feedForward, vocabulary, layers, heads, kvHeads } = model
  const kvWidth = (width / heads) * kvHeads
  const random = randomBytes(model.seed)
  const matrix = (name: string, columns: number, rows: number, scale = 0.02): Tensor => {
    const blocks = (columns / 32) * rows
    const bytes = random(blocks * 34)
    // One block: a half-precision scale and 32 signed bytes, which spread evenly about zero.
    for (let block = 0; block < blocks; block++) bytes.writeUInt16LE(half(scale / 73.6), block * 34)
    return { name, dimensions: [columns, rows], type: q8Type, bytes }
  }
  /** Writes to the residual stream, and leaves its first quarter alone. */
  const output = (name: string, columns: number): Tensor => {
    const tensor = matrix(name, columns, width)
    const rowBytes = (columns / 32) * 34
    tensor.bytes.fill(0, 0, (width / 4) * rowBytes)
    return tensor
  }
  const norm = (name: string): Tensor => {
    const bytes = Buffer.from(new Float32Array(width).fill(1).buffer)
    return { name, dimensions: [width], type: f32Type, bytes }
  }
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
  const embedding = matrix('token_embd.weight', width, vocabulary, 0.05)
  biasEmbedding(embedding.bytes, model)
  const inner = Array.from({ length: layers }, (_, layer) => blockTensors(layer))
  return [embedding, norm('output_norm.weight'), ...inner.flat()]
}

/**
 * The first quarter of every row says whether the token may be spoken. The embedding is the output
 * matrix too and no layer writes there, so that tokens of the other sign are never sampled.
 */
function biasEmbedding(bytes: Buffer, { width, vocabulary }: RandomModel): void {
  const rowBlocks = width / 32
  for (let token = 0; token < vocabulary; token++) {
    const level = isSpoken(token) ? 127 : -127
    for (let block = 0; block < rowBlocks / 4; block++) {
      const start = (token * rowBlocks + block) * 34 + 2
      for (let index = start; index < start + 32; index++) bytes.writeInt8(level, index)
    }
  }
}

const controlTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']

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
    countEntry('general.file_type', 7),
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
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const pairs = letters.flatMap((first) => letters.map((second) => [first, second]))
  const words = pairs.map(([first, second]) => `${first}${second}`)
  const merges = [...pairs, ...letters.map((letter) => ['Ġ', letter])]
  merges.push(...words.map((word) => ['Ġ', word]))
  const tokens = [...controlTokens, ...byteNames(), ...merges.map((parts) => parts.join(''))]
  const random = randomBytes(`${seed} vocabulary`)
  const known = new Set(tokens)
  while (tokens.length < vocabulary) {
    const [first = '', second = ''] = [random(2), random(2)].map(
      (bytes) => words[bytes.readUInt16LE() % words.length],
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
