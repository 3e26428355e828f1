import { describe, expect, test } from 'vitest'
import { type MemoryFacts, type MemoryPlan, planMemory, type WantedPlan } from './memory-plan.ts'

const MB = 1_000_000
/** A token takes 16,384 bytes in f16, so 4 slots of 4096 tokens take 268 MB, as much as the reserve. */
const model = {
  modelBytes: 1100 * MB,
  kvWidth: 8192,
  stateBytes: 0,
  trainedContextTokens: 32_768,
}

function plan(
  availableBytes: number,
  wanted: Partial<WantedPlan> = {},
  facts: Partial<MemoryFacts> = {},
): MemoryPlan {
  return planMemory(
    {
      slots: undefined,
      contextTokens: undefined,
      cachedTokens: undefined,
      kvType: 'f16',
      ...wanted,
    },
    { ...model, ...facts, availableBytes },
  )
}

describe('unset values are chosen', () => {
  test('with enough memory: 4 slots of 4096 tokens', () => {
    expect(plan(1637 * MB)).toMatchObject({ slots: 4, contextTokens: 4096, kvBytes: 268_435_456 })
  })

  test('for a model trained for less: its own context, in cells of 256', () => {
    expect(plan(8000 * MB, {}, { trainedContextTokens: 300 })).toMatchObject({
      slots: 4,
      contextTokens: 300,
      kvBytes: 4 * 512 * 16_384,
    })
  })

  test('with less memory: a shorter context, in steps of 256', () => {
    expect(plan(1636 * MB)).toMatchObject({ slots: 4, contextTokens: 3840 })
    expect(plan(1436 * MB)).toMatchObject({ slots: 4, contextTokens: 1024 })
  })

  test('below 1024 tokens of context: fewer slots', () => {
    expect(plan(1435 * MB)).toMatchObject({ slots: 3, contextTokens: 1280 })
    expect(plan(1386 * MB)).toMatchObject({ slots: 1, contextTokens: 1024 })
  })

  test('when one slot of 1024 tokens does not fit: a refusal with the calculation', () => {
    expect(() => plan(1385 * MB)).toThrow(
      'The configuration needs 1.39 GB (model 1.10 GB + KV cache 1 slot × 1024 tokens × 16 kB = 17 MB + ' +
        '268 MB of working memory), and 1.38 GB are available: ' +
        'lower PIPIT_CONTEXT_TOKENS, or set PIPIT_KV_TYPE=q8_0.',
    )
  })

  test('when the model alone is too large: a refusal that suggests a smaller model', () => {
    expect(() => plan(900 * MB)).toThrow(
      /and 900 MB are available: free memory, or choose a smaller PIPIT_MODEL\.$/,
    )
  })

  test('a model without a KV cache gets the defaults', () => {
    expect(plan(1400 * MB, {}, { kvWidth: 0 })).toMatchObject({
      slots: 4,
      contextTokens: 4096,
      kvBytes: 0,
    })
  })
})

describe('the state of recurrent layers', () => {
  test('takes its part for each slot', () => {
    const recurrent = { kvWidth: 0, stateBytes: 50 * MB }
    expect(plan(1600 * MB, {}, recurrent)).toMatchObject({ slots: 4, contextTokens: 4096 })
    expect(plan(1560 * MB, {}, recurrent)).toMatchObject({ slots: 3, contextTokens: 4096 })
  })

  test('shortens the context of a model that also has a KV cache', () => {
    expect(plan(1700 * MB, {}, { stateBytes: 50 * MB })).toMatchObject({ contextTokens: 1792 })
  })

  test('is in the calculation of a refusal', () => {
    expect(() => plan(1400 * MB, { slots: 2 }, { kvWidth: 0, stateBytes: 50 * MB })).toThrow(
      'The configuration needs 1.47 GB (model 1.10 GB + KV cache 2 slots × 1024 tokens × 0 B = 0 B + ' +
        '100 MB of recurrent state + 268 MB of working memory), and 1.40 GB are available',
    )
  })
})

describe('set values are never changed', () => {
  test('more than the defaults, with enough memory', () => {
    expect(plan(20_000 * MB, { slots: 32, contextTokens: 32_768 })).toMatchObject({
      slots: 32,
      contextTokens: 32_768,
      kvBytes: 17_179_869_184,
    })
  })

  test('with set slots only the context is lowered', () => {
    expect(plan(1520 * MB, { slots: 8 })).toMatchObject({ slots: 8, contextTokens: 1024 })
    expect(() => plan(1435 * MB, { slots: 8 })).toThrow(/KV cache 8 slots × 1024 tokens/)
  })

  test('with a set context only the slots are lowered, also when it is small', () => {
    expect(plan(1500 * MB, { contextTokens: 4096 })).toMatchObject({
      slots: 1,
      contextTokens: 4096,
    })
    expect(plan(1400 * MB, { contextTokens: 256 })).toMatchObject({ slots: 4, contextTokens: 256 })
  })

  test('when both are set and do not fit: a refusal with the calculation and remedies', () => {
    expect(() => plan(1500 * MB, { slots: 4, contextTokens: 32_768 })).toThrow(
      'The configuration needs 3.52 GB (model 1.10 GB + KV cache 4 slots × 32768 tokens × 16 kB = 2.15 GB + ' +
        '268 MB of working memory), and 1.50 GB are available: ' +
        'lower PIPIT_SLOTS or PIPIT_CONTEXT_TOKENS, or set PIPIT_KV_TYPE=q8_0.',
    )
  })

  test('q8_0 takes about half of f16, and is then not a remedy', () => {
    const wanted = { slots: 4, contextTokens: 4096, kvType: 'q8_0' } as const
    expect(plan(1600 * MB, wanted).kvBytes).toBe(142_606_336)
    expect(() => plan(1500 * MB, wanted)).toThrow(
      /are available: lower PIPIT_SLOTS or PIPIT_CONTEXT_TOKENS\.$/,
    )
  })
})

test('checkpoints take half of the rest, and at most 512 MiB', () => {
  expect(plan(8000 * MB).checkpointBytes).toBe(512 * 1024 * 1024)
  // Half of the memory that is left when the model, the reserve, the slots and 1926 cached tokens have their part.
  expect(plan(1700 * MB).checkpointBytes).toBe(15_786_752)
  expect(plan(1700 * MB, { cachedTokens: 0 }).checkpointBytes).toBe(31_564_544)
})

describe('cached tokens', () => {
  test('take at most a quarter of the context of all slots, and half of the remaining memory', () => {
    expect(plan(8000 * MB).cachedTokens).toBe(4096)
    expect(plan(1700 * MB).cachedTokens).toBe(1926)
    expect(plan(1637 * MB).cachedTokens).toBe(3)
  })

  test('are reserved before the slots where they are set', () => {
    const wanted = { cachedTokens: 20_000 }
    expect(plan(1800 * MB, wanted)).toMatchObject({ contextTokens: 1536, cachedTokens: 20_000 })
    expect(() => plan(1500 * MB, wanted)).toThrow(
      /= 17 MB \+ 328 MB for cached tokens \+ .* lower PIPIT_CONTEXT_TOKENS or PIPIT_CACHED_TOKENS, or/,
    )
  })
})
