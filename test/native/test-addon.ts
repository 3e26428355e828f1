import { join } from 'node:path'
import type { Arithmetic } from '../../src/engine/engine-settings.ts'
import type { NativeThoughts } from '../../src/engine/embedded/child/addon.ts'
import type { Sampling } from '../../src/engine/engine.ts'
import { packageRoot } from '../../src/paths.ts'

/** The exports of `test-addon.cc`: single functions of the native engine. */
type TestAddon = {
  /**
   * Draws `count` tokens from the same logits, as one generation would. `tokens` has their bytes; without
   * it all tokens are empty.
   */
  sampleTokens(
    logits: Float32Array,
    sampling: Sampling,
    count: number,
    tokens?: readonly Uint8Array[],
  ): Int32Array
  /**
   * Samples one text of a grammar, with the same logits at each step. A token without bytes ends the
   * text.
   */
  sampleGrammar(
    logits: Float32Array,
    sampling: Sampling,
    grammar: Int32Array,
    tokens: readonly Uint8Array[],
    tokensMax: number,
    /** True if the text must be complete within `tokensMax`. */
    completes?: boolean,
  ): Int32Array
  /**
   * Samples one reply of a model with thoughts, with the same logits at each step. Without a grammar, the answer is free
   * text. A token without bytes ends the reply.
   */
  sampleThoughts(
    logits: Float32Array,
    sampling: Sampling,
    grammar: Int32Array | undefined,
    tokens: readonly Uint8Array[],
    tokensMax: number,
    thoughts: NativeThoughts,
    /** True if the answer must be complete within `tokensMax`. */
    completes?: boolean,
  ): Int32Array
  /** Follows a sequence of tokens through a grammar, up to the first one that is not admitted. */
  followGrammar(
    grammar: Int32Array,
    tokens: readonly Uint8Array[],
    sequence: Int32Array,
  ): {
    /** Number of tokens that were admitted. */
    followed: number
    /** Most stack frames that were in memory after a token. */
    framesMax: number
  }
  /** Returns a number of tokens that is enough for some text of a grammar. */
  closingTokens(grammar: Int32Array, tokens: readonly Uint8Array[]): number
  /** Returns a lower bound on the number of tokens of any text of a grammar. */
  fewestTokens(grammar: Int32Array, tokens: readonly Uint8Array[]): number
  /** Asks for what closing these grammars costs, one after the other. Returns how many were computed. */
  countClosings(grammars: readonly Int32Array[], tokens: readonly Uint8Array[]): number
  /** Returns the values of quantised weights in the layout of a GGUF file, by ggml's own function. */
  dequantise(type: PackedType, weights: Uint8Array): Float32Array
  /**
   * Multiplies rows of inputs with a matrix of quantised weights in the layout of a GGUF file.
   * `columns` is a multiple of 32, or of 256 for K types.
   * @throws Error when the processor cannot run the kernels
   */
  multiplyPacked(
    arithmetic: OwnArithmetic,
    type: PackedType,
    weights: Uint8Array,
    inputs: Float32Array,
    columns: number,
  ): Float32Array
  /**
   * Does the same as `multiplyPacked` in a graph of llama.cpp. Inputs of the sizes [columns, rows, streams]
   * are stored as [columns, streams, rows]. Returns undefined if our kernels leave the product to llama.cpp.
   */
  multiplyInGraph(
    arithmetic: OwnArithmetic,
    librariesPath: string,
    type: PackedType | FloatType,
    weights: Uint8Array,
    inputs: Float32Array,
    sizes: readonly [columns: number, rows: number, streams: number],
  ): Float32Array | undefined
  /**
   * Computes the product of `multiplyInGraph` with our kernels and with llama.cpp. Returns the difference,
   * as the check that runs when a model is loaded computes it. With `hasFault`, our kernels drop half of the inputs.
   */
  compareInGraph(
    arithmetic: OwnArithmetic,
    librariesPath: string,
    type: PackedType | FloatType,
    weights: Uint8Array,
    inputs: Float32Array,
    sizes: readonly [columns: number, rows: number, streams: number],
    hasFault: boolean,
  ): number
  /**
   * Computes attention. Returns undefined for a shape that our kernels leave to llama.cpp.
   * @throws Error when the processor cannot run the kernels
   */
  attend(arithmetic: OwnArithmetic, inputs: AttentionInputs): Float32Array | undefined
}

/** Quantisations of weights that can be packed, by ggml's names. */
export const packedTypes = [
  'q8_0',
  'q4_0',
  'q5_0',
  'q3_K',
  'q4_K',
  'q5_K',
  'q6_K',
  'iq3_xxs',
  'iq3_s',
  'iq4_nl',
  'iq4_xs',
] as const
export type PackedType = (typeof packedTypes)[number]

/** Formats of weights that are floats, by ggml's names. */
export type FloatType = 'f32' | 'f16' | 'bf16'

export type OwnArithmetic = Exclude<Arithmetic, 'llama.cpp'>

/** Inputs of one sequence. 16-bit floats are given as their bits. */
export type AttentionInputs = {
  readonly rows: number
  readonly heads: number
  /** Each key head serves `heads / keyHeads` query heads. */
  readonly keyHeads: number
  readonly cells: number
  /** Numbers in a query, and in a key. */
  readonly width: number
  readonly valueWidth: number
  readonly scale: number
  readonly threads: number
  /** [heads][rows][width] */
  readonly queries: Float32Array
  /** [keyHeads][cells][width] */
  readonly keys: Uint16Array
  /** [keyHeads][cells][valueWidth] */
  readonly values: Uint16Array
  /** [rows][cells], added to the scores: 0 or -Infinity */
  readonly mask: Uint16Array
}

export const testAddonPath = join(packageRoot, 'build/pipit-engine-test.node')
/** Loads the addon that `test/setup/build.ts` built before the run. */
export const testAddon: TestAddon = load(testAddonPath)

function load(path: string): TestAddon {
  const module: { exports: unknown } = { exports: {} }
  process.dlopen(module, path)
  const { exports } = module
  if (!isTestAddon(exports)) throw new Error(`${path} is not the test addon`)
  return exports
}

function isTestAddon(value: unknown): value is TestAddon {
  return typeof value === 'object' && value !== null && 'sampleTokens' in value
}
