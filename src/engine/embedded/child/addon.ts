import type { Sampling } from '../../engine.ts'
import type { Arithmetic, KvType } from '../../engine-settings.ts'
import type { Progress } from '../ipc.ts'

/** What `native/src` exports. */
export type Addon = {
  /** Version and commit of the llama.cpp that is loaded. */
  llamaBuild(): string
  /**
   * Before any engine, once; the GPUs that a model is put on. The second folder is for when the first
   * finds none; empty when there is none.
   * @throws Error with the cause in half a sentence
   */
  loadBackends(
    librariesPath: string,
    fallbackLibrariesPath: string,
  ): readonly { readonly name: string; readonly freeBytes: number }[]
  /** @throws Error with the cause in half a sentence */
  readModelHeader(modelPath: string): ModelHeader
  /** From now on this process ends when the given parent does, and gains no privileges. */
  dieWithParent(parentPid: number): void
  /** Draws `count` tokens from the same logits, as one generation would. */
  sampleTokens(logits: Float32Array, sampling: Sampling, count: number): Int32Array
  /** One text of a grammar, each token of it drawn from the same logits; one without bytes ends it. */
  sampleGrammar(
    logits: Float32Array,
    sampling: Sampling,
    grammar: Int32Array,
    tokens: readonly Uint8Array[],
    tokensMax: number,
  ): Int32Array
  /**
   * Rows of inputs times a matrix of quantised weights, given as a GGUF has them; the columns are a
   * multiple of 32, of K types of 256.
   * @throws Error the processor cannot
   */
  multiplyPacked(
    arithmetic: OwnArithmetic,
    type: PackedType,
    weights: Uint8Array,
    inputs: Float32Array,
    columns: number,
  ): Float32Array
  /**
   * Undefined where it is left to llama.cpp.
   * @throws Error the processor cannot
   */
  attend(arithmetic: OwnArithmetic, inputs: AttentionInputs): Float32Array | undefined
  NativeEngine: new (
    settings: NativeSettings,
    /** Three numbers for each event of a step: generation, kind, value. */
    onStep: (events: Int32Array) => void,
  ) => NativeEngine
}

/** As ggml names them. */
export type PackedType = 'q8_0' | 'q4_0' | 'q5_0' | 'q4_K' | 'q5_K' | 'q6_K'

export type OwnArithmetic = Exclude<Arithmetic, 'llama.cpp'>

/** Of one sequence; 16-bit floats are given by their bits. */
export type AttentionInputs = {
  readonly rows: number
  readonly heads: number
  /** Each is read by `heads / keyHeads` heads. */
  readonly keyHeads: number
  readonly cells: number
  /** Of a query and a key. */
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

export type NativeSettings = {
  readonly modelPath: string
  readonly slots: number
  readonly contextTokens: number
  readonly kvType: KvType
  readonly threads: number
  /** At most; how much of it a step takes depends on who waits. */
  readonly prefillChunkTokens: number
  /** Kept beside the slots, of conversations that lost theirs. */
  readonly cachedTokensMax: number
  /** Tokens that are guessed for one step, at most. */
  readonly guessedTokensMax: number
  /** Empty: the best that the processor can. */
  readonly arithmetic: Arithmetic | ''
}

export type ModelHeader = {
  /** Empty when the file names none. */
  readonly architecture: string
  /** By key, without the architecture's name before it: one number, or one for each layer. */
  readonly numbers: Readonly<Record<string, readonly number[]>>
}

export type NativeEngine = {
  /** @throws Error with the cause in half a sentence */
  load(): Promise<NativeFacts>
  submit(generation: NativeGeneration): void
  abort(id: number): void
  tokenize(text: string, parseSpecial: boolean): Int32Array
  /** Without special tokens, on another thread: for long texts. */
  tokenizeInBackground(text: string): Promise<Int32Array>
  vocabulary(): NativeVocabulary
  progress(): NativeProgress
  /** Ends every generation, then frees the model. */
  close(): Promise<void>
}

export type NativeProgress = Progress & {
  readonly steps: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly reusedTokens: number
}

export type NativeFacts = {
  readonly contextTokens: number
  readonly trainedContextTokens: number
  readonly description: string
  /** What multiplies with the weights: another one gives other bits. */
  readonly arithmetic: string
  /** Empty when the file has none. */
  readonly chatTemplate: string
  readonly addsBos: boolean
  /** -1 when there is none. */
  readonly bosToken: number
  readonly eosToken: number
}

export type NativeVocabulary = {
  /** The bytes of all tokens, one after the other; special ones have none. */
  readonly bytes: Uint8Array
  /** Where each token's bytes end. */
  readonly ends: Int32Array
  /** Bit 0: special; bit 1: user-defined, which is plain text of one token. */
  readonly flags: Uint8Array
  readonly specialTexts: Readonly<Record<number, string>>
}

export type NativeGeneration = {
  readonly id: number
  readonly prompt: Int32Array
  /** Begin and end of each earlier reply in the prompt. */
  readonly replies: Int32Array
  readonly maxTokens: number
  readonly sampling: Sampling
  readonly topLogprobs?: number | undefined
  /** As `engine/grammar/grammar.ts` makes it. */
  readonly grammar?: Int32Array | undefined
  readonly cacheScope: string
}

export const eventKinds = {
  token: 0,
  started: 1,
  stop: 2,
  length: 3,
  aborted: 4,
  failed: 5,
  /** A token, and with the next event its log-probability: the bits of a float. */
  candidate: 6,
  logprob: 7,
} as const

export function loadAddon(path: string): Addon {
  const module: { exports: unknown } = { exports: {} }
  process.dlopen(module, path)
  const { exports } = module
  if (!isAddon(exports)) throw new Error(`${path} is not the engine's addon`)
  return exports
}

function isAddon(value: unknown): value is Addon {
  return (
    typeof value === 'object' && value !== null && 'NativeEngine' in value && 'llamaBuild' in value
  )
}
