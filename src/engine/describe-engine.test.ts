import { expect, test } from 'vitest'
import { plainDialect } from './dialect/dialect.ts'
import { describeEngine } from './describe-engine.ts'

const settings = {
  kind: 'embedded',
  modelPath: '/models/a.gguf',
  modelSha256: undefined,
  slots: 4,
  contextTokens: 2048,
  kvType: 'f16',
  gpu: 'off',
  threads: 2,
  cachedTokens: undefined,
  speculativeTokens: 0,
  availableBytes: undefined,
  sandbox: false,
  arithmetic: undefined,
} as const

const memory = { kvBytes: 1e6, availableBytes: 8e9 }
const info = { slots: 4, contextTokens: 2048, vocabularyTokens: 300, fingerprint: 'fp_0' }
const engineInfo = { ...info, memory, device: 'CPU', dialect: plainDialect }

test.each([
  [1, 'avx512-vnni', 'own kernels (avx512-vnni)'],
  [1, 'avx2', 'own kernels (avx2)'],
  [
    0.9999,
    'avx-vnni',
    "own kernels (avx-vnni) for 99.9 % of the weights, llama.cpp's for the rest",
  ],
  [0, 'avx-vnni', 'kernels of llama.cpp'],
  [0, 'llama.cpp', 'kernels of llama.cpp'],
])('the start line names the kernels: a share of %f of %s', (ownWeightsShare, kernels, text) => {
  const line = describeEngine(settings, { ...engineInfo, kernels, ownWeightsShare })
  expect(line.split(' · ')[4]).toBe(text)
})

test('the start line says that our kernels compute something else', () => {
  const kernelsDifference = 'blk.0.ffn_up.weight differs by 80 %'
  const line = describeEngine(settings, { ...engineInfo, kernels: 'llama.cpp', kernelsDifference })
  expect(line).toContain(
    'kernels of llama.cpp, because ours differ (blk.0.ffn_up.weight differs by 80 %)',
  )
})
