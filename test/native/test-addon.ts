import { join } from 'node:path'
import type { Arithmetic } from '../../src/engine/engine-settings.ts'
import type { Sampling } from '../../src/engine/engine.ts'
import { packageRoot } from '../../src/paths.ts'

/** The exports of `test-addon.cc`: single functions of the native engine. */
type TestAddon = {
  /**
   * Draws `count` tokens from the same logits, as one generation would. `tokens`: their bytes; without
   * them no token has any text.
   */
  sampleTokens(
    logits: Float32Array,
    sampling: Sampling,
    count: number,
    tokens?: readonly Uint8Array[],
  ): Int32Array
  /**
   * Samples one text of a grammar, with the same logits for each token; a token without bytes ends
   * it.
   */
  sampleGrammar(
    logits: Float32Array,
    sampling: Sampling,
    grammar: Int32Array,
    tokens: readonly Uint8Array[],
    tokensMax: number,
    /** Completes the text within `tokensMax`. */
    completes?: boolean,
  ): Int32Array
  /** Returns a number of tokens that suffices for a text of a grammar. */
  closingTokens(grammar: Int32Array, tokens: readonly Uint8Array[]): number
  /** Returns a number of tokens that every text of a grammar has at least. */
  fewestTokens(grammar: Int32Array, tokens: readonly Uint8Array[]): number
  /**
   * Multiplies rows of inputs with a matrix of quantised weights, given as a GGUF stores it.
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
   * Does the same in a graph of llama.cpp, for inputs of the sizes [columns, rows, streams] that are
   * stored as [columns, streams, rows]. Returns undefined where llama.cpp multiplies.
   */
  multiplyInGraph(
    arithmetic: OwnArithmetic,
    librariesPath: string,
    type: PackedType | 'f32',
    weights: Uint8Array,
    inputs: Float32Array,
    sizes: readonly [columns: number, rows: number, streams: number],
  ): Float32Array | undefined
  /**
   * Returns the difference that the check at load would find in such a product, with the kernels as
   * they are or with a fault.
   */
  compareInGraph(
    arithmetic: OwnArithmetic,
    librariesPath: string,
    type: PackedType | 'f32',
    weights: Uint8Array,
    inputs: Float32Array,
    sizes: readonly [columns: number, rows: number, streams: number],
    hasFault: boolean,
  ): number
  /**
   * Returns undefined for a shape that llama.cpp computes.
   * @throws Error when the processor cannot run the kernels
   */
  attend(arithmetic: OwnArithmetic, inputs: AttentionInputs): Float32Array | undefined
}

/** Quantisations of weights that can be packed, by ggml's names. */
export type PackedType = 'q8_0' | 'q4_0' | 'q5_0' | 'q4_K' | 'q5_K' | 'q6_K'

export type OwnArithmetic = Exclude<Arithmetic, 'llama.cpp'>

/** One sequence; 16-bit floats are given by their bits. */
export type AttentionInputs = {
  readonly rows: number
  readonly heads: number
  /** Each key head serves `heads / keyHeads` heads. */
  readonly keyHeads: number
  readonly cells: number
  /** The width of a query and of a key. */
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

/** Loads the addon that `test/setup/build.ts` built before the run. */
export const testAddon: TestAddon = load(join(packageRoot, 'build/pipit-engine-test.node'))

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
