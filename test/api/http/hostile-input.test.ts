import { fc } from '../../support/random/test-seed.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GenerationRequest } from '../../../src/engine/engine.ts'
import { ScriptedEngine } from '../../../src/engine/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const generated: GenerationRequest[] = []
class RecordingEngine extends ScriptedEngine {
  override generate(request: GenerationRequest, signal: AbortSignal) {
    generated.push(request)
    return super.generate(request, signal)
  }
}

let service: TestService
beforeAll(async () => {
  const options = { slots: 8, contextTokens: 4096, tokensPerSecond: 0, prefillMs: 0 }
  service = await startTestService({
    engine: new RecordingEngine({ ...options, reply: () => 'Yes.' }),
  })
})
afterAll(() => service.close())

const fields = [
  'model',
  'messages',
  'max_tokens',
  'temperature',
  'stream',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'stop',
  'n',
  'stream_options',
  'max_completion_tokens',
  'user',
  'metadata',
  'tools',
  'response_format',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'presence_penalty',
  'frequency_penalty',
]
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(
    null,
    true,
    0,
    1,
    2048,
    2049,
    -1,
    1e308,
    'svc-o1-mini',
    [],
    {},
    question.messages,
  ),
)
const body = fc
  .record({
    base: fc.constantFrom<object>(question, {}),
    changes: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 4 }),
    noise: fc.dictionary(fc.string(), value, { maxKeys: 2 }),
  })
  .map(({ base, changes, noise }) => ({ ...base, ...noise, ...changes }))

// A failing run prints its seed.
test('random JSON gets a 2xx or a 4xx, and the engine gets only values within bounds (T16, T17)', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (candidate) => {
      generated.length = 0
      const response = await service.post(candidate)
      const text = await response.text()
      expect(response.status).toBeLessThan(500)
      if (response.status >= 400) expect(JSON.parse(text)).toHaveProperty('error.code')
      // JSON turns Infinity into null, so compare with the body as it was serialised.
      const sent = JSON.parse(JSON.stringify(candidate)) as { n?: number | null }
      const choices = sent.n ?? 1
      expect(generated.length).toBe(response.status === 200 ? choices : 0)
      for (const request of generated) expectWithinBounds(request)
    }),
    { numRuns: 1500 },
  )
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
}, 60_000)

function expectWithinBounds(request: GenerationRequest) {
  expect(Object.keys(request).toSorted()).toEqual([
    'cacheScope',
    'completesFormat',
    'format',
    'maxTokens',
    'prompt',
    'requestId',
    'sampling',
    'stop',
    'stopTokens',
    'thinkingTokensMax',
    'topLogprobs',
    'trace',
    'variables',
  ])
  // Only a traceparent header sets `trace`, and these requests have none.
  expect(request.trace).toBeUndefined()
  const { maxTokens, sampling, stop } = request
  const { temperature, topP, topK, minP, seed, logitBias = [] } = sampling
  const bounds: [number, number, number][] = [
    [maxTokens, 1, 2048],
    [temperature, 0, 1],
    [topP, 0, 1],
    [topK, 0, 1000],
    [minP, 0, 1],
    [seed, 0, Number.MAX_SAFE_INTEGER],
    [request.topLogprobs ?? 0, 0, 20],
    [request.thinkingTokensMax ?? -1, -1, 1_000_000],
    [sampling.presencePenalty ?? 0, -2, 2],
    [sampling.frequencyPenalty ?? 0, -2, 2],
    ...logitBias.flatMap(([token, bias]): [number, number, number][] => [
      [token, 0, 8191],
      [bias, -100, 100],
    ]),
  ]
  for (const [number, min, max] of bounds) expect(number >= min && number <= max).toBe(true)
  expect([maxTokens, topK, seed].every(Number.isSafeInteger)).toBe(true)
  expect(stop.length <= 4 && stop.every((text) => text.length >= 1 && text.length <= 256)).toBe(
    true,
  )
}
