import { expect, test } from 'vitest'
import { nearestNames } from './catalogue.ts'
import { chooseVariant, quantisationOf, variantsOf } from './quantisation.ts'
import { parseReference } from './reference.ts'

const gigabyte = 1e9

function variants(sizes: Record<string, number>) {
  return variantsOf(
    Object.entries(sizes).map(([path, gigabytes]) => ({
      path,
      bytes: gigabytes * gigabyte,
      sha256: undefined,
    })),
  )
}

const fourBillion = variants({
  'M-F16.gguf': 8,
  'M-Q8_0.gguf': 4.3,
  'M-Q4_K_M.gguf': 2.5,
  'M-Q3_K_M.gguf': 2,
  'M-Q2_K.gguf': 1.6,
})

test.each([
  [
    'a small model is taken as precise as it is',
    { 'M-Q8_0.gguf': 0.6, 'M-Q4_K_M.gguf': 0.4 },
    8,
    'Q8_0',
  ],
  [
    'a small model gets 4 bits where memory is short',
    { 'M-Q8_0.gguf': 0.6, 'M-Q4_K_M.gguf': 0.4 },
    1,
    'Q4_K_M',
  ],
  ['16 bits are taken if there is nothing else', { 'M-BF16.gguf': 8 }, 16, 'BF16'],
])('%s', (_, sizes, availableGb, quantisation) => {
  const chosen = chooseVariant(variants(sizes), undefined, availableGb * gigabyte)
  expect(chosen.quantisation).toBe(quantisation)
})

test.each([
  [64, 'Q4_K_M'],
  [3.1, 'Q4_K_M'],
  // Q3_K_M takes more memory than Q4_K_M.
  [2.9, 'Q2_K'],
  [2.1, 'Q2_K'],
])('of a model of 4 B parameters, %s GB of memory get %s', (availableGb, quantisation) => {
  expect(chooseVariant(fourBillion, undefined, availableGb * gigabyte).quantisation).toBe(
    quantisation,
  )
})

test('a file of three bits is taken only where the four bits that it has in memory fit', () => {
  const sizes = { 'M-IQ3_M.gguf': 1.6, 'M-UD-IQ3_XXS.gguf': 1.4, 'M-Q2_K.gguf': 1.3 }
  const chosenIn = (availableGb: number) =>
    chooseVariant(variants(sizes), undefined, availableGb * gigabyte).quantisation
  expect([chosenIn(2.5), chosenIn(2.4), chosenIn(2.15)]).toEqual(['IQ3_M', 'Q2_K', 'Q2_K'])
})

test('a model that does not fit is refused with the arithmetic, unless it is named', () => {
  expect(() => chooseVariant(fourBillion, undefined, gigabyte)).toThrow(
    'The smallest file, Q2_K of 1.60 GB, needs about 2.03 GB of memory, and 1.00 GB are available. ' +
      'Choose a smaller model, or name this one: :Q2_K.',
  )
  expect(chooseVariant(fourBillion, 'q8_0', gigabyte).quantisation).toBe('Q8_0')
  expect(chooseVariant(fourBillion, 'M-F16.gguf', gigabyte).quantisation).toBe('F16')
  expect(() => chooseVariant(fourBillion, 'Q5_K', gigabyte)).toThrow(
    'The repository has no "Q5_K". It has Q8_0, Q4_K_M, Q3_K_M, Q2_K, F16.',
  )
})

test('parts belong together, and an incomplete split is no model', () => {
  const found = variants({
    'Q8_0/M-Q8_0-00002-of-00002.gguf': 1,
    'Q8_0/M-Q8_0-00001-of-00002.gguf': 2,
    'M-Q6_K-00001-of-00003.gguf': 1,
    'mmproj-F16.gguf': 1,
    'M.imatrix.gguf': 1,
    'README.md': 1,
  })
  expect(found.map(({ quantisation, bytes }) => [quantisation, bytes / gigabyte])).toEqual([
    ['Q8_0', 3],
  ])
  expect(found[0]?.files.map(({ path }) => path)).toEqual([
    'Q8_0/M-Q8_0-00001-of-00002.gguf',
    'Q8_0/M-Q8_0-00002-of-00002.gguf',
  ])
})

test('a single file and the parts of a split one are two models', () => {
  const found = variants({
    'M-Q8_0.gguf': 3,
    'M-Q8_0-00001-of-00002.gguf': 1,
    'M-Q8_0-00002-of-00002.gguf': 2,
  })
  expect(found.map(({ quantisation, files }) => [quantisation, files.length])).toEqual([
    ['Q8_0', 1],
    ['Q8_0', 2],
  ])
})

test.each([
  ['Phi-4-mini-instruct.Q8_0', 'Q8_0'],
  ['gemma-3-1b-it-q4_k_m', 'Q4_K_M'],
  ['gpt-oss-20b-mxfp4', 'MXFP4'],
  ['gemma-3-1b-it-UD-IQ2_XXS', 'UD-IQ2_XXS'],
  ['Qwen3-0.6B', undefined],
])('the quantisation of %s is %s', (name, quantisation) => {
  expect(quantisationOf(name)).toBe(quantisation)
})

test('an unknown name is refused with the nearest ones', () => {
  expect(() => parseReference('qwen3-06b')).toThrow(
    /^There is no model "qwen3-06b" in the list\. Did you mean qwen3-0\.6b/,
  )
  expect(nearestNames('llama', ['llama-3.2-1b', 'qwen3-4b'])).toEqual(['llama-3.2-1b'])
  expect(() => parseReference('hf:one')).toThrow('"hf:one" is not a repository.')
  expect(() => parseReference('hf:a/b:../../x.gguf')).toThrow('is not a repository')
  expect(() => parseReference('https://example.com/model.bin')).toThrow('is not the URL of a GGUF')
})
