import type { Metadata, Tensor } from './write-gguf.ts'

export type LlamaShape = {
  readonly width: number
  readonly layers: number
  readonly heads: number
  readonly kvHeads: number
  readonly feedForward: number
  readonly contextTokens: number
  /** At least 259: the control tokens and one token per byte. */
  readonly vocabularySize: number
}

/** The tokens begin with `controlTokens` and `byteTokens()`. */
export type Vocabulary = { readonly tokens: readonly string[]; readonly merges: readonly string[] }

export type Matrix = {
  readonly name: string
  readonly rows: number
  readonly columns: number
  /** Index of the matrix in the list of all tensors. */
  readonly index: number
}

type MatrixContent = Pick<Tensor, 'type' | 'bytes'>

export const controlTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'] as const

export const chatMlTemplate =
  "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** Returns the metadata of a llama model with a byte-level BPE vocabulary, without a chat template. */
export function llamaMetadata(shape: LlamaShape, vocabulary: Vocabulary): Metadata {
  return { ...shapeMetadata(shape, 'llama'), ...byteLevelTokenizer(vocabulary) }
}

export function shapeMetadata(shape: LlamaShape, architecture: string): Metadata {
  const ofArchitecture: Metadata = {
    vocab_size: shape.vocabularySize,
    context_length: shape.contextTokens,
    embedding_length: shape.width,
    block_count: shape.layers,
    feed_forward_length: shape.feedForward,
    'attention.head_count': shape.heads,
    'attention.head_count_kv': shape.kvHeads,
    'rope.dimension_count': shape.width / shape.heads,
    'rope.freq_base': { float32: 10_000 },
    'attention.layer_norm_rms_epsilon': { float32: 1e-5 },
  }
  return {
    'general.architecture': architecture,
    'general.name': 'random',
    ...Object.fromEntries(
      Object.entries(ofArchitecture).map(([key, value]) => [`${architecture}.${key}`, value]),
    ),
  }
}

export function byteLevelTokenizer(vocabulary: Vocabulary): Metadata {
  const tokenTypes = vocabulary.tokens.map((_, token) =>
    token < controlTokens.length ? controlType : normalType,
  )
  return {
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'smollm',
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.eot_token_id': 2,
    'tokenizer.ggml.padding_token_id': 0,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.ggml.tokens': vocabulary.tokens,
    'tokenizer.ggml.token_type': { int32s: tokenTypes },
    'tokenizer.ggml.merges': vocabulary.merges,
  }
}

/** Lists the tensors of a llama model. Norms are ones; `contentOf` gives the content of each matrix. */
export function llamaTensors(
  shape: LlamaShape,
  hasOutputMatrix: boolean,
  contentOf: (matrix: Matrix) => MatrixContent,
): Tensor[] {
  const { width, feedForward, heads, kvHeads, layers, vocabularySize } = shape
  const keyWidth = (width / heads) * kvHeads
  const tensors: Tensor[] = []
  const addMatrix = (name: string, rows: number, columns: number) => {
    const matrix = { name: `${name}.weight`, rows, columns, index: tensors.length }
    tensors.push({ name: matrix.name, dimensions: [columns, rows], ...contentOf(matrix) })
  }
  const addNorm = (name: string) => {
    const bytes = () => Buffer.from(new Float32Array(width).fill(1).buffer)
    tensors.push({ name: `${name}.weight`, dimensions: [width], type: 'f32', bytes })
  }
  addMatrix('token_embd', vocabularySize, width)
  addNorm('output_norm')
  if (hasOutputMatrix) addMatrix('output', vocabularySize, width)
  for (let layer = 0; layer < layers; layer++) {
    addNorm(`blk.${layer}.attn_norm`)
    addNorm(`blk.${layer}.ffn_norm`)
    addMatrix(`blk.${layer}.attn_q`, width, width)
    addMatrix(`blk.${layer}.attn_k`, keyWidth, width)
    addMatrix(`blk.${layer}.attn_v`, keyWidth, width)
    addMatrix(`blk.${layer}.attn_output`, width, width)
    addMatrix(`blk.${layer}.ffn_gate`, feedForward, width)
    addMatrix(`blk.${layer}.ffn_up`, feedForward, width)
    addMatrix(`blk.${layer}.ffn_down`, width, feedForward)
  }
  return tensors
}

/** Returns one token per byte: byte-level BPE writes each byte as a visible character. */
export function byteTokens(): string[] {
  const isVisible = (byte: number) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad)
  let standIn = 256
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isVisible(byte) ? byte : standIn++),
  )
}

const normalType = 1
const controlType = 3
