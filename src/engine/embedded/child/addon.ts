import type { Sampling } from '../../engine.ts'
import type { Arithmetic, KvType } from '../../engine-settings.ts'
import type { Progress } from '../ipc.ts'

/** The exports of the native addon (`native/binding/addon.cc`). */
export type Addon = {
  /** Returns the version and commit of the llama.cpp that is loaded. */
  llamaBuild(): string
  /**
   * Loads llama.cpp's backends and returns the GPUs on which llama.cpp will put a model. Call it
   * once, before any engine. The second folder is used when the first finds no GPU.
   * @throws Error with the cause as a clause
   */
  loadBackends(librariesPath: string, fallbackLibrariesPath: string | undefined): readonly Gpu[]
  /** @throws Error with the cause as a clause */
  readModelHeader(modelPath: string): ModelHeader
  /** Ends this process when the given parent ends, and gives up the right to gain privileges. */
  dieWithParent(parentPid: number): void
  /**
   * Forbids all threads of this process to start programs from now on. Returns false if the kernel has
   * no seccomp filters.
   */
  refusePrograms(): boolean
  NativeEngine: new (
    settings: NativeSettings,
    /** Receives the events of one step; `decodeStepEvents` reads them. */
    onStep: (events: Int32Array) => void,
  ) => NativeEngine
}

type Gpu = { readonly name: string; readonly freeBytes: number }

type NativeSettings = {
  readonly modelPath: string
  readonly slots: number
  readonly contextTokens: number
  readonly kvType: KvType
  readonly threads: number
  /** The largest prefill chunk. Steps in which other slots decode use smaller chunks. */
  readonly prefillChunkTokens: number
  /** Maximum number of tokens in all copies of KV streams whose slots were given to other generations. */
  readonly cachedTokensMax: number
  /** Maximum number of bytes for checkpoints of recurrent states and sliding windows. */
  readonly checkpointBytesMax: number
  /** Maximum number of speculative tokens in one step. */
  readonly speculativeTokensMax: number
  /** Kernels to use; `best`: the fastest ones that the processor runs. */
  readonly arithmetic: Arithmetic | 'best'
}

export type ModelHeader = {
  readonly architecture?: string
  /** Lists of integers by key, without the architecture's prefix: one integer for all layers, or one per layer. */
  readonly numbers: Readonly<Record<string, readonly number[]>>
  /** Bytes by which the file's weights grow in memory, because our kernels pack some types in more bits. */
  readonly packedGrowthBytes: number
}

export type NativeEngine = {
  /** @throws Error with the cause as a clause */
  load(): Promise<NativeFacts>
  /**
   * Starts a generation, and returns 0. If `completesFormat` is true and it is certain that no text of the grammar fits
   * into `maxTokens` and the context, starts nothing, sends no event, and returns a number of tokens that is enough for
   * a text.
   */
  submit(generation: NativeGeneration): number
  abort(id: number): void
  /** Tokenises plain text: texts of special tokens stay text. */
  tokenize(text: string): Int32Array
  /** Tokenises several texts on another thread. */
  tokenizeInBackground(texts: readonly string[]): Tokenizing
  vocabulary(): NativeVocabulary
  /**
   * Makes these special tokens appear as their texts in replies and grammars, except tokens that end a generation.
   * Returns the tokens that now appear as text. Call it before the first `submit`.
   */
  readMarks(tokens: Int32Array): Int32Array
  /** `loadedShare` is the share of the weights read so far, from 0 to 1. */
  progress(): Progress & { readonly loadedShare: number }
  /** Ends every generation, then frees the model. */
  close(): Promise<void>
}

export type Tokenizing = {
  /** Rejected after `cancel`. */
  readonly tokens: Promise<Int32Array[]>
  readonly cancel: () => void
}

export type NativeFacts = {
  /** Names our kernels, and every matrix that llama.cpp multiplies instead. The bits of all results depend on these. */
  readonly arithmetic: string
  /** The name of our kernels; `llama.cpp` if none of ours are used. */
  readonly kernels: Arithmetic
  /** Our kernels' share of all multiplied weights, by size in bytes: 0 to 1. */
  readonly ownWeightsShare: number
  /** The difference from llama.cpp's results because of which our kernels are not used; undefined if there is none. */
  readonly difference?: string
  readonly chatTemplate?: string
  /** The template that the file has for conversations with tools beside the other one, as Hermes 3 and Command R+ have. */
  readonly toolTemplate?: string
  readonly bosToken?: number
  /** True if the model file asks for a BOS token at the start of each text. */
  readonly addsBos: boolean
  readonly eosToken?: number
}

type NativeVocabulary = {
  /** The concatenated bytes of all tokens; special tokens have none. */
  readonly bytes: Uint8Array
  /** For each token, the index in `bytes` after its last byte. */
  readonly ends: Int32Array
  /** The texts of the special tokens, by token. */
  readonly specialTexts: Readonly<Record<number, string>>
  /** The texts that llama.cpp's tokenizer turns into these tokens wherever they occur. */
  readonly userDefinedTexts: Readonly<Record<number, string>>
  /** Special tokens that absorb the white space before them, and those that absorb it after them. */
  readonly trimsBefore: Int32Array
  readonly trimsAfter: Int32Array
  /** Maximum number of bytes of text per token; undefined if it has no bound. */
  readonly tokenBytesMax?: number
}

type NativeGeneration = {
  readonly id: number
  readonly prompt: Int32Array
  /** Begin and end of each earlier reply in the prompt. */
  readonly replies: Int32Array
  readonly maxTokens: number
  readonly sampling: Sampling
  readonly topLogprobs?: number | undefined
  /** The first tokens of the reply, as an earlier run sampled them. */
  readonly known: Int32Array | undefined
  /** A grammar in its serialised form (`engine/grammar/grammar.ts`). */
  readonly grammar?: Int32Array | undefined
  /** For a model with thoughts. */
  readonly thoughts?: NativeThoughts | undefined
  /** True if the reply must be complete in the grammar within `maxTokens`, not cut off there. */
  readonly completesFormat?: boolean | undefined
  readonly cacheScope: string
}

/** The marks around the thoughts of a reply (`native/sampling/thought-guide.h`). */
export type NativeThoughts = {
  /** The part of the reply in which the prompt ends and the generation begins. */
  readonly place: 'start' | 'thought' | 'answer'
  readonly begin: string
  readonly end: string
  /** True if a reply is a sequence of messages, several of which may be thoughts. */
  readonly repeats: boolean
  /** Texts that may precede the answer; at most one does. */
  readonly answerBegins: readonly string[]
  /** Tokens to force when a thought has used up `tokensMax`. */
  readonly close: Int32Array
  /** Tokens to force after a thought that the model ends, if a grammar constrains the answer. */
  readonly bridge: Int32Array
  /** Maximum number of tokens in thoughts; -1: no limit. */
  readonly tokensMax: number
}

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
