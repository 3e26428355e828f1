import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  type MockInstance,
  test,
  vi,
} from 'vitest'
import type { Caller } from '../accounts/caller.ts'
import { ScriptedEngine, type ScriptedEngineOptions } from '../engine/scripted-engine.ts'
import { ServiceError } from '../errors.ts'
import { firstTokenTimeoutMs } from '../limits.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { silentLogger } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { Ledger } from '../usage/ledger.ts'
import { RateLimits } from '../usage/limits/rate-limits.ts'
import { Admission } from './admission/admission.ts'
import type { CompletionServices } from './completion-services.ts'
import type { CompletionEvent, CompletionSpec } from './completion.ts'
import { Idempotency, newClaim } from './once/idempotency.ts'
import { Interruption, type InterruptionReason } from './interruption.ts'
import { runCompletion } from './run-completion.ts'

const tokensPerDay = 1000
/** Tokens of the prompt 'Hello': one for the word and four for the message. */
const promptTokens = 5

let dataDir: string
let database: Database
let scenes = 0
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  database = await openDatabase(dataDir)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

type Scene = {
  services: CompletionServices
  engine: ScriptedEngine
  control: AbortController
  revoked: AbortController
  stopping: AbortController
  caller: Caller
  spec: CompletionSpec
  settle: MockInstance<Ledger['settle']>
  refuse: MockInstance<Ledger['refuse']>
}

async function setScene(
  engineOptions: Partial<ScriptedEngineOptions> = {},
  changes: Partial<CompletionSpec> = {},
): Promise<Scene> {
  const engine = new ScriptedEngine({
    slots: 2,
    contextTokens: 100,
    tokensPerSecond: 0,
    prefillMs: 0,
    reply: () => 'one two three',
    ...engineOptions,
  })
  const ledger = Ledger.open(database, 'boot')
  const admission = new Admission({ slots: 2 })
  const stopping = new AbortController()
  const services: CompletionServices = {
    engine,
    admission,
    ledger,
    idempotency: new Idempotency(ledger),
    rateLimits: await RateLimits.open(database),
    metrics: createMetrics(engine, admission),
    logger: silentLogger,
    completionTokens: { default: 256, max: 2048 },
    tellsSchema: false,
    now: Date.now,
    stopping: stopping.signal,
  }
  const settle = vi.spyOn(ledger, 'settle')
  const refuse = vi.spyOn(ledger, 'refuse')
  const revoked = new AbortController()
  const caller: Caller = {
    accountId: 'acct',
    keyId: `key_${++scenes}`,
    name: 'test',
    accountName: 'test',
    scopes: ['chat'],
    limits: { parallelRequests: 1, tokensPerDay },
    accountLimits: {},
    createdMs: 0,
    expiresMs: undefined,
    revoked: revoked.signal,
  }
  const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
  const spec: CompletionSpec = {
    requestId: `req_${scenes}`,
    model: 'm',
    route: '/r',
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
    choices: 1,
    generation: { maxTokens: 50, sampling, stop: [] },
    keptParameters: {},
    ignoredParameters: [],
    ...changes,
  }
  const control = new AbortController()
  return { services, engine, control, revoked, stopping, caller, spec, settle, refuse }
}

function run({ services, caller, spec, control }: Scene): AsyncIterable<CompletionEvent> {
  const place = services.admission.enter(caller)
  return runCompletion(services, { caller, place, control }, spec)
}

type Seen = { events: CompletionEvent[]; error: unknown }

