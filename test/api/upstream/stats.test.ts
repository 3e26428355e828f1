import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  chunk,
  finish,
  json,
  open,
  type Script,
  type ScriptedUpstream,
  send,
  startUpstream,
  truth,
} from '../../support/upstream/scripted-upstream.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { question } from '../../support/service.ts'

let upstream: ScriptedUpstream
let service: Awaited<ReturnType<typeof startFrontedService>>
beforeAll(async () => {
  upstream = await startUpstream()
  service = await startFrontedService({ urls: [upstream.url] })
  await service.isReady()
})
afterAll(async () => {
  await service.close()
  await upstream.close()
})

/** Returns what the statistics of the engine have gained while this ran. */
async function gained(run: () => Promise<void>) {
  const before = service.engine.stats()
  await run()
  const after = service.engine.stats()
  return {
    promptTokens: after.promptTokens - before.promptTokens,
    cachedTokens: after.cachedTokens - before.cachedTokens,
    completionTokens: after.completionTokens - before.completionTokens,
  }
}

/** Our upper bound of the question's tokens: its bytes, and room for the chat template. */
const bound = 'What is a pipit?'.length + 16 + 64
const reply =
  (usage?: object): Script =>
  (response) => {
    open(response)
    send(response, chunk({ content: 'Hello' }, 'stop'))
    if (usage !== undefined) send(response, { choices: [], usage })
    finish(response)
  }

test.for([
  [
    'the prompt that the upstream counted, without what it found in its cache',
    { ...truth, prompt_tokens_details: { cached_tokens: 7 } },
    { promptTokens: 4, cachedTokens: 7, completionTokens: 4 },
  ],
  [
    'our bound, if the upstream counts nothing',
    undefined,
    { promptTokens: bound, cachedTokens: 0, completionTokens: 1 },
  ],
] as const)('the computed prompt tokens are %s', async ([, usage, expected]) => {
  upstream.script = reply(usage)
  const run = async () => expect((await service.post(question)).status).toBe(200)
  expect(await gained(run)).toEqual(expected)
})

test('a request whose reply never began has no prompt tokens', async () => {
  const none = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 }
  upstream.script = (response) => json(response, {}, 503)
  const refused = async () => expect((await service.post(question)).status).toBe(503)
  expect(await gained(refused)).toEqual(none)
  upstream.script = () => {}
  upstream.asked.length = 0
  const aborted = async () => {
    const leaving = new AbortController()
    service.post(question, { signal: leaving.signal }).catch(() => {})
    await expect.poll(() => upstream.asked.length).toBe(1)
    leaving.abort()
    await expect.poll(() => service.engine.stats().slotsBusy).toBe(0)
  }
  expect(await gained(aborted)).toEqual(none)
})

test('completion tokens count as they arrive, also those of a reply that breaks', async () => {
  const broken = Promise.withResolvers<void>()
  upstream.script = async (response) => {
    open(response)
    for (const content of ['one', ' two', ' three']) send(response, chunk({ content }))
    await broken.promise
    response.destroy()
  }
  const run = async () => {
    const { completionTokens } = service.engine.stats()
    const reply = await service.post({ ...question, stream: true })
    await expect.poll(() => service.engine.stats().completionTokens - completionTokens).toBe(3)
    broken.resolve()
    await reply.text().catch(() => '')
  }
  expect(await gained(run)).toMatchObject({ completionTokens: 3 })
})
