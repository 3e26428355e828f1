import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { combinedGguf } from '../support/models/combined-gguf.ts'
import { withNativeEngine } from '../support/models/native-engine.ts'
import { preTokenizerNames, vocabularyNames } from '../support/models/release-files.ts'
import { fuzzTokenizer } from '../support/models/tokenizer-campaign.ts'

const texts = Number(process.env['PIPIT_FUZZ_TEXTS'] ?? 5_000)
const timeout = 3_600_000
/**
 * Vocabularies for which the engine may refuse long runs of spaces or digits. With these vocabularies, such runs take
 * quadratic time or crash the process.
 */
const mayRefuse = ['deepseek-llm', 'jais-2', 'superbpe', 'whitespace']
const folder = temporaryFolder()
afterAll(() => folder.remove())

describe('hostile texts neither crash a tokenizer nor change when they are cut (T19)', () => {
  test.for(vocabularyNames())('vocabulary %s', { timeout }, async (vocabulary) => {
    const model = combinedGguf({ vocabulary })
    const refused = await withNativeEngine(folder.path, model, (engine) =>
      fuzzTokenizer(engine, texts, 1),
    )
    expect(refused === 0 || mayRefuse.includes(vocabulary)).toBe(true)
  })

  test.for(preTokenizerNames())('pre-tokenizer %s', { timeout }, async (name) => {
    const metadata = { 'tokenizer.ggml.pre': name }
    const model = combinedGguf({ vocabulary: 'gpt-2', metadata })
    const refused = await withNativeEngine(folder.path, model, (engine) =>
      fuzzTokenizer(engine, texts / 20, 1),
    )
    expect(refused === 0 || mayRefuse.includes(name)).toBe(true)
  })
})
