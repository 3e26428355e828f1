import { describe, expect, test } from 'vitest'
import { needArithmetic, ownArithmetics } from '../support/engine/processor.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'
import { type AttentionInputs, testAddon } from './test-addon.ts'

/** Returns the bits of a 16-bit float between 2^-5 and 4, of either sign. */
function randomHalf(random: () => number): number {
  const exponent = 10 + Math.floor(random() * 7)
  return (random() < 0.5 ? 0x8000 : 0) | (exponent << 10) | Math.floor(random() * 1024)
}

function fromHalf(bits: number): number {
  const size = (1 + (bits & 0x3ff) / 1024) * 2 ** (((bits >> 10) & 0x1f) - 15)
  return bits & 0x8000 ? -size : size
}

const masked = 0xfc00

type Shape = Pick<AttentionInputs, 'rows' | 'heads' | 'keyHeads' | 'cells' | 'width' | 'valueWidth'>

/** Makes a causal mask: row r attends to the first `seen + r` cells. */
function randomInputs(shape: Shape, seen: number): AttentionInputs {
  const { rows, heads, keyHeads, cells, width, valueWidth } = shape
  const random = randomNumbers(rows + cells + width)
  const queries = Float32Array.from({ length: heads * rows * width }, () => (random() * 2 - 1) * 3)
  const halves = (length: number): Uint16Array =>
    Uint16Array.from({ length }, () => randomHalf(random))
  const mask = Uint16Array.from({ length: rows * cells }, (_, index) =>
    index % cells < seen + Math.floor(index / cells) ? 0 : masked,
  )
  return {
    ...shape,
    scale: 1 / Math.sqrt(width),
    threads: 1,
    queries,
    keys: halves(keyHeads * cells * width),
    values: halves(keyHeads * cells * valueWidth),
    mask,
  }
}

