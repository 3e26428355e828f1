import { type BlockType, type HalfType, weightBlocks } from './weight-blocks.ts'

/** Returns the next `count` bytes of a random sequence. */
export type RandomBytes = (count: number) => Buffer

/** Returns `count` weights of random bits, around zero and with the standard deviation `deviation`. */
export function randomBlocks(
  random: RandomBytes,
  type: BlockType,
  count: number,
  deviation: number,
): Buffer {
  const { blockBytes, blockValues, halves } = weightBlocks[type]
  const { spread, minimum } = spreads[type]
  const bytes = random((count / blockValues) * blockBytes)
  const [scaleAt = 0, minimumAt] = halves
  const scale = toHalf(deviation / spread)
  const scaledMinimum = toHalf((minimum * deviation) / spread)
  for (let begin = 0; begin < bytes.length; begin += blockBytes) {
    bytes.writeUInt16LE(scale, begin + scaleAt)
    if (minimumAt !== undefined) bytes.writeUInt16LE(scaledMinimum, begin + minimumAt)
  }
  return bytes
}

/** Rounds to IEEE's 16-bit floats, or cuts off the lower halves of the numbers (bfloat16). */
export function toHalves(values: Float32Array, type: HalfType): Buffer {
  const halves =
    type === 'f16'
      ? Float16Array.from(values)
      : Uint16Array.from(new Uint32Array(values.buffer), (bits) => bits >>> 16)
  return Buffer.from(halves.buffer)
}

/** Quantises to Q8_0: blocks of 32, each a half-precision scale and 32 signed bytes. */
export function toQ8(values: Float32Array): Buffer {
  const { blockBytes, blockValues } = weightBlocks.q8_0
  const blocks = values.length / blockValues
  const bytes = Buffer.alloc(blocks * blockBytes)
  for (let block = 0; block < blocks; block++) {
    const part = values.subarray(block * blockValues, (block + 1) * blockValues)
    const scale = part.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / 127
    bytes.writeUInt16LE(toHalf(scale), block * blockBytes)
    part.forEach((value, index) =>
      bytes.writeInt8(Math.round(value / (scale || 1)), block * blockBytes + 2 + index),
    )
  }
  return bytes
}

/** Standard deviation of random weights at a scale of 1, and the minimum that centres them on zero. */
const spreads: Readonly<Record<BlockType, { spread: number; minimum: number }>> = {
  q8_0: { spread: 73.6, minimum: 0 },
  q4_0: { spread: 4.6, minimum: 0 },
  q5_0: { spread: 9.2, minimum: 0 },
  q4_K: { spread: 258, minimum: 7.5 },
  q5_K: { spread: 527, minimum: 15.5 },
  q6_K: { spread: 1365, minimum: 0 },
  iq4_nl: { spread: 70.9, minimum: 0 },
  iq4_xs: { spread: 1310, minimum: 0 },
  q2_K: { spread: 13.9, minimum: 1.5 },
  q3_K: { spread: 42.6, minimum: 0 },
  iq3_xxs: { spread: 165, minimum: 0 },
  iq3_s: { spread: 170, minimum: 0 },
}

/** Returns the bits of a half-precision number; `value` is not negative. */
function toHalf(value: number): number {
  if (value < 2 ** -14) return Math.round(value * 2 ** 24)
  const exponent = Math.floor(Math.log2(value))
  return ((exponent + 15) << 10) | Math.min(1023, Math.round((value / 2 ** exponent - 1) * 1024))
}
