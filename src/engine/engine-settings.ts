import type { UpstreamSettings } from './upstream/upstream-settings.ts'

/** Settings of the engine. The record is passed unchanged from the configuration to the engine process. */
export type EngineSettings = EmbeddedSettings | ScriptedSettings | UpstreamSettings

export type EmbeddedSettings = {
  readonly kind: 'embedded'
  readonly modelPath: string
  /** Pinned checksum of the model's files (`sha256OfModel`); undefined accepts any files. */
  readonly modelSha256: string | undefined
  /** File with the chat template to use; undefined means the template in the model file, or ChatML if it has none. */
  readonly chatTemplatePath?: string | undefined
  /** Slots; undefined means `slotsDefault`, or fewer if memory is short. */
  readonly slots: number | undefined
  /**
   * Most tokens of one request, prompt plus completion. Undefined means the context that the model was trained for, at
   * most `contextTokensDefaultMax`, or less if memory is short.
   */
  readonly contextTokens: number | undefined
  readonly kvType: KvType
  readonly gpu: GpuSetting
  readonly threads: number
  /** Tokens of KV cache kept for conversations that lost their slot; undefined means a quarter of all slots' tokens. */
  readonly cachedTokens: number | undefined
  /** Most speculative tokens to verify in one step; 0 turns speculative decoding off. */
  readonly speculativeTokens: number
  /** Memory to plan with; undefined means this machine's memory, within the limits of its control groups. */
  readonly availableBytes: number | undefined
  /** True to start the engine process in a sandbox, if the system has one. */
  readonly sandbox: boolean
  /** Kernels to use; undefined means the fastest that the processor supports. */
  readonly arithmetic: Arithmetic | undefined
}

export type ScriptedSettings = {
  readonly kind: 'scripted'
  readonly slots: number
  readonly contextTokens: number
  /** Speed of each generation; 0 means as fast as possible. */
  readonly tokensPerSecond: number
}

/** `auto` uses the first kind of GPU whose package is installed, or else the CPU. */
export type GpuSetting = GpuKind | 'auto' | 'off'

export type GpuKind = 'cuda' | 'vulkan' | 'metal'

/** Kernels for GEMM and attention: our own for one instruction set, or those of llama.cpp. */
export type Arithmetic = 'avx512-vnni' | 'avx-vnni' | 'avx2' | 'llama.cpp'

/** Number format of the KV cache; q8_0 takes half the memory of f16. */
export type KvType = 'f16' | 'q8_0'