/** Computes attention of one head and row in double precision. */
function exactAttention(inputs: AttentionInputs, head: number, row: number): number[] {
  const { rows, heads, keyHeads, cells, width, valueWidth } = inputs
  const keyHead = Math.floor((head * keyHeads) / heads)
  const scores = Array.from({ length: cells }, (_, cell) => {
    if (inputs.mask[row * cells + cell] === masked) return -Infinity
    let sum = 0
    for (let column = 0; column < width; column++) {
      const key = fromHalf(inputs.keys[(keyHead * cells + cell) * width + column] ?? 0)
      sum += key * (inputs.queries[(head * rows + row) * width + column] ?? 0)
    }
    return sum * inputs.scale
  })
  const most = Math.max(...scores)
  const weights = scores.map((score) => Math.exp(score - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return Array.from({ length: valueWidth }, (_, column) => {
    const at = (cell: number): number =>
      fromHalf(inputs.values[(keyHead * cells + cell) * valueWidth + column] ?? 0)
    return weights.reduce((sum, weight, cell) => sum + weight * at(cell), 0) / total
  })
}

/** Returns the inputs of one row. */
function onlyRow(inputs: AttentionInputs, row: number): AttentionInputs {
  const { rows, heads, cells, width } = inputs
  const queries = new Float32Array(heads * width)
  for (let head = 0; head < heads; head++) {
    const from = (head * rows + row) * width
    queries.set(inputs.queries.subarray(from, from + width), head * width)
  }
  const mask = inputs.mask.slice(row * cells, (row + 1) * cells)
  return { ...inputs, rows: 1, queries, mask }
}

const small: Shape = { rows: 5, heads: 4, keyHeads: 2, cells: 256, width: 64, valueWidth: 64 }

describe.each(ownArithmetics)('%s', (arithmetic) => {
  needArithmetic(arithmetic)

  const attend = (inputs: AttentionInputs): Float32Array => {
    const outputs = testAddon.attend(arithmetic, inputs)
    if (outputs === undefined) throw new Error('llama.cpp computes this shape')
    return outputs
  }

  test.each<[string, Shape, number]>([
    ['several rows', small, 40],
    ['one row', { ...small, rows: 1 }, 200],
    ['a whole prompt', { ...small, rows: 100 }, 1],
    ['as many key heads as heads', { ...small, keyHeads: 4, width: 32, valueWidth: 32 }, 31],
    ['wide heads', { ...small, width: 128, valueWidth: 128 }, 33],
    ['keys and values of different widths', { ...small, width: 192, valueWidth: 80 }, 256],
    ['seven heads for each key head', { ...small, rows: 9, heads: 14, cells: 512 }, 300],
  ])('attention of %s', (_, shape, seen) => {
    const inputs = randomInputs(shape, seen)
    const outputs = attend(inputs)
    const { rows, heads, valueWidth } = shape
    expect(outputs).toHaveLength(rows * heads * valueWidth)
    for (let row = 0; row < rows; row++) {
      for (let head = 0; head < heads; head++) {
        const from = (row * heads + head) * valueWidth
        for (const [column, exact] of exactAttention(inputs, head, row).entries())
          expect(Math.abs((outputs[from + column] ?? NaN) - exact)).toBeLessThan(1e-4)
      }
    }
  })

  test('a row has the same bits beside any other rows and on any number of threads', () => {
    const inputs = randomInputs({ ...small, rows: 70 }, 90)
    const outputs = attend(inputs)
    for (const threads of [2, 3, 8, 100]) expect(attend({ ...inputs, threads })).toEqual(outputs)
    const rowSize = small.heads * small.valueWidth
    for (let row = 0; row < 70; row++)
      expect(attend(onlyRow(inputs, row))).toEqual(
        outputs.slice(row * rowSize, (row + 1) * rowSize),
      )
  })

  test("masked cells behind a row's own change none of its bits", () => {
    const inputs = randomInputs({ ...small, rows: 1, heads: 2, keyHeads: 1 }, 100)
    const cells = inputs.cells * 2
    const mask = new Uint16Array(cells).fill(masked)
    mask.set(inputs.mask)
    const longer = (halves: Uint16Array): Uint16Array => {
      const result = new Uint16Array(halves.length * 2).fill(0x3c00)
      result.set(halves)
      return result
    }
    const keys = longer(inputs.keys)
    const values = longer(inputs.values)
    expect(attend({ ...inputs, cells, mask, keys, values })).toEqual(attend(inputs))
  })

  test('masked cells may hold infinities and NaNs of an earlier reply', () => {
    const inputs = randomInputs({ ...small, cells: 128 }, 100)
    const [infinity, notANumber] = [0x7c00, 0x7e00]
    const { cells, width } = inputs
    // The last row attends to 104 cells.
    const withRubbish = (halves: Uint16Array, rubbish: number) =>
      halves.map((half, index) => (Math.floor(index / width) % cells < 104 ? half : rubbish))
    for (const [key, value] of [
      [infinity, notANumber],
      [notANumber, infinity],
    ] as const) {
      const keys = withRubbish(inputs.keys, key)
      const values = withRubbish(inputs.values, value)
      expect(attend({ ...inputs, keys, values })).toEqual(attend(inputs))
    }
  })

  test('a row that attends to no cell is zero', () => {
    const inputs = randomInputs({ ...small, rows: 1 }, 0)
    expect(attend(inputs).every((value) => value === 0)).toBe(true)
  })

  test('widths that are no multiple of 16 are computed by llama.cpp', () => {
    expect(testAddon.attend(arithmetic, randomInputs({ ...small, width: 72 }, 5))).toBeUndefined()
  })
})

describe('avx2 beside avx-vnni', () => {
  needArithmetic('avx-vnni')

  test.each([
    [small, 40],
    [{ ...small, width: 192, valueWidth: 80 }, 256],
    [{ ...small, rows: 33, heads: 14, cells: 512 }, 300],
  ])('gives the same attention, bit for bit', (shape, seen) => {
    const inputs = randomInputs(shape, seen)
    const outputs = testAddon.attend('avx2', inputs)
    expect(outputs).toHaveLength(shape.rows * shape.heads * shape.valueWidth)
    expect(outputs).toEqual(testAddon.attend('avx-vnni', inputs))
  })
})