/** Reads the completion to its end. `onDelta` runs after the first event, and may return 'stop' to stop reading. */
async function read(scene: Scene, onDelta?: () => 'stop' | void): Promise<Seen> {
  const events: CompletionEvent[] = []
  try {
    for await (const event of run(scene)) {
      events.push(event)
      if (events.length === 1 && onDelta?.() === 'stop') break
    }
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

/** Checks that the entry is settled once, and that the completion holds no slots or limits any more. */
async function expectSettledOnce(
  scene: Scene,
  outcome: string,
  completionTokens: number,
  errorCode: string | null = null,
): Promise<void> {
  const { services, spec, settle, refuse } = scene
  const { requestId } = spec
  const { ledger } = services
  expect([settle.mock.calls.length, refuse.mock.calls.length]).toEqual(
    outcome === 'refused' ? [0, 1] : [1, 0],
  )
  await vi.waitFor(async () => expect((await ledger.find(requestId))?.state).toBe('final'))
  expect(await ledger.find(requestId)).toMatchObject({
    outcome,
    prompt_tokens: outcome === 'refused' ? 0 : promptTokens,
    completion_tokens: completionTokens,
    error_code: errorCode,
  })
  await expectCountedOnce(scene, outcome, completionTokens)
}

/** Checks that metrics and limits count the completion once, and that it holds no slots or limits any more. */
async function expectCountedOnce(
  { services, engine, caller }: Scene,
  outcome: string,
  completionTokens: number,
): Promise<void> {
  const { rateLimits, admission, metrics } = services
  const counted = (await metrics.completions.get()).values
  expect(counted).toMatchObject([{ labels: { outcome }, value: 1 }])
  const used = outcome === 'refused' ? 0 : promptTokens + completionTokens
  expect(rateLimits.state(caller).key).toMatchObject({
    parallelRequests: { remaining: 1 },
    tokensPerDay: { remaining: tokensPerDay - used },
  })
  expect([admission.running, admission.waiting, engine.stats().slotsBusy]).toEqual([0, 0, 0])
}

/** Checks that nothing is settled, and that the completion holds no slots or limits any more. */
async function expectUnsettled(scene: Scene): Promise<void> {
  const { services, engine, caller } = scene
  const { rateLimits, admission } = services
  expect(scene.settle).not.toHaveBeenCalled()
  expect(scene.refuse).not.toHaveBeenCalled()
  expect(rateLimits.state(caller).key).toMatchObject({
    parallelRequests: { remaining: 1 },
    tokensPerDay: { remaining: tokensPerDay },
  })
  expect([admission.running, admission.waiting, engine.stats().slotsBusy]).toEqual([0, 0, 0])
}

const unavailable = () => new ServiceError('ledger_unavailable', 'The disk is full.')
const generation = (maxTokens: number): Pick<CompletionSpec, 'generation'> => ({
  generation: {
    maxTokens,
    stop: [],
    sampling: { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 },
  },
})
const slow = { tokensPerSecond: 1 / 3600 }

describe('a completion is settled exactly once', () => {
  test.each([true, false])('when it ends with stop (stream: %s)', async (stream) => {
    const scene = await setScene({}, { stream })
    const { events } = await read(scene)
    expect(events.slice(-2)).toEqual([
      { type: 'finish', index: 0, reason: 'stop' },
      { type: 'usage', usage: { promptTokens, cachedTokens: 0, completionTokens: 4 } },
    ])
    await expectSettledOnce(scene, 'completed', 4)
  })

  test('when it ends with length', async () => {
    const scene = await setScene({}, generation(2))
    await read(scene)
    await expectSettledOnce(scene, 'length', 2)
  })

  test('when one of several choices ends with length, with the tokens of all', async () => {
    const scene = await setScene({ slots: 2 }, { choices: 3, ...generation(2) })
    const { events } = await read(scene)
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(3)
    await expectSettledOnce(scene, 'length', 6)
  })

  test('before its last finish is seen', async () => {
    const scene = await setScene()
    const { services, spec } = scene
    for await (const event of run(scene))
      if (event.type === 'finish')
        expect(await services.ledger.find(spec.requestId)).toMatchObject({ state: 'final' })
  })

  test('when the reader stops reading', async () => {
    const scene = await setScene(slow)
    await read(scene, () => 'stop')
    await expectSettledOnce(scene, 'client_abort', 1)
  })

  test('when the engine has ended, whether or not the reader reads', async () => {
    const scene = await setScene()
    const events = run(scene)[Symbol.asyncIterator]()
    await events.next()
    await vi.waitFor(() => expect(scene.settle).toHaveBeenCalled())
    await expectSettledOnce(scene, 'completed', 4)
    await events.return?.()
    await expectSettledOnce(scene, 'completed', 4)
  })

  test('when the caller leaves before the first token', async () => {
    const scene = await setScene({ prefillMs: 3_600_000 })
    const reading = read(scene)
    await vi.waitFor(() => expect(scene.engine.stats().slotsBusy).toBe(1))
    scene.control.abort(new Interruption('client_abort'))
    expect((await reading).error).toBe(scene.control.signal.reason)
    await expectSettledOnce(scene, 'client_abort', 0)
  })

  const reasons: [InterruptionReason, string, string | null][] = [
    ['client_abort', 'client_abort', null],
    ['slow_reader', 'client_abort', null],
    ['deadline', 'deadline', 'timeout'],
    ['revoked', 'revoked', 'invalid_api_key'],
    ['shutdown', 'shutdown', 'shutting_down'],
  ]
  test.each(reasons)('when it is interrupted by %s', async (reason, outcome, errorCode) => {
    const scene = await setScene(slow)
    const { error } = await read(scene, () => scene.control.abort(new Interruption(reason)))
    expect(error).toMatchObject({ reason })
    await expectSettledOnce(scene, outcome, 1, errorCode)
  })

  test('when its key is revoked', async () => {
    const scene = await setScene(slow)
    await read(scene, () => scene.revoked.abort())
    await expectSettledOnce(scene, 'revoked', 1, 'invalid_api_key')
  })

  test('when the service stops', async () => {
    const scene = await setScene(slow)
    await read(scene, () => scene.stopping.abort())
    await expectSettledOnce(scene, 'shutdown', 1, 'shutting_down')
  })

  test('when its first token comes too late', async () => {
    const scene = await setScene({ prefillMs: 3_600_000 })
    const reserved = Promise.withResolvers<void>()
    const reserve = scene.services.ledger.reserve.bind(scene.services.ledger)
    vi.spyOn(scene.services.ledger, 'reserve').mockImplementation(async (...given) => {
      await reserve(...given)
      reserved.resolve()
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const reading = read(scene)
    await reserved.promise
    vi.advanceTimersByTime(firstTokenTimeoutMs)
    vi.useRealTimers()
    expect((await reading).error).toMatchObject({ reason: 'deadline' })
    await expectSettledOnce(scene, 'deadline', 0, 'timeout')
  })

  test.each([0, 1])('when the engine fails after %i tokens', async (afterTokens) => {
    const scene = await setScene({ failure: { marker: 'Hello', afterTokens } })
    expect((await read(scene)).error).toMatchObject({ code: 'engine_failed' })
    await expectSettledOnce(scene, 'engine_crash', afterTokens, 'engine_failed')
  })

  test('when one of several choices fails', async () => {
    const scene = await setScene(
      { failure: { marker: 'Hello', afterTokens: 1 } },
      { choices: 2, stream: false },
    )
    expect((await read(scene)).error).toMatchObject({ code: 'engine_failed' })
    await expectSettledOnce(scene, 'engine_crash', 2, 'engine_failed')
  })

  test('when `max_tokens` exceeds a limit of the caller, but the context leaves less', async () => {
    const scene = await setScene({ contextTokens: 100 }, generation(2 * tokensPerDay))
    await read(scene)
    await expectSettledOnce(scene, 'completed', 4)
  })

  test('when a limit of the caller refuses it', async () => {
    const scene = await setScene({ contextTokens: 2 * tokensPerDay }, generation(tokensPerDay))
    expect((await read(scene)).error).toMatchObject({ code: 'insufficient_quota' })
    await expectSettledOnce(scene, 'refused', 0, 'insufficient_quota')
  })

  test('when another request runs under its idempotency key', async () => {
    const claim = newClaim('acct', '/r', 'key-1', {})
    const head = { id: 'id', created: 1, model: 'm', fingerprint: 'fp' }
    const first = await setScene(slow, { once: { claim, head } })
    const second = await setScene({}, { once: { claim, head } })
    let error: unknown
    await read(first, () => {
      void read(second).then((seen) => {
        error = seen.error
        first.control.abort(new Interruption('client_abort'))
      })
    })
    expect(error).toMatchObject({ code: 'idempotency_in_progress' })
    expect(second.engine.stats().promptTokens).toBe(0)
    await expectSettledOnce(second, 'refused', 0, 'idempotency_in_progress')
  })

  test('when it is refused: the receipt tells why', async () => {
    const scene = await setScene({ contextTokens: promptTokens })
    expect((await read(scene)).error).toMatchObject({ code: 'context_length_exceeded' })
    await expectSettledOnce(scene, 'refused', 0, 'context_length_exceeded')
  })

  test('when the wall clock jumps an hour: its times on the receipt are right (F23, T54)', async () => {
    const scene = await setScene()
    let aheadMs = 0
    scene.services.now = () => Date.now() + aheadMs
    await read(scene, () => void (aheadMs = 3_600_000))
    const row = await scene.services.ledger.find(scene.spec.requestId)
    const times = [row?.queue_ms, row?.prefill_ms, row?.decode_ms].map(Number)
    expect(Math.max(...times)).toBeLessThan(60_000)
    await expectSettledOnce(scene, 'completed', 4)
  })

  test('when the settlement cannot be written: the caller never sees the end of the reply', async () => {
    const scene = await setScene()
    scene.settle.mockRejectedValueOnce(unavailable())
    const { events, error } = await read(scene)
    expect(error).toMatchObject({ code: 'ledger_unavailable' })
    expect(events.every(({ type }) => type === 'delta')).toBe(true)
    expect(scene.settle).toHaveBeenCalledTimes(1)
    await expectCountedOnce(scene, 'completed', 4)
  })

  test('when it is interrupted and the settlement cannot be written: the interruption is reported', async () => {
    const scene = await setScene(slow)
    scene.settle.mockRejectedValueOnce(unavailable())
    const { error } = await read(scene, () => scene.revoked.abort())
    expect(error).toMatchObject({ reason: 'revoked' })
    expect(scene.settle).toHaveBeenCalledTimes(1)
    await expectCountedOnce(scene, 'revoked', 1)
  })
})

describe('nothing is settled', () => {
  test.each([true, false])(
    'when it cannot be reserved, and the caller sees none of the reply (stream: %s)',
    async (stream) => {
      const scene = await setScene({}, { stream })
      vi.spyOn(scene.services.ledger, 'reserve').mockRejectedValueOnce(unavailable())
      const { events, error } = await read(scene)
      expect(error).toMatchObject({ code: 'ledger_unavailable' })
      expect(events).toEqual([])
      await expectUnsettled(scene)
    },
  )
})
