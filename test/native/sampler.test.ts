import { describe, expect, test } from 'vitest'
import type { Sampling } from '../../src/engine/engine.ts'
import { compileSchema } from '../../src/engine/grammar/compile-schema.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'
import { testAddon } from './test-addon.ts'

const everything: Sampling = { temperature: 1, topP: 1, topK: 0, minP: 0, seed: 1 }

function sample(logits: number[], sampling: Partial<Sampling>, count = 20_000): number[] {
  const counts = logits.map(() => 0)
  const tokens = testAddon.sampleTokens(
    Float32Array.from(logits),
    { ...everything, ...sampling },
    count,
  )
  for (const token of tokens) counts[token] = (counts[token] ?? 0) + 1
  return counts
}

/** Returns Pearson's chi-square statistic. Fails if a token with probability 0 was drawn. */
function chiSquare(counts: number[], probabilities: number[]): number {
  const draws = counts.reduce((sum, count) => sum + count, 0)
  let statistic = 0
  for (const [token, probability] of probabilities.entries()) {
    const count = counts[token] ?? 0
    if (probability === 0) expect(count).toBe(0)
    else statistic += (count - draws * probability) ** 2 / (draws * probability)
  }
  return statistic
}

// At temperature 1, the logits ln 4, ln 3, ln 2 and ln 1 give the probabilities .4, .3, .2 and .1.
const logits = [Math.log(2), Math.log(4), 0, Math.log(3)]
// 99.9 % quantiles of the chi-square distribution, by degrees of freedom.
const limits = { 3: 16.3, 2: 13.8, 1: 10.8 }

test('sampling follows the softmax of the logits', () => {
  expect(chiSquare(sample(logits, {}), [0.2, 0.4, 0.1, 0.3])).toBeLessThan(limits[3])
})

test('a temperature of a half squares the probabilities', () => {
  const squared = [4 / 30, 16 / 30, 1 / 30, 9 / 30]
  expect(chiSquare(sample(logits, { temperature: 0.5 }), squared)).toBeLessThan(limits[3])
})

test('top-k keeps the k most likely tokens', () => {
  expect(chiSquare(sample(logits, { topK: 2 }), [0, 4 / 7, 0, 3 / 7])).toBeLessThan(limits[1])
})

test('top-k keeps what sorting the whole vocabulary keeps', () => {
  const random = randomNumbers(5)
  for (const size of [17, 31, 100, 1000])
    for (const topK of [1, 5, 16]) {
      const values = Float32Array.from({ length: size }, random)
      const sorted = [...values.keys()].toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0))
      // At this temperature all kept tokens are equally likely. The chance that one is never drawn is below 1e-8.
      const sampling = { ...everything, topK, temperature: 1e6, seed: size }
      const drawn = testAddon.sampleTokens(values, sampling, topK * 40)
      expect(new Set(drawn), `${size} ${topK}`).toEqual(new Set(sorted.slice(0, topK)))
    }
})

test('top-p keeps the fewest tokens that reach p at any temperature', () => {
  expect(
    chiSquare(
      sample(logits, { topP: 0.65 }),
      [0, 4 / 7, 0, 3 / 7].map((p, i) => (i === 0 ? 0 : p)),
    ),
  ).toBeLessThan(limits[1])
  expect(sample(logits, { topP: 0.75, temperature: 0.1 })[2]).toBe(0)
  expect(chiSquare(sample(logits, { topP: 0.75 }), [2 / 9, 4 / 9, 0, 3 / 9])).toBeLessThan(
    limits[2],
  )
})

