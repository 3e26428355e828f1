import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.ts'
import {
  randomModelIn,
  startEngine,
  temporaryFolder,
} from '../../support/engine/engine-fixtures.ts'
import { bundledSize } from '../../support/gguf/random-gguf.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

type Completion = {
  choices: { index: number; message: { content: string }; finish_reason: string }[]
  usage: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    prompt_tokens_details: { cached_tokens: number }
  }
}

const folder = temporaryFolder()
let engine: EmbeddedEngine
let service: TestService
beforeAll(async () => {
  engine = await startEngine({
    modelPath: randomModelIn(folder.path, bundledSize),
    slots: 4,
  })
  service = await startTestService({ engine })
})
afterAll(async () => {
  await service.close()
  folder.remove()
})

const ask = (words: number, fields: object = {}) => ({
  model: 'svc-o1-mini',
  messages: [{ role: 'user', content: `the bird sings in spring ${'and flies '.repeat(words)}` }],
  temperature: 1,
  max_tokens: 12,
  ...fields,
})
const complete = async (body: object, own = service) => {
  const response = await own.post(body)
  expect(response.status).toBe(200)
  return (await response.json()) as Completion
}
const textsOf = ({ choices }: Completion) => choices.map(({ message }) => message.content)
const streamed = async (body: object, own = service) => {
  const stream = await own.stream({ ...body, stream_options: { include_usage: true } })
  const choices = stream.events.flatMap(
    (event) => event.choices as ((typeof event.choices)[number] & { index: number })[],
  )
  const of = (index: number) => choices.filter((choice) => choice.index === index)
  return { ...stream, choices, of }
}

describe('n choices, with the embedded engine', () => {
  test('choice i equals the reply of a request with the seed + i', async () => {
    const several = await complete(ask(30, { n: 4, seed: 70 }))
    expect(several.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    expect(new Set(textsOf(several)).size).toBe(4)
    const alone: string[] = []
    for (const seed of [70, 71, 72, 73]) alone.push(...textsOf(await complete(ask(30, { seed }))))
    expect(textsOf(several)).toEqual(alone)
  })

  test('a stream has the same choices; each begins with its role and ends with its finish reason', async () => {
    const body = ask(20, { n: 3, seed: 5 })
    const whole = await complete(body)
    const stream = await streamed(body)
    expect(stream.done).toBe(true)
    for (const [index, { message, finish_reason }] of whole.choices.entries()) {
      const chunks = stream.of(index)
      expect(chunks.map(({ delta }) => delta.content ?? '').join('')).toBe(message.content)
      expect(chunks[0]?.delta).toEqual({ role: 'assistant', content: '' })
      expect(chunks.at(-1)).toMatchObject({ delta: {}, finish_reason })
      expect(chunks.slice(0, -1).every((chunk) => chunk.finish_reason === null)).toBe(true)
    }
    expect(stream.raw.split('[DONE]').length).toBe(2)
    expect(stream.events.at(-1)?.usage).toMatchObject({
      completion_tokens: whole.usage.completion_tokens,
    })
  })

  test('the prompt is computed and counted once, and the choices are decoded in one batch', async () => {
    const before = engine.stats()
    const { usage } = await complete(ask(100, { n: 4, seed: 9, max_tokens: 60 }))
    const after = engine.stats()
    expect(usage.prompt_tokens).toBeGreaterThan(200)
    // A reused prefix may end up to one tile of 64 tokens before the end of the prompt.
    const computed = after.promptTokens - before.promptTokens
    expect(computed).toBeLessThanOrEqual(usage.prompt_tokens + 3 * 64)
    expect(after.cachedTokens - before.cachedTokens).toBeGreaterThan(3 * (usage.prompt_tokens - 64))
    expect(after.completionTokens - before.completionTokens).toBe(usage.completion_tokens)
    expect(usage.completion_tokens).toBeGreaterThan(100)
    expect(after.steps - before.steps).toBeLessThan(usage.completion_tokens / 2)
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
  })

  test('the ledger has one entry for all choices together', async () => {
    const response = await service.post(ask(10, { n: 4, max_tokens: 5, seed: 70 }))
    const { usage } = (await response.json()) as Completion
    const id = response.headers.get('x-request-id')
    const rows = service.ledgerRows().filter((row) => row['request_id'] === id)
    expect(rows).toMatchObject([
      { state: 'final', max_tokens: 20, completion_tokens: usage.completion_tokens },
    ])
    expect(usage.completion_tokens).toBeGreaterThan(5)
  })

  test('a caller that hangs up frees the slots of all choices', async () => {
    const gone = new AbortController()
    const endless = { max_tokens: 900, logit_bias: { 0: -100, 2: -100 } }
    const response = await service.post(ask(3, { n: 4, ...endless, stream: true }), {
      signal: gone.signal,
    })
    await response.body!.getReader().read()
    gone.abort()
    await expect.poll(() => engine.stats().slotsBusy).toBe(0)
    const id = response.headers.get('x-request-id')
    await expect
      .poll(() => service.ledgerRows().find((row) => row['request_id'] === id))
      .toMatchObject({ state: 'final', outcome: 'client_abort' })
    expect((await service.post(ask(3, { n: 4 }))).status).toBe(200)
  })

  test('at temperature 0 all choices are equal', async () => {
    const greedy = await complete(ask(3, { n: 2, temperature: 0 }))
    expect(new Set(textsOf(greedy)).size).toBe(1)
  })
})

describe('n choices, with the scripted engine', () => {
  test.each([1, 2, 4])(
    'with %i slots eight simultaneous requests for up to four choices are all answered',
    async (slots) => {
      const own = await startTestService({
        engine: scriptedEngine({
          slots,
        }),
      })
      try {
        const wanted = [4, 1, 4, 3, 4, 2, 1, 4]
        const answers = await Promise.all(
          wanted.map((n, i) => complete({ ...question, n, temperature: 1, seed: 10 * i }, own)),
        )
        expect(answers.map(({ choices }) => choices.length)).toEqual(wanted)
        const alone = await complete({ ...question, temperature: 1, seed: 23 }, own)
        expect(answers[2]?.choices[3]?.message.content).toBe(textsOf(alone)[0])
      } finally {
        await own.close()
      }
    },
  )

  test('the seed after the largest is 0', async () => {
    const own = await startTestService()
    try {
      const last = Number.MAX_SAFE_INTEGER
      const { choices } = await complete({ ...question, n: 2, temperature: 1, seed: last }, own)
      const first = await complete({ ...question, temperature: 1, seed: 0 }, own)
      expect(choices[1]?.message.content).toBe(textsOf(first)[0])
    } finally {
      await own.close()
    }
  })

  test('when one choice fails the request fails, and all slots are free', async () => {
    const failing = scriptedEngine({
      failure: { marker: 'FAIL', afterTokens: 3 },
    })
    const own = await startTestService({ engine: failing })
    try {
      const body = { ...question, messages: [{ role: 'user', content: 'FAIL now' }], n: 3 }
      expect((await own.post(body)).status).toBe(500)
      const stream = await streamed(body, own)
      expect([stream.done, stream.events.at(-1)?.error?.code]).toEqual([false, 'engine_failed'])
      expect(stream.events.at(-1)?.choices.map((choice) => choice.finish_reason)).toEqual(
        Array.from({ length: 3 }, () => 'error'),
      )
      expect(failing.stats().slotsBusy).toBe(0)
      expect(own.ledgerRows()).toMatchObject([
        { outcome: 'engine_crash' },
        { outcome: 'engine_crash' },
      ])
    } finally {
      await own.close()
    }
  })
})
