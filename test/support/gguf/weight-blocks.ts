import type { PackedType } from '../../native/test-addon.ts'

/** A type that our kernels do not pack; llama.cpp multiplies with it. */
type ForeignType = 'q2_K'

/** A type of floats that our kernels multiply as it is. */
export type HalfType = 'f16' | 'bf16'

/** A type with blocks of quantised weights. */
export type BlockType = PackedType | ForeignType

export type WeightType = BlockType | HalfType

type Layout = {
  /** Number in ggml's enumeration of types. */
  readonly id: number
  readonly blockValues: number
  readonly blockBytes: number
  /** Offsets of the 16-bit floats in a block. */
  readonly halves: readonly number[]
}

/** Blocks of weights as ggml lays them out (ggml-common.h). */
export const weightBlocks: Readonly<Record<WeightType, Layout>> = {
  f16: { id: 1, blockValues: 1, blockBytes: 2, halves: [] },
  bf16: { id: 30, blockValues: 1, blockBytes: 2, halves: [] },
  q8_0: { id: 8, blockValues: 32, blockBytes: 34, halves: [0] },
  q4_0: { id: 2, blockValues: 32, blockBytes: 18, halves: [0] },
  q5_0: { id: 6, blockValues: 32, blockBytes: 22, halves: [0] },
  q2_K: { id: 10, blockValues: 256, blockBytes: 84, halves: [80, 82] },
  q3_K: { id: 11, blockValues: 256, blockBytes: 110, halves: [108] },
  q4_K: { id: 12, blockValues: 256, blockBytes: 144, halves: [0, 2] },
  q5_K: { id: 13, blockValues: 256, blockBytes: 176, halves: [0, 2] },
  q6_K: { id: 14, blockValues: 256, blockBytes: 210, halves: [208] },
  iq3_xxs: { id: 18, blockValues: 256, blockBytes: 98, halves: [0] },
  iq3_s: { id: 21, blockValues: 256, blockBytes: 110, halves: [0] },
  iq4_nl: { id: 20, blockValues: 32, blockBytes: 18, halves: [0] },
  iq4_xs: { id: 23, blockValues: 256, blockBytes: 136, halves: [0] },
}
