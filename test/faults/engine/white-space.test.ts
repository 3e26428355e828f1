import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.ts'
import type { GenerationRequest } from '../../../src/engine/engine.ts'
import {
  collect,
  never,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
} from '../../support/engine/engine-fixtures.ts'
import {
  byteLevelTokenizer,
  byteTokens,
  chatMlTemplate,
  controlTokens,
} from '../../support/gguf/llama-model.ts'

const spacesPerToken = 4000
/** The last token of the vocabulary: `Ġ` stands for a space. */
const tokens = [...controlTokens, ...byteTokens(), 'Ġ'.repeat(spacesPerToken)]
const spaces = tokens.length - 1

const folder = temporaryFolder()
let engine: EmbeddedEngine

beforeAll(async () => {
  const modelPath = randomModelIn(folder.path, {
    contextTokens: 2048,
    vocabularySize: tokens.length,
    tokenizer: byteLevelTokenizer({ tokens, merges: [] }),
    chatTemplate: `${chatMlTemplate}{% if false %}<think></think>{% endif %}`,
  })
  engine = await startEngine({ modelPath })
})
afterAll(async () => {
  await engine.close()
  folder.remove()
})

test('a reply of white space alone, or with log-probabilities of it, leaves other replies alone', async () => {
  expect(engine.info.dialect.reasoning?.begin).toBe('<think>')
  const { pid } = engine
  const prompt = await say(engine, 'Hello')
  const blank = (options: Partial<GenerationRequest>) => {
    const request = requestFor(prompt, { maxTokens: 300, ...options })
    const sampling = { ...request.sampling, logitBias: [[spaces, 100] as [number, number]] }
    return collect(engine.generate({ ...request, sampling }, never))
  }
  const [alone, detailed, other] = await Promise.all([
    blank({}),
    blank({ topLogprobs: 20, maxTokens: 30 }),
    collect(engine.generate(requestFor(prompt, { maxTokens: 600, seed: 3 }), never)),
  ])
  expect(alone.finish).toMatchObject({ reason: 'length', completionTokens: 300 })
  expect(alone.text === ' '.repeat(300 * spacesPerToken)).toBe(true)
  expect(detailed.finish.reason).toBe('length')
  expect(detailed.logprobs).toHaveLength(30)
  expect(other.tokens).toBe(other.finish.completionTokens)
  expect([engine.pid, engine.stats().restarts]).toEqual([pid, 0])
})
