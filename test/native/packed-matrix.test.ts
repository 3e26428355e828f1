import { findEngineBuild } from '../../src/engine/embedded/engine-build.ts'
import { describe, expect, test } from 'vitest'
import { needArithmetic, ownArithmetics } from '../support/engine/processor.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'
import { weightBlocks } from '../support/gguf/weight-blocks.ts'
import { type FloatType, type PackedType, packedTypes, testAddon } from './test-addon.ts'

type Matrix = { readonly bytes: Uint8Array; readonly values: Float64Array }

const floatTypes = ['f32', 'f16', 'bf16'] as const satisfies FloatType[]

/** Makes a matrix of random bits with plausible scales, and decodes the values of its weights. */
function randomMatrix(type: PackedType, columns: number, outputs: number): Matrix {
  const random = randomNumbers(columns + outputs)
  const { blockBytes, blockValues, halves } = weightBlocks[type]
  const blocks = (columns / blockValues) * outputs
  const bytes = Uint8Array.from({ length: blocks * blockBytes }, () => random() * 256)
  for (let begin = 0; begin < blocks; begin++) {
    const block = new DataView(bytes.buffer, begin * blockBytes, blockBytes)
    // Scales are 16-bit floats: at least 2^-8 or 2^-12, depending on the block size, and less than 8 times that.
    const exponent = blockValues === 32 ? 7 : 3
    for (const at of halves) block.setUint16(at, (exponent + 3 * random()) * 1024, true)
  }
  return { bytes, values: Float64Array.from(testAddon.dequantise(type, bytes)) }
}

function randomInputs(rows: number, columns: number): Float32Array {
  const random = randomNumbers(rows)
  return Float32Array.from({ length: rows * columns }, () => (random() * 2 - 1) * 3)
}

/** Makes a matrix of random floats, and decodes their values. */
function floatMatrix(type: FloatType, columns: number, outputs: number): Matrix {
  const floats = randomInputs(outputs, columns)
  if (type === 'f32')
    return { bytes: new Uint8Array(floats.buffer), values: Float64Array.from(floats) }
  // The upper half of a 32-bit float is a bfloat16.
  const bits = new Uint32Array(floats.buffer)
  const halves =
    type === 'bf16'
      ? Uint16Array.from(bits, (float) => float >>> 16)
      : new Uint16Array(Float16Array.from(floats).buffer)
  const values =
    type === 'bf16'
      ? new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer)
      : new Float16Array(halves.buffer)
  return { bytes: new Uint8Array(halves.buffer), values: Float64Array.from(values) }
}

