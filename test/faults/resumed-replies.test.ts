import { renameSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import {
  randomModelIn,
  startEngine,
  temporaryFolder,
  until,
} from '../support/engine/engine-fixtures.ts'
import { bundledSize } from '../support/gguf/random-gguf.ts'
import { contentOfReply, contentOfStream, type Reply } from '../support/http/reply-content.ts'
import { readStream, startTestService, type TestService } from '../support/service.ts'

const folder = temporaryFolder()
// With a large vocabulary the end token is rarely sampled, so that the engine dies in the middle of its replies.
const modelPath = randomModelIn(folder.path, { ...bundledSize, contextTokens: 2048 })

let embedded: EmbeddedEngine
let service: TestService
/** Token counts, over all choices of a request, at which the engine process is killed. */
let kills: number[]
let signal: NodeJS.Signals
/** Process ids of the engines that were killed. */
const killed = new Set<number>()

beforeAll(async () => {
  embedded = await startEngine({ modelPath }, { restartBackoffMaxMs: 300 })
  service = await startTestService({ engine: killing(embedded) })
})
afterAll(async () => {
  await service.close()
  folder.remove()
})
beforeEach(async () => {
  kills = []
  signal = 'SIGKILL'
  // The engine may still be restarting after the previous test.
  await until('the engine is ready', () => embedded.state === 'ready')
})

/** Wraps an engine and kills its process in the middle of replies. Everything else goes to the engine unchanged. */
function killing(engine: EmbeddedEngine): Engine {
  let tokens = 0
  return {
    get state() {
      return engine.state
    },
    get info() {
      return engine.info
    },
    get pid() {
      return engine.pid
    },
    stats: () => engine.stats(),
    prepare: (...parameters) => engine.prepare(...parameters),
    async *generate(request, abort) {
      tokens = 0
      for await (const event of engine.generate(request, abort)) {
        yield event
        if (event.type === 'delta') tokens += event.tokens
        const { pid } = engine
        if (pid === undefined || killed.has(pid) || tokens < (kills[0] ?? Infinity)) continue
        kills.shift()
        killed.add(pid)
        process.kill(pid, signal)
      }
    },
    close: () => engine.close(),
  }
}

const story = {
  model: 'svc-o1-mini',
  messages: [{ role: 'user', content: 'Tell me a long story about a bird and a river.' }],
  max_tokens: 600,
  temperature: 1,
  seed: 5,
}
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 20, maxLength: 60 },
    legs: { type: 'integer' },
    songs: { type: 'array', items: { type: 'string' }, minItems: 6, maxItems: 9 },
  },
  required: ['name', 'legs', 'songs'],
  additionalProperties: false,
}
const tool = {
  type: 'function',
  function: {
    name: 'describe_bird',
    description: 'Describes a bird.',
    parameters: schema,
    strict: true,
  },
}

const requests: [string, object][] = [
  ['text', {}],
  [
    'a JSON schema',
    {
      response_format: { type: 'json_schema', json_schema: { name: 'bird', schema, strict: true } },
    },
  ],
  ['a call of a tool', { tools: [tool], tool_choice: 'required' }],
  ['three choices', { n: 3, max_tokens: 300 }],
  ['log-probabilities', { logprobs: true, top_logprobs: 4, max_tokens: 400 }],
  ['stop sequences', {}],
  ['penalties', { presence_penalty: 1, frequency_penalty: 0.7 }],
]

/** Returns a request's body. For `stop sequences`, one of its sequences ends the reply after some hundred tokens. */
async function bodyOf(name: string, more: object): Promise<object> {
  const body = { ...story, ...more }
  if (name !== 'stop sequences') return body
  const reply = (await (await service.post(body)).json()) as Reply
  const text = String(reply.choices[0]?.message['content'])
  return { ...body, stop: ['never written', text.slice(text.length / 2, text.length / 2 + 9)] }
}

test.each(requests)(
  'a stream with %s continues after a crash of the engine',
  async (name, more) => {
    const streamed = { stream: true, stream_options: { include_usage: true } }
    const body = { ...(await bodyOf(name, more)), ...streamed }
    const expected = await readStream(await service.post(body))
    kills = [4]
    const resumed = await readStream(await service.post(body))
    expect(kills).toEqual([])
    expect(resumed.done).toBe(true)
    expect(contentOfStream(resumed.events)).toEqual(contentOfStream(expected.events))
    expectSameEntries()
  },
)

