import { describe, expect, test } from 'vitest'
import { needArithmetic, ownArithmetics } from '../support/engine/processor.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { weightBlocks } from '../support/gguf/weight-blocks.ts'
import { type PackedType, testAddon } from './test-addon.ts'

type Matrix = { readonly bytes: Uint8Array; readonly values: Float64Array }

const types = Object.keys(weightBlocks) as PackedType[]

/** Makes a matrix of random bits with plausible scales, and the values that they mean. */
function randomMatrix(type: PackedType, columns: number, outputs: number): Matrix {
  const random = randomNumbers(columns + outputs)
  const { blockBytes, blockValues, halves, weightAt } = weightBlocks[type]
  const blocks = (columns / blockValues) * outputs
  const bytes = Uint8Array.from({ length: blocks * blockBytes }, () => random() * 256)
  const values = new Float64Array(columns * outputs)
  for (let begin = 0; begin < blocks; begin++) {
    const block = new DataView(bytes.buffer, begin * blockBytes, blockBytes)
    // Scales are 16-bit floats of three exponents, from 2^-8 or 2^-12 on, with any fraction.
    const exponent = blockValues === 32 ? 7 : 3
    for (const at of halves) block.setUint16(at, (exponent + 3 * random()) * 1024, true)
    for (let index = 0; index < blockValues; index++)
      values[begin * blockValues + index] = weightAt(block, index)
  }
  return { bytes, values }
}

function randomInputs(rows: number, columns: number): Float32Array {
  const random = randomNumbers(rows)
  return Float32Array.from({ length: rows * columns }, () => (random() * 2 - 1) * 3)
}

/** Rounds inputs as the kernels quantise them: 8 bits, with a scale for each 32. */
function roundToQuants(inputs: Float32Array): Float64Array {
  const result = new Float64Array(inputs.length)
  for (let begin = 0; begin < inputs.length; begin += 32) {
    const block = inputs.subarray(begin, begin + 32)
    const most = Math.max(...block.map(Math.abs))
    for (const [index, input] of block.entries())
      result[begin + index] = most === 0 ? 0 : (Math.round((input * 127) / most) * most) / 127
  }
  return result
}

const shapes: readonly [PackedType, number, number, number][] = [
  ['q8_0', 32, 1, 1],
  ['q8_0', 64, 15, 3],
  ['q8_0', 288, 16, 16],
  ['q8_0', 512, 100, 17],
  ['q4_0', 32, 1, 1],
  ['q4_0', 96, 33, 5],
  ['q4_0', 896, 48, 40],
  ['q5_0', 32, 1, 1],
  ['q5_0', 160, 37, 19],
  ['q4_K', 256, 1, 1],
  ['q4_K', 768, 37, 19],
  ['q5_K', 256, 1, 1],
  ['q5_K', 768, 37, 19],
  ['q6_K', 256, 1, 1],
  ['q6_K', 768, 37, 19],
]

describe.each(ownArithmetics)('%s', (arithmetic) => {
  needArithmetic(arithmetic)

  const multiply = (type: PackedType, matrix: Matrix, inputs: Float32Array, columns: number) =>
    testAddon.multiplyPacked(arithmetic, type, matrix.bytes, inputs, columns)

  test.each(shapes)(
    'multiplies %s of %i columns and %i outputs with %i rows',
    (type, columns, outputs, rows) => {
      const matrix = randomMatrix(type, columns, outputs)
      const inputs = randomInputs(rows, columns)
      const products = multiply(type, matrix, inputs, columns)
      const exactInputs = roundToQuants(inputs)
      expect(products).toHaveLength(rows * outputs)
      for (let row = 0; row < rows; row++) {
        for (let output = 0; output < outputs; output++) {
          let exact = 0
          let size = 0
          for (let column = 0; column < columns; column++) {
            const input = exactInputs[row * columns + column] ?? 0
            const product = input * (matrix.values[output * columns + column] ?? 0)
            exact += product
            size += Math.abs(product)
          }
          // Allows one input rounded the other way, and sums of 24 bits.
          expect(Math.abs((products[row * outputs + output] ?? NaN) - exact)).toBeLessThan(
            2e-5 * size + 0.02,
          )
        }
      }
    },
  )

  test.each(types)(
    'a row of inputs has the same products, bit for bit, beside any other rows (%s)',
    (type) => {
      const columns = weightBlocks[type].blockValues === 32 ? 160 : 512
      const outputs = 37
      const matrix = randomMatrix(type, columns, outputs)
      const inputs = randomInputs(40, columns)
      const all = multiply(type, matrix, inputs, columns)
      for (let count = 1; count <= 40; count++) {
        const some = multiply(type, matrix, inputs.slice(0, count * columns), columns)
        expect(some).toEqual(all.slice(0, count * outputs))
        const last = inputs.slice((count - 1) * columns, count * columns)
        const alone = multiply(type, matrix, last, columns)
        expect(alone).toEqual(all.slice((count - 1) * outputs, count * outputs))
      }
    },
  )

  test('the extreme weights and zero inputs are multiplied exactly', () => {
    const bytes = new Uint8Array(34).fill(0x80)
    bytes.set([0x00, 0x3c])
    const inputs = new Float32Array(64).fill(-5)
    inputs.fill(0, 32)
    // Quantising never makes a weight of -128; it is multiplied correctly all the same.
    expect([...multiply('q8_0', { bytes, values: new Float64Array() }, inputs, 32)]).toEqual([
      32 * 5 * 128,
      0,
    ])
  })
})
