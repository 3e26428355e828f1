import { describe, expect, test } from 'vitest'
import type { NativeThoughts } from '../../src/engine/embedded/child/addon.ts'
import type { Sampling } from '../../src/engine/engine.ts'
import { compileSchema } from '../../src/engine/grammar/compile-schema.ts'
import { freeNames, manyNames, objectBegin } from './many-names.ts'
import { testAddon } from './test-addon.ts'

const greedy: Sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
const marks: NativeThoughts = {
  place: 'start',
  begin: '<t>',
  end: '</t>',
  repeats: false,
  answerBegins: [],
  close: Int32Array.of(),
  bridge: Int32Array.of(),
  tokensMax: -1,
}

describe('where the check of all tokens takes too long, and biases forbid every token that can follow', () => {
  /** Samples with and without a guide. All tokens are forbidden but those that the object cannot have again. */
  function sample(others: readonly string[]): number[][] {
    const tokens = [objectBegin, 'z', '":1}', ...others].map((text) => Buffer.from(text))
    const logits = new Float32Array(tokens.length)
    logits.set([10, 9, 8])
    const logitBias = others.map((_, index): [number, number] => [index + 3, -100])
    const sampling = { ...greedy, logitBias }
    const grammar = compileSchema(manyNames).toNumbers()
    const guide = { ...marks, place: 'answer' as const }
    return [
      testAddon.sampleGrammar(logits, sampling, grammar, tokens, 4),
      testAddon.sampleThoughts(logits, sampling, grammar, tokens, 4, guide),
    ].map((sampled) => [...sampled])
  }

  test('a token that really can follow is chosen', () => {
    expect(sample(freeNames)).toEqual([
      [0, 3, 2],
      [0, 3, 2],
    ])
  })

  test('the reply fails if the vocabulary has none, and never repeats a token that the grammar has read', () => {
    expect(sample(freeNames.map((name) => `${name}!`))).toEqual([
      [0, 1, -1],
      [0, 1, -1],
    ])
  })
})

describe('white space at the start of a reply', () => {
  /** Samples each token once, the first ones first, in a reply whose thought is ended after two tokens. */
  function sampleOnce(texts: readonly string[]): number[] {
    const tokens = texts.map((text) => Buffer.from(text))
    const logits = Float32Array.from(texts, (_, index) => -index)
    const sampling = { ...greedy, frequencyPenalty: 1000 }
    const thoughts = { ...marks, tokensMax: 2, close: Int32Array.of(texts.length - 1) }
    const count = texts.length
    return [...testAddon.sampleThoughts(logits, sampling, undefined, tokens, count, thoughts)]
  }

  test('is followed by a thought up to 16,384 characters, as the reader of the reply has it', () => {
    const rest = ['<t>', 'a', 'b', '</t>']
    const white = ' \n'.repeat(8192)
    const forced = [0, 1, 2, 4, 3]
    const free = [0, 1, 2, 3, 4]
    expect(sampleOnce([white, ...rest])).toEqual(forced)
    expect(sampleOnce([`${white} `, ...rest])).toEqual(free)
    expect(sampleOnce([`${white} <`, 't>', ...rest.slice(1)])).toEqual(free)
    expect(sampleOnce([white, '\t', '<t>', 'a', 'b', '</t>'])).toEqual([0, 1, 2, 3, 4, 5])
  })

  // The test has a short limit, because the fault that it looks for takes minutes.
  test('is read once', { timeout: 10_000 }, () => {
    const logits = Float32Array.of(1, 0)
    const tokens = [Buffer.from(' '), Buffer.from('a')]
    const sampled = testAddon.sampleThoughts(logits, greedy, undefined, tokens, 200_000, marks)
    expect(sampled).toHaveLength(200_000)
  })
})

test('the forced end of a thought counts for penalties, like tokens that the model chooses', () => {
  const tokens = ['a', '</', 't>', 'b'].map((text) => Buffer.from(text))
  const draw = (penalties: Partial<Sampling>) => [
    ...testAddon.sampleThoughts(
      Float32Array.of(1, 3, 2.75, 2.5),
      { ...greedy, ...penalties },
      undefined,
      tokens,
      6,
      { ...marks, place: 'thought', tokensMax: 0, close: Int32Array.of(1, 2) },
    ),
  ]
  expect(draw({})).toEqual([1, 2, 1, 1, 1, 1])
  // Logits after the forced tokens: 1, 2, 1.75, 2.5 → 1, 2, 1.75, 1.5, and then always the same.
  expect(draw({ presencePenalty: 1 })).toEqual([1, 2, 3, 1, 1, 1])
  // 1, 2, 1.75, 2.5 → 1, 2, 1.75, 1.5 → 1, 1, 1.75, 1.5 → 1, 1, .75, 1.5
  expect(draw({ frequencyPenalty: 1 })).toEqual([1, 2, 3, 1, 2, 3])
})

describe('an answer that must be complete within max_tokens', () => {
  const ids = ['<tttttt>', '</t>', '<rrrr>', '<', '/', 't', 'r', '>', '"', 'a', 'é', '\xc3', '\xa9']
  const tokens = ids.map((text) => Buffer.from(text, text === 'é' ? 'utf8' : 'latin1'))
  const grammar = compileSchema({ enum: ['a', 'aaaaaaaa'] }).toNumbers()
  /** Samples a reply of a model that prefers some tokens. Returns its text. */
  function sample(preferred: string, seed: number, tokensMax: number, guide: NativeThoughts) {
    const logits = Float32Array.from(ids, (text) => (preferred.includes(text) ? 2 : 0))
    const sampling = { ...greedy, temperature: 1, seed }
    const sampled = testAddon.sampleThoughts(
      logits,
      sampling,
      grammar,
      tokens,
      tokensMax,
      guide,
      true,
    )
    return Buffer.concat([...sampled].map((id) => tokens[id] ?? Buffer.of())).toString()
  }

  const tags = { ...marks, begin: '<tttttt>', close: Int32Array.of(1) }
  const guides: Record<string, NativeThoughts> = {
    'a thought': tags,
    'a thought that the prompt has begun': { ...tags, place: 'thought' },
    'a thought and the mark of an answer': { ...tags, answerBegins: ['<rrrr>'] },
    'several thoughts': {
      ...tags,
      answerBegins: ['<rrrr>'],
      repeats: true,
      close: Int32Array.of(1, 4),
      bridge: Int32Array.of(4),
    },
  }

  test.each(Object.entries(guides))('has room, however the model spells %s', (_, guide) => {
    for (const preferred of ['', '<t', '<tttttt>', '<r', '<rrrr>', '</t>'])
      for (let tokensMax = 12; tokensMax < 24; tokensMax++)
        for (let seed = 0; seed < 40; seed++) {
          const text = sample(preferred, seed, tokensMax, guide)
          expect(text, `at most ${tokensMax} tokens, seed ${seed}`).toMatch(/"(a|aaaaaaaa)"$/)
        }
  })

  test('is preceded by a thought where both have room', () => {
    const text = sample('<tttttt>', 1, 24, tags)
    expect(text).toMatch(/^<t{6}>[^]+<\/t>"a+"$/)
  })
})
