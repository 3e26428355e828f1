import { describe, expect, test } from 'vitest'
import { shapeOf } from './model-header.ts'

const llama = {
  context_length: [32_768],
  block_count: [24],
  embedding_length: [896],
  'attention.head_count': [14],
  'attention.head_count_kv': [2],
}

function shape(numbers: Record<string, number[]>, kvType: 'f16' | 'q8_0' = 'f16') {
  return shapeOf({ architecture: 'llama', numbers: { ...llama, ...numbers } }, kvType)
}

describe('the width of the KV cache', () => {
  test('adds up the key and value heads of all layers', () => {
    expect(shape({})).toEqual({
      trainedContextTokens: 32_768,
      kvWidth: 24 * 2 * (64 + 64),
      stateBytes: 0,
    })
  })

  test('uses the key and value lengths of the header', () => {
    const lengths = { 'attention.key_length': [192], 'attention.value_length': [128] }
    expect(shape(lengths).kvWidth).toBe(24 * 2 * (192 + 128))
  })

  test('adds up layers with different numbers of heads', () => {
    const differing = { block_count: [3], 'attention.head_count_kv': [2, 0, 4] }
    expect(shape(differing).kvWidth).toBe((2 + 0 + 4) * 128)
  })

  test('assumes as many key heads as query heads', () => {
    const { 'attention.head_count_kv': _, ...numbers } = llama
    expect(shapeOf({ architecture: 'llama', numbers }, 'f16').kvWidth).toBe(24 * 14 * 128)
  })

  test('is 0 without attention', () => {
    expect(shape({ 'attention.head_count': [0], 'attention.head_count_kv': [0] }).kvWidth).toBe(0)
  })
})

describe('the state of recurrent layers', () => {
  // Numbers of a layer in published models.
  test.each([
    [
      'Qwen3-Next: convolution and delta rule',
      {
        'ssm.conv_kernel': [4],
        'ssm.inner_size': [4096],
        'ssm.state_size': [128],
        'ssm.group_count': [16],
      },
      3 * (4096 + 2 * 16 * 128) + 128 * 4096,
    ],
    [
      'Mamba',
      { 'ssm.conv_kernel': [4], 'ssm.inner_size': [5120], 'ssm.state_size': [16] },
      3 * 5120 + 16 * 5120,
    ],
    ['RWKV', { 'wkv.head_size': [64] }, 896 * (2 + 64)],
    ['LFM2', { 'shortconv.l_cache': [3] }, 896 * 2],
    [
      'Kimi Linear',
      { 'kda.head_dim': [128], 'ssm.conv_kernel': [4], 'attention.head_count': [32] },
      3 * 3 * 32 * 128 + 128 * 128 * 32,
    ],
  ])('%s', (_, numbers, width) => {
    expect(shape(numbers).stateBytes).toBe(24 * width * 4)
  })
})

test('heads that q8_0 cannot store are refused with the setting to change', () => {
  const heads = { embedding_length: [1120] }
  expect(() => shape(heads, 'q8_0')).toThrow(/multiple of 32 .* have 80: set PIPIT_KV_TYPE=f16/)
  expect(shape(heads, 'f16').kvWidth).toBe(24 * 2 * 160)
})

test('a header without the required numbers is refused', () => {
  expect(() => shape({ context_length: [] })).toThrow(/lacks/)
  expect(() => shape({ block_count: [0] })).toThrow(/lacks/)
})
