import type { PackedType } from '../../native/test-addon.ts'

/** A type that our kernels do not pack; llama.cpp multiplies with it. */
type ForeignType = 'iq4_nl'

export type WeightType = PackedType | ForeignType

type Placed = {
  /** Number in ggml's enumeration of types. */
  readonly id: number
  readonly blockValues: number
  readonly blockBytes: number
  /** Offsets of the 16-bit floats in a block. */
  readonly halves: readonly number[]
}

type Layout = Placed & {
  /** Returns the value of the weight at an index of the block. */
  readonly weightAt: (block: DataView, index: number) => number
}

/** Blocks of weights as ggml lays them out (ggml-common.h) and dequantises them (ggml-quants.c). */
export const weightBlocks: Readonly<Record<PackedType, Layout>> = {
  q8_0: {
    id: 8,
    blockValues: 32,
    blockBytes: 34,
    halves: [0],
    weightAt: (block, index) => half(block, 0) * block.getInt8(2 + index),
  },
  q4_0: {
    id: 2,
    blockValues: 32,
    blockBytes: 18,
    halves: [0],
    weightAt: (block, index) => half(block, 0) * (nibble(block, 2, 16, index) - 8),
  },
  q5_0: {
    id: 6,
    blockValues: 32,
    blockBytes: 22,
    halves: [0],
    weightAt(block, index) {
      const highest = (block.getUint32(2, true) >>> index) & 1
      return half(block, 0) * (nibble(block, 6, 16, index) + 16 * highest - 16)
    },
  },
  q4_K: {
    id: 12,
    blockValues: 256,
    blockBytes: 144,
    halves: [0, 2],
    weightAt(block, index) {
      const { scale, minimum } = scaleK(block, index >> 5)
      return scale * nibble(block, 16, 32, index) - minimum
    },
  },
  q5_K: {
    id: 13,
    blockValues: 256,
    blockBytes: 176,
    halves: [0, 2],
    weightAt(block, index) {
      const { scale, minimum } = scaleK(block, index >> 5)
      const highest = (block.getUint8(16 + (index % 32)) >> (index >> 5)) & 1
      return scale * (nibble(block, 48, 32, index) + 16 * highest) - minimum
    },
  },
  q6_K: {
    id: 14,
    blockValues: 256,
    blockBytes: 210,
    halves: [208],
    weightAt(block, index) {
      const scale = half(block, 208) * block.getInt8(192 + (index >> 4))
      const bytes = block.getUint8(128 + 32 * (index >> 7) + (index % 32))
      const highest = (bytes >> (2 * ((index >> 5) % 4))) & 3
      return scale * (nibble(block, 0, 64, index) + 16 * highest - 32)
    },
  },
}

/** Blocks of all types that test models can have. */
export const allWeightBlocks: Readonly<Record<WeightType, Placed>> = {
  ...weightBlocks,
  iq4_nl: { id: 20, blockValues: 32, blockBytes: 18, halves: [0] },
}

/** Reads four bits: the first half of the weights is in the lower halves of the bytes, the rest in the higher. */
function nibble(block: DataView, begin: number, bytes: number, index: number): number {
  const byte = block.getUint8(begin + bytes * Math.floor(index / (2 * bytes)) + (index % bytes))
  return index % (2 * bytes) < bytes ? byte & 15 : byte >> 4
}

/** Reads one of the eight scales and minima that twelve bytes hold, six bits each. */
function scaleK(block: DataView, part: number): { scale: number; minimum: number } {
  const byte = (index: number) => block.getUint8(4 + index)
  const scale = part < 4 ? byte(part) & 63 : (byte(part + 4) & 15) | ((byte(part - 4) >> 6) << 4)
  const minimum = part < 4 ? byte(part + 4) & 63 : (byte(part + 4) >> 4) | ((byte(part) >> 6) << 4)
  return { scale: half(block, 0) * scale, minimum: half(block, 2) * minimum }
}

/** Reads a finite 16-bit float. */
function half(block: DataView, at: number): number {
  const bits = block.getUint16(at, true)
  const exponent = (bits >> 10) & 31
  const fraction = (bits & 1023) / 1024
  const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15)
  return bits >> 15 ? -size : size
}
