import { expect, test } from 'vitest'
import { readChunk } from './read-chunk.ts'

const usageOf = (chunk: object) => readChunk(JSON.stringify(chunk)).usage

test('the usage of a chunk has the cached and the reasoning tokens under both of their names', () => {
  const counts = { prompt_tokens: 9, completion_tokens: 4 }
  const expected = { promptTokens: 9, completionTokens: 4, cachedTokens: 3, reasoningTokens: 2 }
  const details = {
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 2 },
  }
  expect(usageOf({ usage: { ...counts, ...details } })).toEqual(expected)
  const { prompt_tokens_details } = details
  expect(usageOf({ usage: { ...counts, prompt_tokens_details, reasoning_tokens: 2 } })).toEqual(
    expected,
  )
})

test("the running counts of llama-server's chunks exclude cached tokens, which the prompt has too", () => {
  const timings = { prompt_n: 5, cache_n: 20, predicted_n: 7 }
  expect(usageOf({ timings })).toMatchObject({
    promptTokens: 25,
    completionTokens: 7,
    cachedTokens: 20,
  })
  expect(usageOf({ timings: { prompt_n: 5, predicted_n: 7 } })).toMatchObject({
    promptTokens: 5,
    cachedTokens: undefined,
  })
})

test('cached tokens that only the timings of a chunk have count beside its usage', () => {
  const usage = { prompt_tokens: 25, completion_tokens: 7 }
  const timings = { prompt_n: 5, cache_n: 20, predicted_n: 7 }
  const expected = { promptTokens: 25, completionTokens: 7, cachedTokens: 20 }
  expect(usageOf({ usage, timings })).toMatchObject(expected)
  const counted = { ...usage, prompt_tokens_details: { cached_tokens: 0 } }
  expect(usageOf({ usage: counted, timings })).toMatchObject({ cachedTokens: 0 })
})

test('a count that is not a whole number of 0 or more is left out', () => {
  const usage = { prompt_tokens: -1, completion_tokens: 1.5 }
  expect(usageOf({ usage })).toMatchObject({
    promptTokens: undefined,
    completionTokens: undefined,
  })
})
