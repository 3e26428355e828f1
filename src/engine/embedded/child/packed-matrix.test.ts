import { describe, expect, test } from 'vitest'
import { needArithmetic, ownArithmetics } from '../../../../test/support/processor.ts'
import { randomNumbers } from '../../../../test/support/random-numbers.ts'
import { findEngineBuild } from '../engine-build.ts'
import { loadAddon } from './addon.ts'

const addon = loadAddon(findEngineBuild().addonPath)

type WeightType = 'q8_0' | 'q4_0'
type Matrix = { readonly bytes: Uint8Array; readonly values: Float64Array }

/** Blocks as ggml lays them out, with a power of two as scale, and what they mean. */
function randomMatrix(type: WeightType, columns: number, outputs: number): Matrix {
  const random = randomNumbers(columns + outputs)
  const blockBytes = type === 'q8_0' ? 34 : 18
  const blocks = (columns / 32) * outputs
  const bytes = new Uint8Array(blocks * blockBytes)
  const values = new Float64Array(columns * outputs)
  for (let block = 0; block < blocks; block++) {
    const exponent = Math.floor(random() * 6) - 8
    // A 16-bit float without a fraction: the exponent stands above ten bits.
    const half = (exponent + 15) << 10
    bytes.set([half & 0xff, half >> 8], block * blockBytes)
    for (let index = 0; index < 32; index++) {
      const most = type === 'q8_0' ? 127 : 7
      const quant = Math.round((random() * 2 - 1) * most)
      values[block * 32 + index] = quant * 2 ** exponent
      if (type === 'q8_0') {
        bytes[block * blockBytes + 2 + index] = quant & 0xff
      } else {
        const at = block * blockBytes + 2 + (index % 16)
        bytes[at] = (bytes[at] ?? 0) | ((quant + 8) << (index < 16 ? 0 : 4))
      }
    }
  }
  return { bytes, values }
}

function randomInputs(rows: number, columns: number): Float32Array {
  const random = randomNumbers(rows)
  return Float32Array.from({ length: rows * columns }, () => (random() * 2 - 1) * 3)
}

/** What the inputs are rounded to before they are multiplied: 8 bits, a scale for each 32. */
function rounded(inputs: Float32Array): Float64Array {
  const result = new Float64Array(inputs.length)
  for (let begin = 0; begin < inputs.length; begin += 32) {
    const block = inputs.subarray(begin, begin + 32)
    const most = Math.max(...block.map(Math.abs))
    for (const [index, input] of block.entries())
      result[begin + index] = most === 0 ? 0 : (Math.round((input * 127) / most) * most) / 127
  }
  return result
}

const shapes: readonly [WeightType, number, number, number][] = [
  ['q8_0', 32, 1, 1],
  ['q8_0', 64, 15, 3],
  ['q8_0', 288, 16, 16],
  ['q8_0', 512, 100, 17],
  ['q4_0', 32, 1, 1],
  ['q4_0', 96, 33, 5],
  ['q4_0', 896, 48, 40],
]

describe.each(ownArithmetics)('%s', (arithmetic) => {
  needArithmetic(arithmetic)

  const multiply = (type: WeightType, matrix: Matrix, inputs: Float32Array, columns: number) =>
    addon.multiplyPacked(arithmetic, type, matrix.bytes, inputs, columns)

  test.each(shapes)(
    'multiplies %s of %i columns and %i outputs with %i rows',
    (type, columns, outputs, rows) => {
      const matrix = randomMatrix(type, columns, outputs)
      const inputs = randomInputs(rows, columns)
      const products = multiply(type, matrix, inputs, columns)
      const exactInputs = rounded(inputs)
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
          // A half more or less in the rounding of one input, and 24 bits of every sum.
          expect(Math.abs((products[row * outputs + output] ?? NaN) - exact)).toBeLessThan(
            2e-5 * size + 0.02,
          )
        }
      }
    },
  )

  test.each(['q8_0', 'q4_0'] as const)(
    'a row of inputs has the same products to the bit, whatever rows are beside it (%s)',
    (type) => {
      const columns = 160
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

  test('the largest numbers and zeroes', () => {
    const bytes = new Uint8Array(34).fill(0x80)
    bytes.set([0x00, 0x3c])
    const inputs = new Float32Array(64).fill(-5)
    inputs.fill(0, 32)
    // A weight of -128 is none that quantising makes, and is multiplied rightly all the same.
    expect([...multiply('q8_0', { bytes, values: new Float64Array() }, inputs, 32)]).toEqual([
      32 * 5 * 128,
      0,
    ])
  })
})