test('top-p keeps what sorting the whole vocabulary keeps', () => {
  const random = randomNumbers(7)
  const shapes = {
    steep: () => Math.log(random() + 1e-9) * 4,
    level: () => random(),
    tied: () => Math.floor(random() * 4),
    banned: () => (random() < 0.5 ? -Infinity : random() * 9),
  }
  for (const [name, logit] of Object.entries(shapes))
    for (const size of [1, 15, 200, 1000])
      for (const topP of [0.01, 0.3, 0.6]) {
        const values = Float32Array.from({ length: size }, logit)
        values[0] = 3
        const kept = sortedTopP(values, topP)
        // At this temperature all kept tokens are equally likely. The chance that one is never drawn is below 1e-8.
        const sampling = { ...everything, topP, temperature: 1e6, seed: size }
        const drawn = new Set(testAddon.sampleTokens(values, sampling, kept.size * 40))
        expect(drawn, `${name} ${size} ${topP}`).toEqual(kept)
      }
})

/** Returns the smallest set of tokens that reaches `topP`; among equal logits the lower ids come first. */
function sortedTopP(logits: Float32Array, topP: number): Set<number> {
  const weights = [...logits].map((logit) => Math.exp(logit))
  const order = [...weights.keys()].toSorted((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b)
  let left = weights.reduce((sum, weight) => sum + weight, 0) * topP
  const kept = new Set<number>()
  for (const id of order) {
    kept.add(id)
    left -= weights[id] ?? 0
    if (left <= 0) break
  }
  return kept
}

test('top-p applies to the tokens that top-k kept', () => {
  // Top-k keeps the tokens with .4 and .3, so the likelier token alone has 4/7 of the probability.
  expect(chiSquare(sample(logits, { topK: 2, topP: 0.55 }), [0, 1, 0, 0])).toBe(0)
})

test('min-p keeps tokens above a share of the most likely one', () => {
  expect(chiSquare(sample(logits, { minP: 0.6 }), [0, 4 / 7, 0, 3 / 7])).toBeLessThan(limits[1])
  expect(chiSquare(sample(logits, { minP: 0.6, topK: 3 }), [0, 4 / 7, 0, 3 / 7])).toBeLessThan(
    limits[1],
  )
})

test('a bias is added to a logit, and -100 forbids a token', () => {
  const bias = Math.log(2)
  expect(
    chiSquare(sample(logits, { logitBias: [[2, bias]] }), [2 / 11, 4 / 11, 2 / 11, 3 / 11]),
  ).toBeLessThan(limits[3])
  for (const sampling of [{}, { topK: 3 }, { topP: 0.9 }, { minP: 0.1 }, { temperature: 0 }]) {
    const counts = sample([9, 80, 9.5, 8], { ...sampling, logitBias: [[1, -100]] }, 2000)
    expect(counts[1]).toBe(0)
    expect(counts[2]).toBeGreaterThan(0)
  }
  expect(sample(logits, { temperature: 0, logitBias: [[2, 100]] }, 10)).toEqual([0, 0, 10, 0])
})

test('a presence penalty counts once, a frequency penalty each time', () => {
  const draw = (penalties: Partial<Sampling>) => [
    ...testAddon.sampleTokens(
      Float32Array.of(3, 2.25, 1, -9),
      { ...everything, temperature: 0, ...penalties },
      7,
    ),
  ]
  expect(draw({})).toEqual([0, 0, 0, 0, 0, 0, 0])
  // Logits: 3, 2.25, 1 → 2, 2.25, 1 → 2, 1.25, 1, and then always the same.
  expect(draw({ presencePenalty: 1 })).toEqual([0, 1, 0, 0, 0, 0, 0])
  // 3, 2.25, 1 → 2, 2.25 → 2, 1.25 → 1, 1.25 → 1, .25, 1 → 0, .25, 1 → 0, .25, 0
  expect(draw({ frequencyPenalty: 1 })).toEqual([0, 1, 0, 1, 0, 2, 1])
  expect(draw({ frequencyPenalty: -1, logitBias: [[0, -0.5]] })).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('temperature 0 chooses the most likely token, and of equals the lowest id', () => {
  for (const temperature of [0, 1e-45, 1e-39, 1e-37])
    expect(sample([1, 3, 2.9, 2], { temperature }, 10)).toEqual([0, 10, 0, 0])
  expect(sample([1, 3, 3, 2], { temperature: 0 }, 10)).toEqual([0, 10, 0, 0])
})

test('a seed repeats its tokens, and another seed gives others', () => {
  const wide = Float32Array.from({ length: 8192 }, (_, id) => Math.sin(id * 12.9) * 3)
  for (const sampling of [{}, { topK: 40 }, { topP: 0.9 }, { minP: 0.05 }]) {
    const draw = (seed: number): Int32Array =>
      testAddon.sampleTokens(wide, { ...everything, ...sampling, seed }, 50)
    expect(draw(2 ** 53 - 1)).toEqual(draw(2 ** 53 - 1))
    expect(draw(1)).not.toEqual(draw(2))
  }
})

test('a seed gives the same tokens on every machine', () => {
  const wide = Float32Array.from({ length: 1000 }, (_, id) => (id % 17) / 4)
  expect([...testAddon.sampleTokens(wide, { ...everything, seed: 42 }, 6)]).toMatchInlineSnapshot(`
    [
      814,
      321,
      983,
      696,
      795,
      591,
    ]
  `)
})

test('tokens of a large vocabulary are drawn evenly with every filter', () => {
  const even = Array.from({ length: 2000 }, () => 0.5)
  for (const { kept = 2000, ...sampling } of [
    {},
    { topP: 0.999999 },
    { topP: 0.5, kept: 1000 },
    { topP: 0.01, kept: 20 },
    { minP: 0.5 },
  ]) {
    const counts = sample(even, sampling, 25_000)
    // With n degrees of freedom, the statistic has mean n and variance 2n.
    expect(
      chiSquare(
        counts,
        even.map((_, id) => (id < kept ? 1 / kept : 0)),
      ),
    ).toBeLessThan(kept + 4 * Math.sqrt(2 * kept))
  }
})

describe('the bytes of a text', () => {
  // Pieces of 'ä', '€' and '🐦': some end a character, others begin or continue one. The four before the empty one
  // are invalid.
  const pieces = [
    [0x61],
    [0xc3],
    [0xa4],
    [0xe2, 0x82],
    [0x82],
    [0xac],
    [0xf0, 0x9f],
    [0x90, 0xa6],
    [0xa6, 0x61],
    [0x80],
    [0xff],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [],
  ].map((bytes) => Uint8Array.from(bytes))

  test('are well-formed UTF-8 whatever tokens are most likely', () => {
    for (const sampling of [{}, { topK: 3 }, { topP: 0.5 }, { minP: 0.5 }, { temperature: 0.2 }])
      for (const seed of [1, 2, 3]) {
        const logits = Float32Array.from(pieces, (_, id) => Math.sin(id * seed) * 3)
        const settings = { ...everything, ...sampling, seed }
        const tokens = testAddon.sampleTokens(logits, settings, 400, pieces)
        const bytes = Buffer.concat([...tokens].map((token) => pieces[token] ?? Buffer.of()))
        const decoder = new TextDecoder('utf-8', { fatal: true })
        expect(() => decoder.decode(bytes, { stream: true })).not.toThrow()
      }
  })

  test('end only after a complete character', () => {
    // The first token begins a character, and a token without text is the next most likely.
    const logits = Float32Array.of(9, 1, 5)
    const tokens = [Uint8Array.of(0xc3), Uint8Array.of(0xa4), Uint8Array.of()]
    const settings = { ...everything, temperature: 0 }
    expect([...testAddon.sampleTokens(logits, settings, 4, tokens)]).toEqual([0, 1, 0, 1])
  })

  test('are drawn freely where no token can complete the character', () => {
    const tokens = [Uint8Array.of(0xc3), Uint8Array.of(0x61)]
    const settings = { ...everything, temperature: 0 }
    expect([...testAddon.sampleTokens(Float32Array.of(9, 1), settings, 3, tokens)]).toEqual([
      0, 0, 0,
    ])
  })
})

test('logits without a finite number give no token', () => {
  for (const sampling of [{}, { temperature: 0 }, { topK: 2 }, { topP: 0.5 }]) {
    const bad = Float32Array.of(NaN, NaN, NaN, NaN)
    expect([...testAddon.sampleTokens(bad, { ...everything, ...sampling }, 1)]).toEqual([-1])
  }
})

describe('with a grammar', () => {
  const digits = Array.from('0123456789', (digit) => Buffer.from(digit))
  const grammar = compileSchema({ enum: [1, 2, 35] }).toNumbers()
  /** Counts the first tokens of 3000 texts. The first ten logits are for the digits, any others for other texts. */
  const firstTokens = (logits: number[], sampling: Partial<Sampling> = {}): number[] => {
    const others = logits.slice(10).map((_, index) => Buffer.from(`x${index}`))
    const counts = logits.map(() => 0)
    for (let seed = 0; seed < 3000; seed++) {
      const [first = -1] = testAddon.sampleGrammar(
        Float32Array.from(logits),
        { ...everything, ...sampling, seed },
        grammar,
        [...digits, ...others],
        5,
      )
      counts[first] = (counts[first] ?? 0) + 1
    }
    return counts
  }
  // The grammar admits 1, 2 and 3, with probabilities 4 : 3 : 2.
  const even = [5, Math.log(4), Math.log(3), Math.log(2), 5, 1, 1, 1, 1, 1]
  const admitted = [0, 4 / 9, 3 / 9, 2 / 9, 0, 0, 0, 0, 0, 0]

  test('admitted tokens keep their proportions when others are more likely', () => {
    expect(chiSquare(firstTokens(even), admitted)).toBeLessThan(limits[2])
    // Nearly all draws are refused here, so the sampler walks the whole vocabulary.
    const likely = Array.from({ length: 60 }, () => 20)
    const all = [...admitted, ...likely.map(() => 0)]
    expect(chiSquare(firstTokens([...even, ...likely]), all)).toBeLessThan(limits[2])
  })

  test('top-k and temperature 0 choose among admitted tokens', () => {
    const two = [0, 4 / 7, 3 / 7, 0, 0, 0, 0, 0, 0, 0]
    expect(chiSquare(firstTokens(even, { topK: 2 }), two)).toBeLessThan(limits[1])
    expect(firstTokens(even, { temperature: 0 })[1]).toBe(3000)
  })

  test('a bias applies, unless biases forbid every admitted token', () => {
    const forbid = (...tokens: number[]) => tokens.map((token): [number, number] => [token, -100])
    expect(firstTokens(even, { logitBias: forbid(1, 2) })[3]).toBe(3000)
    expect(chiSquare(firstTokens(even, { logitBias: forbid(1, 2, 3) }), admitted)).toBeLessThan(
      limits[2],
    )
  })

  test('a complete text ends, and one that can continue needs an end token', () => {
    const run = (schema: unknown, logits: number[]) => [
      ...testAddon.sampleGrammar(
        Float32Array.from(logits),
        { ...everything, temperature: 0 },
        compileSchema(schema).toNumbers(),
        [...digits, Buffer.from('')],
        5,
      ),
    ]
    const likeliest = (token: number) =>
      Array.from({ length: 11 }, (_, id) => (id === token ? 1 : 0))
    expect(run({ const: 35 }, likeliest(3))).toEqual([3, 5])
    expect(run({ type: 'integer' }, likeliest(7))).toEqual([7, 7, 7, 7, 7])
    expect(run({ enum: [3, 35] }, likeliest(10))).toEqual([3, 10])
  })

  test('numbers that are not a grammar are refused', () => {
    for (const numbers of [[], [0], [0, 1, 1], [0, 1, 1, 0, 0, 0, 7], [5, 1, 0], [0, 9, 1, 1]]) {
      const sample = () =>
        testAddon.sampleGrammar(
          new Float32Array(10),
          everything,
          Int32Array.from(numbers),
          digits,
          5,
        )
      expect(sample).toThrow('not a grammar')
    }
  })
})