/** Rounds inputs as the kernels quantise them: to 8 bits, with one scale for every 32 inputs. */
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
  ['iq4_nl', 32, 1, 1],
  ['iq4_nl', 160, 37, 19],
  ['q3_K', 256, 1, 1],
  ['q3_K', 768, 37, 19],
  ['iq3_s', 256, 1, 1],
  ['iq3_s', 768, 37, 19],
  ['iq3_xxs', 256, 1, 1],
  ['iq3_xxs', 768, 37, 19],
  ['iq4_xs', 256, 1, 1],
  ['iq4_xs', 768, 37, 19],
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
          // Tolerates that one input is rounded the other way, and that sums have only 24 significant bits.
          expect(Math.abs((products[row * outputs + output] ?? NaN) - exact)).toBeLessThan(
            2e-5 * size + 0.02,
          )
        }
      }
    },
  )

  test.each(packedTypes)(
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

  // In some architectures the inputs of each stream are a separate matrix.
  test.each([
    [6, 1],
    [1, 6],
    [2, 3],
  ])('%i rows in each of %i streams have the same products, bit for bit', (rows, streams) => {
    const columns = 256
    const { bytes } = randomMatrix('q8_0', columns, 37)
    const inputs = randomInputs(6, columns)
    const sizes = [columns, rows, streams] as const
    const products = testAddon.multiplyInGraph(
      arithmetic,
      findEngineBuild().librariesPath,
      'q8_0',
      bytes,
      inputs,
      sizes,
    )
    const expected = testAddon.multiplyPacked(arithmetic, 'q8_0', bytes, inputs, columns)
    const rowOf = (row: number) => products?.slice(row * 37, (row + 1) * 37)
    for (let row = 0; row < rows; row++)
      for (let stream = 0; stream < streams; stream++)
        expect(rowOf(stream * rows + row)).toEqual(
          expected.slice((row * streams + stream) * 37, (row * streams + stream + 1) * 37),
        )
  })

  // Every model file stores the matrices that choose experts as 32-bit floats.
  test.each(floatTypes)(
    'a row has the same products with weights of %s, bit for bit, beside any other rows',
    (type) => {
      const columns = 83
      const { bytes, values } = floatMatrix(type, columns, 37)
      const inputs = randomInputs(9, columns)
      const { librariesPath } = findEngineBuild()
      const multiply = (begin: number, end: number) =>
        testAddon.multiplyInGraph(
          arithmetic,
          librariesPath,
          type,
          bytes,
          inputs.slice(begin * columns, end * columns),
          [columns, end - begin, 1],
        )
      const all = multiply(0, 9)
      for (let output = 0; output < 37; output++) {
        let exact = 0
        for (let column = 0; column < columns; column++)
          exact += (inputs[column] ?? NaN) * (values[output * columns + column] ?? NaN)
        expect(all?.[output]).toBeCloseTo(exact, 3)
      }
      for (let row = 0; row < 9; row++) {
        expect(multiply(row, row + 1)).toEqual(all?.slice(row * 37, (row + 1) * 37))
        expect(multiply(0, row + 1)).toEqual(all?.slice(0, (row + 1) * 37))
      }
    },
  )

  test.each(packedTypes)(
    'the check at load finds kernels that lose half of the inputs (%s)',
    (type) => {
      const { bytes } = randomMatrix(type, 256, 37)
      const { librariesPath } = findEngineBuild()
      const compare = (hasFault: boolean) =>
        testAddon.compareInGraph(
          arithmetic,
          librariesPath,
          type,
          bytes,
          randomInputs(33, 256),
          [256, 33, 1],
          hasFault,
        )
      expect(compare(false)).toBeLessThan(0.05)
      expect(compare(true)).toBeGreaterThan(0.3)
    },
  )

  test('the check at load leaves out inputs that llama.cpp rounds to infinity', () => {
    const inputs = randomInputs(33, 256)
    inputs[5] = 1e5
    const { bytes } = floatMatrix('f16', 256, 37)
    const { librariesPath } = findEngineBuild()
    const sizes = [256, 33, 1] as const
    expect(
      testAddon.compareInGraph(arithmetic, librariesPath, 'f16', bytes, inputs, sizes, false),
    ).toBeLessThan(0.05)
  })

  test('a row that is far longer than the others counts once in the check at load', () => {
    const inputs = randomInputs(33, 256)
    const { bytes } = randomMatrix('q8_0', 256, 37)
    const { librariesPath } = findEngineBuild()
    const sizes = [256, 33, 1] as const
    const compare = () =>
      testAddon.compareInGraph(arithmetic, librariesPath, 'q8_0', bytes, inputs, sizes, false)
    const even = compare()
    for (let column = 0; column < 256; column++) inputs[column] = 1000 * (inputs[column] ?? NaN)
    expect(compare()).toBeLessThan(2 * even)
  })

  // An instruction that adds up products in 16 bits would saturate here if it added up too many.
  test.each(packedTypes)('the extreme weights and inputs are multiplied exactly (%s)', (type) => {
    const { blockBytes, blockValues, halves } = weightBlocks[type]
    const bytes = new Uint8Array(blockBytes)
    const block = new DataView(bytes.buffer)
    const inputs = new Float32Array(4 * blockValues)
    inputs.fill(127, 0, blockValues)
    inputs.fill(-127, blockValues, 2 * blockValues)
    for (let index = 0; index < blockValues; index++) {
      inputs[2 * blockValues + index] = index % 2 === 0 ? 127 : -127
      inputs[3 * blockValues + index] = index % 4 < 2 ? 127 : -127
    }
    for (const fill of [0x00, 0x7f, 0x80, 0xff, 0x0f, 0xf0, 0x77, 0x88]) {
      bytes.fill(fill)
      for (const at of halves) block.setUint16(at, 0x3c00, true)
      const weights = testAddon.dequantise(type, bytes)
      const products = multiply(type, { bytes, values: new Float64Array() }, inputs, blockValues)
      for (const [row, product] of products.entries()) {
        let exact = 0
        for (let index = 0; index < blockValues; index++)
          exact += (weights[index] ?? NaN) * (inputs[row * blockValues + index] ?? NaN)
        // All these sums are integers of at most 24 bits, so floats hold them exactly.
        expect([fill, row, product]).toEqual([fill, row, exact])
      }
    }
  })

  test('zero inputs give zero', () => {
    const bytes = new Uint8Array(34).fill(0x80)
    bytes.set([0x00, 0x3c])
    const zeros = new Float32Array(32)
    expect([...multiply('q8_0', { bytes, values: new Float64Array() }, zeros, 32)]).toEqual([0])
  })
})

