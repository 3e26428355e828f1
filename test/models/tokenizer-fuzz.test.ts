import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { combinedGguf } from '../support/models/combined-gguf.ts'
import { withNativeEngine } from '../support/models/native-engine.ts'
import { fuzzTokenizer } from '../support/models/tokenizer-campaign.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test.for([
  { vocabulary: 'phi-3', metadata: {} },
  { vocabulary: 'deepseek-coder', metadata: {} },
  { vocabulary: 'gpt-2', metadata: { 'tokenizer.ggml.pre': 'gpt-4o' } },
])(
  'hostile texts neither crash the tokenizer of $vocabulary $metadata nor change when they are cut (T19)',
  async ({ vocabulary, metadata }) => {
    const model = combinedGguf({ vocabulary, metadata })
    const refused = await withNativeEngine(folder.path, model, (engine) =>
      fuzzTokenizer(engine, 500, 1),
    )
    expect(refused).toBe(0)
  },
)
