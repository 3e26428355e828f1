import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.ts'
import type { Logger } from '../../../src/telemetry/logger.ts'
import { addAccountWithKey } from '../../support/accounts.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { startLyingEngine } from './start-lying-engine.ts'

const backoffMaxMs = 600

let engine: EmbeddedEngine
let service: TestService
let otherKey: string
let startsMs: () => number[]
/** Times of the crashes, in ms of the Unix epoch. */
let crashesMs: number[]
/** The clock of the quarantine and the breaker. */
let nowMs: number

beforeEach(async () => {
  crashesMs = []
  nowMs = 0
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: () => crashesMs.push(Date.now()),
  }
  const options = { restartBackoffMaxMs: backoffMaxMs, logger, now: () => nowMs }
  const lying = await startLyingEngine(options)
  onTestFinished(lying.close)
  ;({ engine, startsMs } = lying)
  service = await startTestService({ engine })
  otherKey = (await addAccountWithKey(service, 'other')).key
  const knows = async () => (await service.request('/v1/models', { key: otherKey })).ok
  while (!(await knows())) await setTimeout(20)
})
afterEach(() => service.close())

const say = (content: string) => ({ ...question, messages: [{ role: 'user', content }] })
/** A request that crashes the engine process as soon as it is generated. */
const poison = (name: string) => say(`a crash: ${name}`)

async function ask(body: object, key?: string): Promise<unknown[]> {
  const response = await service.post(body, key === undefined ? {} : { key })
  const reply = (await response.json()) as {
    error?: { code: string; message: string }
    choices?: { message: { content: string } }[]
  }
  return reply.error === undefined
    ? [response.status, reply.choices?.[0]?.message.content]
    : [response.status, reply.error.code, reply.error.message]
}

const good = [200, 'good reply']
const refused = [500, 'engine_failed', expect.stringMatching(/stopped twice .* so it is refused/)]

test('a request that crashes the engine runs twice, is then refused without a run, and other keys are answered (F03, T19)', async () => {
  expect(await ask(poison('one'))).toEqual(refused)
  expect(crashesMs).toHaveLength(2)
  expect(await ask(say('hello'), otherKey)).toEqual(good)
  const { pid } = engine
  expect(await ask(poison('one'))).toEqual(refused)
  expect(await ask(poison('one'), otherKey)).toEqual(refused)
  const stream = await service.stream(poison('one'))
  expect([stream.status, stream.done]).toEqual([500, false])
  expect(await ask(say('hello'), otherKey)).toEqual(good)
  expect([engine.pid, crashesMs.length, engine.stats().slotsBusy]).toEqual([pid, 2, 0])
  const rows = service.ledgerRows()
  // The prompt was computed only in the first request.
  expect(rows.map((row) => row['prompt_tokens'])).toEqual([3, 3, 0, 0, 0, 3])
  const outcomes = rows.map(({ state, outcome }) => [state, outcome])
  const crash = ['final', 'engine_crash']
  const whole = ['final', 'completed']
  expect(outcomes).toEqual([crash, whole, crash, crash, crash, whole])
  recordFinding(
    'F03',
    'One request crashed the engine process twice and got engine_failed; sent three more times, by two keys, it was refused and the process did not change. The requests of another key were answered.',
  )
})

test('a client that hangs up between two crashes leaves its request suspect (T19)', async () => {
  const request = say('alternate crashes')
  const leaving = new AbortController()
  const first = service.post(request, { signal: leaving.signal }).catch(() => 'left')
  await expect.poll(() => [crashesMs.length, engine.stats().slotsBusy]).toEqual([1, 1])
  await expect.poll(() => engine.state).toBe('ready')
  leaving.abort()
  await first
  await expect.poll(() => engine.stats().slotsBusy).toBe(0)
  expect(await ask(request, otherKey)).toEqual(refused)
  expect(crashesMs).toHaveLength(2)
})

test('a prompt that the engine never began costs nothing, however its request fails', async () => {
  expect(await ask(say('an early crash'))).toEqual(refused)
  expect(await ask(say('a failed start'))).toEqual([
    500,
    'engine_failed',
    'The engine could not continue this request. Try again.',
  ])
  const waiting = ask(say('no start'))
  await expect.poll(() => engine.stats().slotsBusy).toBe(1)
  await engine.close()
  expect(await waiting).toEqual([503, 'shutting_down', expect.any(String)])
  const rows = service.ledgerRows()
  expect(rows.map((row) => row['prompt_tokens'])).toEqual([0, 0, 0])
  const outcomes = rows.map(({ state, outcome }) => [state, outcome])
  const crash = ['final', 'engine_crash']
  expect(outcomes).toEqual([crash, crash, ['final', 'shutdown']])
})

test('a prompt that the engine began for one choice is charged, also when another choice fails first', async () => {
  expect(await ask({ ...say('a late crash'), n: 2 })).toEqual(refused)
  expect(service.ledgerRows()).toMatchObject([{ outcome: 'engine_crash', prompt_tokens: 3 }])
})

test('restarts after crashes in a row wait, and after five in five minutes new requests get 503 for 30 seconds (F03)', async () => {
  for (const name of ['one', 'two']) expect(await ask(poison(name))).toEqual(refused)
  expect(await ask(poison('three'))).toEqual(refused)
  expect(crashesMs).toHaveLength(6)
  // The first restart is immediate; later ones wait for at least half of the delay.
  const delaysMs = startsMs()
    .slice(1)
    .map((ms, index) => ms - (crashesMs[index] ?? 0))
    .slice(1, 5)
  expect(delaysMs).toHaveLength(4)
  for (const ms of delaysMs) expect(ms).toBeGreaterThanOrEqual(249)

  const unavailable = [503, 'model_loading', expect.stringMatching(/crashed several times/)]
  expect(await ask(say('hello'))).toEqual(unavailable)
  expect(await ask(say('hello'), otherKey)).toEqual(unavailable)
  const { status, headers } = await service.post(say('hello'))
  expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(30)
  nowMs += 30_000
  expect(await ask(say('hello'), otherKey)).toEqual(good)
  expect(await ask(poison('four'))).toEqual(refused)
  expect(await ask(say('hello'), otherKey)).toEqual(unavailable)
  const shortest = Math.min(...delaysMs).toFixed(0)
  recordFinding(
    'F03',
    `Six crashes by three requests, with a longest backoff of ${backoffMaxMs} ms: each restart after the first came ${shortest} ms after its crash, or later; then new requests of all keys got 503 with Retry-After for 30 s, and again after the next crash.`,
  )
})