// AVX2 and AVX-VNNI have registers of the same size, so they could differ only in the integer sums of a block.
describe('avx2 beside avx-vnni', () => {
  needArithmetic('avx-vnni')

  const bitsOf = (products: Float32Array | undefined) =>
    products && [...new Uint32Array(products.buffer, products.byteOffset, products.length)]
  const expectSameProducts = (type: PackedType, inputs: Float32Array, columns: number) => {
    const { bytes } = randomMatrix(type, columns, 1 + (columns % 41))
    const [avx2, avxVnni] = (['avx2', 'avx-vnni'] as const).map((arithmetic) =>
      bitsOf(testAddon.multiplyPacked(arithmetic, type, bytes, inputs, columns)),
    )
    expect(avx2).toEqual(avxVnni)
  }

  test.each(packedTypes)('gives the same products, bit for bit (%s)', (type) => {
    const random = randomNumbers(7)
    const { blockValues } = weightBlocks[type]
    for (let shape = 0; shape < 40; shape++) {
      const columns = blockValues * (1 + Math.floor(random() * 6))
      const rows = shape < 17 ? shape + 1 : 1 + Math.floor(random() * 40)
      expectSameProducts(type, randomInputs(rows, columns), columns)
    }
  })

  test.each(packedTypes)(
    'gives the same products of NaN, infinities and subnormal floats (%s)',
    (type) => {
      for (const odd of [NaN, Infinity, -Infinity, 1e-39, -1e-45]) {
        const inputs = randomInputs(3, 256)
        inputs[5] = odd
        // Also tests a block whose largest input is so small that it has no finite reciprocal.
        inputs.fill(Number.isFinite(odd) ? odd : 0, 256, 288)
        expectSameProducts(type, inputs, 256)
      }
    },
  )

  test.each(floatTypes)('gives the same products with weights of %s, bit for bit', (type) => {
    const { librariesPath } = findEngineBuild()
    for (const columns of [1, 7, 16, 83, 300]) {
      const { bytes } = floatMatrix(type, columns, 37)
      const inputs = randomInputs(9, columns)
      const [avx2, avxVnni] = (['avx2', 'avx-vnni'] as const).map((arithmetic) =>
        bitsOf(
          testAddon.multiplyInGraph(arithmetic, librariesPath, type, bytes, inputs, [
            columns,
            9,
            1,
          ]),
        ),
      )
      expect(avx2).toHaveLength(9 * 37)
      expect(avx2).toEqual(avxVnni)
    }
  })
})