test.each(requests)('a whole reply with %s survives a crash of the engine', async (name, more) => {
  const body = await bodyOf(name, more)
  const expected = (await (await service.post(body)).json()) as Reply
  kills = [40]
  const response = await service.post(body)
  expect([response.status, kills]).toEqual([200, []])
  const resumed = (await response.json()) as Reply
  expect(contentOfReply(resumed)).toEqual(contentOfReply(expected))
  if (name === 'stop sequences') expect(resumed.choices[0]?.finish_reason).toBe('stop')
  expect(resumed.usage.completion_tokens).toBe(expected.usage.completion_tokens)
  expectSameEntries()
})

test('a reply that is running at two crashes ends with `engine_failed`', async () => {
  kills = [4, 40]
  const stream = await readStream(await service.post({ ...story, stream: true }))
  expect([kills, stream.done]).toEqual([[], false])
  expect(stream.events.at(-1)?.error?.code).toBe('engine_failed')
  kills = [4, 40]
  const response = await service.post(story)
  expect([kills, response.status]).toEqual([[], 500])
  await response.text()
  const outcomes = service.ledgerRows().map(({ state, outcome }) => ({ state, outcome }))
  const crash = { state: 'final', outcome: 'engine_crash' }
  expect(outcomes.slice(-2)).toEqual([crash, crash])
})

test('a request that crashes the engine twice is refused afterwards (T19)', async () => {
  signal = 'SIGSEGV'
  kills = [4, 40]
  const poison = { ...story, messages: [{ role: 'user', content: 'A story that crashes you.' }] }
  const failed = { error: { code: 'engine_failed', message: expect.stringMatching(/twice/) } }
  expect(await (await service.post(poison)).json()).toMatchObject(failed)
  await until('the engine is back', () => embedded.state === 'ready')
  const { pid } = embedded
  expect(await (await service.post(poison)).json()).toMatchObject(failed)
  expect((await service.post(story)).status).toBe(200)
  expect(embedded.pid).toBe(pid)
})

test('a client that hangs up while the engine restarts cancels its reply', async () => {
  let entry = await hangUpWhileRestarting()
  // If this process was late, the engine had sent the whole reply before it was killed.
  while (entry['outcome'] === 'length') {
    renameSync(`${modelPath}.away`, modelPath)
    await until('the engine is ready', () => embedded.state === 'ready')
    entry = await hangUpWhileRestarting()
  }
  expect(entry['outcome']).toBe('client_abort')
  expect(entry['completion_tokens']).toBeGreaterThanOrEqual(4)
  expect(embedded.stats().slotsBusy).toBe(0)
})

/** Kills the engine during a reply, hangs up before its next process is ready, and returns the reply's ledger entry. */
async function hangUpWhileRestarting(): Promise<Record<string, unknown>> {
  const entries = service.ledgerRows().length
  kills = [4]
  const control = new AbortController()
  // Without its model no next process becomes ready, so the engine restarts until the model is back.
  renameSync(modelPath, `${modelPath}.away`)
  const response = await service.post({ ...story, stream: true }, { signal: control.signal })
  await until('the engine is gone', () => embedded.state === 'restarting')
  control.abort()
  await response.text().catch(() => '')
  const entry = () => service.ledgerRows()[entries]
  await until('it is settled', () => entry()?.['state'] === 'final')
  return entry() ?? {}
}

/** Expects the last two requests, one of them uninterrupted, to have equal ledger entries. */
function expectSameEntries(): void {
  const rows = service.ledgerRows()
  const last = rows.slice(-2).map((row) => {
    const { state, outcome, prompt_tokens: prompt, completion_tokens: completion } = row
    return { state, outcome, prompt, completion }
  })
  expect(last[1]).toEqual(last[0])
  expect(last[1]?.state).toBe('final')
  expect(new Set(rows.map((row) => row['request_id'])).size).toBe(rows.length)
}
