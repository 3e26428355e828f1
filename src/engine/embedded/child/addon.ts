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
   * @throws Error with the cause in half a sentence
   */
  loadBackends(librariesPath: string, fallbackLibrariesPath: string | undefined): readonly Gpu[]
  /** @throws Error with the cause in half a sentence */
  readModelHeader(modelPath: string): ModelHeader
  /** Ends this process when the given parent ends, and gives up the right to gain privileges. */
  dieWithParent(parentPid: number): void
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
  /** The largest prefill chunk; steps beside decoding slots use smaller ones. */
  readonly prefillChunkTokens: number
  /** Tokens of conversations without a slot whose KV cache contents are kept. */
  readonly cachedTokensMax: number
  /** The most speculative tokens of one step. */
  readonly speculativeTokensMax: number
  /** `best`: the fastest that the processor runs. */
  readonly arithmetic: Arithmetic | 'best'
}

export type ModelHeader = {
  readonly architecture?: string
  /** The integers by key, without the architecture's prefix: one, or one for each layer. */
  readonly numbers: Readonly<Record<string, readonly number[]>>
}

export type NativeEngine = {
  /** @throws Error with the cause in half a sentence */
  load(): Promise<NativeFacts>
  submit(generation: NativeGeneration): void
  abort(id: number): void
  /** Tokenises plain text: texts of special tokens stay text. */
  tokenize(text: string): Int32Array
  /** Does the same on another thread, for long texts. */
  tokenizeInBackground(text: string): Promise<Int32Array>
  vocabulary(): NativeVocabulary
  progress(): Progress
  /** Ends every generation, then frees the model. */
  close(): Promise<void>
}

export type NativeFacts = {
  /** The kernels for matrix products and attention; others give other bits. */
  readonly arithmetic: string
  readonly chatTemplate?: string
  readonly bosToken?: number
  readonly eosToken?: number
}

type NativeVocabulary = {
  /** The concatenated bytes of all tokens; special tokens have none. */
  readonly bytes: Uint8Array
  /** The end of each token's bytes. */
  readonly ends: Int32Array
  /** The texts of the special tokens, by token. */
  readonly specialTexts: Readonly<Record<number, string>>
}

type NativeGeneration = {
  readonly id: number
  readonly prompt: Int32Array
  /** The begin and end of each earlier reply in the prompt. */
  readonly replies: Int32Array
  readonly maxTokens: number
  readonly sampling: Sampling
  readonly topLogprobs?: number | undefined
  /** The numbers of a grammar (`engine/grammar/grammar.ts`). */
  readonly grammar?: Int32Array | undefined
  readonly cacheScope: string
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
