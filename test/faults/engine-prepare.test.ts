import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import {
  never,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
  until,
} from '../support/engine/engine-fixtures.ts'
import { hostileFormat, longText, prepareQuietly } from '../support/engine/hostile-prepares.ts'
import { bundledSize } from '../support/gguf/random-gguf.ts'
import { recordFinding } from '../support/reliability.ts'

const megabyte = 1024 * 1024
const folder = temporaryFolder()
const modelPath = randomModelIn(folder.path, bundledSize)
afterAll(() => folder.remove())

/** Time without a heartbeat after which an engine process counts as hung. */
const heartbeatTimeoutMs = 3000

let engine: EmbeddedEngine
beforeEach(async () => {
  // A busy machine may stop the engine process for seconds.
  engine = await startEngine({ modelPath }, { heartbeatTimeoutMs: 15_000 })
})
afterEach(() => engine.close())

test('hostile schemas and prompts of 1 MB stop neither a stream nor a small request (T18, T25, T47, T49)', async () => {
  const { pid } = engine
  const leaving = new AbortController()
  const request = requestFor(await say(engine, 'Hello'), { maxTokens: 100_000, temperature: 1 })
  const streaming = (async () => {
    for await (const event of engine.generate(request, leaving.signal))
      if (event.type === 'finish') return event.reason
    return undefined
  })()
  await until('it streams', () => engine.stats().completionTokens > 0)
  const hostile = [
    ...[0, 1, 2, 3].map((salt) => prepareQuietly(engine, 'Hello', hostileFormat(salt))),
    ...[4, 5, 6, 7].map((salt) => prepareQuietly(engine, `${salt} ${longText(megabyte)}`)),
  ]
  let open = hostile.length
  for (const one of hostile) void one.then(() => (open -= 1))
  await say(engine, 'a small request')
  expect(open).toBeGreaterThan(0)
  await Promise.all(hostile)
  expect({ pid: engine.pid, restarts: engine.stats().restarts }).toEqual({ pid, restarts: 0 })
  leaving.abort()
  expect(await streaming).toMatch(/aborted|stop|length/)
})

test('the next request does not wait for 40 that have hung up (T48)', async () => {
  const { pid } = engine
  const timeOf = async (content: string): Promise<number> => {
    const startedMs = performance.now()
    await say(engine, content)
    return performance.now() - startedMs
  }
  const aloneMs = await timeOf(longText(megabyte))
  const callers = Array.from({ length: 40 }, () => new AbortController())
  const left = callers.map(({ signal }, index) =>
    prepareQuietly(
      engine,
      `${index} ${longText(megabyte)}`,
      index % 2 === 0 ? hostileFormat(index) : undefined,
      signal,
    ),
  )
  // When this call returns, the engine process is working on the first requests.
  await say(engine, 'Hello')
  for (const caller of callers) caller.abort(new Error('hung up'))
  await Promise.all(left)
  const nextMs = await timeOf(`next ${longText(megabyte)}`)
  expect(nextMs).toBeLessThan(4 * aloneMs + 1000)
  expect(engine.pid).toBe(pid)
  recordFinding(
    'T48',
    `After 40 requests that hung up, a prompt of 1 MB took ${Math.round(nextMs)} ms, alone ${Math.round(aloneMs)} ms.`,
  )
})

describe('a hang of the engine process (F03, T47)', () => {
  beforeEach(async () => {
    await engine.close()
    engine = await startEngine({ modelPath }, { heartbeatTimeoutMs })
  })

  test('never counts against requests that only waited', async () => {
    const waiting = [1, 2, 3].map((index) => say(engine, `${index} ${longText(megabyte)}`))
    for (const restarts of [1, 2]) {
      await until('it is ready', () => engine.state === 'ready')
      process.kill(engine.pid ?? 0, 'SIGSTOP')
      await until('it is replaced', () => engine.stats().restarts === restarts)
    }
    for (const { tokens } of await Promise.all(waiting)) expect(tokens.length).toBeGreaterThan(1000)
  })
})

describe('a conversation that must fit (T49)', () => {
  const ask = (content: string) =>
    engine.prepare([{ role: 'user', content }], never, { mustFit: true })

  test('is refused without counting its tokens when it certainly does not', async () => {
    const { contextTokens } = engine.info
    await expect(ask(longText(megabyte))).rejects.toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringMatching(
        new RegExp(
          `length is ${contextTokens} tokens\\. Your messages have at least \\d{4,} tokens`,
        ),
      ),
      param: 'messages',
    })
  })

  test('is counted when it may fit', async () => {
    const { tokens } = await ask('Hello')
    expect(tokens).toEqual((await say(engine, 'Hello')).tokens)
  })
})

test('words of half a million characters are tokenised, and longer ones refused, without a crash (T19)', async () => {
  await engine.close()
  const metadata = { 'tokenizer.ggml.pre': 'tekken' }
  const modelPath = randomModelIn(folder.path, { seed: 5, metadata })
  engine = await startEngine({ modelPath, contextTokens: 256 })
  for (const character of ['a', ' ']) {
    const { tokens } = await say(engine, `Hello ${character.repeat(500_000)}`)
    expect(tokens.length).toBeGreaterThan(100_000)
    await expect(say(engine, `Hello ${character.repeat(600_000)}`)).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringMatching(/cannot read this conversation: it has a part of more than/),
    })
  }
  expect((await say(engine, longText(1_000_000))).tokens.length).toBeGreaterThan(1000)
  expect(engine.stats().restarts).toBe(0)
})

test('rows that take quadratic time or end the process are refused (T19)', async () => {
  await engine.close()
  for (const [name, hostile] of [
    ['deepseek-llm', `${' '.repeat(6000)}1`],
    ['superbpe', `${'1'.repeat(6000)}a`],
    ['whitespace', 'two  spaces'],
  ] as const) {
    const metadata = { 'tokenizer.ggml.pre': name }
    engine = await startEngine({ modelPath: randomModelIn(folder.path, { seed: 6, metadata }) })
    await expect(say(engine, hostile)).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringMatching(/it has too long rows of spaces or digits/),
    })
    expect((await say(engine, 'Hello')).tokens.length).toBeGreaterThan(1)
    expect(engine.stats().restarts).toBe(0)
    if (name !== 'whitespace') await engine.close()
  }
})
