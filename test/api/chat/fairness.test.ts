import { expect, test, vi } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { SteppedEngine } from '../../support/engine/stepped-engine.ts'

type Body = object | ((seed: number) => object)
type Init = { key?: string; headers?: Record<string, string> }

/** Runs `act` with a service whose engine advances one step at a time, then lets all requests finish. */
async function withSteps(
  slots: number,
  environment: Record<string, string>,
  act: (scene: {
    service: TestService
    engine: SteppedEngine
    /** Sends a request, and resolves once the request waits for a slot or runs. */
    send: (seed: number, body?: object, init?: Init) => Promise<void>
    sendMany: (seeds: readonly number[], body?: Body, init?: Init) => Promise<void>
  }) => Promise<void>,
): Promise<void> {
  const engine = new SteppedEngine(slots)
  const service = await startTestService({ engine, environment })
  const replies: Promise<number>[] = []
  let sent = 0
  const sendMany = async (seeds: readonly number[], body: Body = {}, init: Init = {}) => {
    sent += seeds.length
    for (const seed of seeds)
      replies.push(
        service
          .post({ ...question, ...(typeof body === 'function' ? body(seed) : body), seed }, init)
          .then(async (response) => response.arrayBuffer().then(() => response.status)),
      )
    await expect.poll(() => engine.prepared, { timeout: 20_000, interval: 5 }).toBe(sent)
    await new Promise((resolve) => setImmediate(resolve))
  }
  try {
    const send = (seed: number, body = {}, init: Init = {}) => sendMany([seed], body, init)
    await act({ service, engine, send, sendMany })
    engine.open()
    expect((await Promise.all(replies)).filter((status) => status !== 200)).toEqual([])
  } finally {
    engine.open()
    await service.close()
  }
}

const hundred = Array.from({ length: 100 }, (_, i) => i)
const light = [1000, 1001, 1002, 1003, 1004]

test('a key gets the next free slot beside another with 100 parallel requests (F13, G3, T51)', async () => {
  await withSteps(4, {}, async ({ service, engine, send, sendMany }) => {
    const { key } = await addAccountWithKey(service, 'other')
    const status = async () => (await service.request('/v1/models', { key })).status
    await expect.poll(status).toBe(200)
    await sendMany(hundred)
    for (const seed of light) {
      await send(seed, {}, { key })
      expect(await engine.step()).toBe(seed)
      await engine.step(seed)
    }
  })
})

test('an end user gets the next free slot beside another of its key with 100 parallel requests (F13, G3, T51)', async () => {
  await withSteps(4, {}, async ({ engine, send, sendMany }) => {
    await sendMany(hundred, { user: 'heavy' })
    for (const seed of light) {
      await send(seed, { safety_identifier: 'light', user: 'heavy' })
      expect(await engine.step()).toBe(seed)
      await engine.step(seed)
    }
  })
})

test('50 end users beside one with 100 requests each wait for the others once (F13, T51)', async () => {
  await withSteps(4, {}, async ({ engine, sendMany }) => {
    await sendMany(hundred, { user: 'heavy' })
    const seeds = hundred.slice(0, 50).map((seed) => 1000 + seed)
    await sendMany(seeds, (seed) => ({ user: `light ${seed}` }))
    const began: number[] = []
    for (let i = 0; i < 51; i += 1) began.push(await engine.step())
    expect(began.filter((seed) => seed >= 1000).length).toBe(50)
  })
})

test.each(['/v1/chat/completions', '/v1/chat/completions/input_tokens', '/v1/tokenize'])(
  'the engine prepares the prompt of %s in the turn of its account and key',
  async (path) => {
    await withSteps(1, {}, async ({ service, engine }) => {
      engine.open()
      const prepare = vi.spyOn(engine, 'prepare')
      const { accountId, id: keyId, key } = await addAccountWithKey(service, 'other')
      const body = path === '/v1/tokenize' ? { text: 'Hello' } : question
      const status = async () => (await service.post(body, { key, path })).status
      await expect.poll(status).toBe(200)
      expect(prepare.mock.lastCall?.[2]?.caller).toMatchObject({ accountId, keyId })
    })
  },
)

test.each([
  ['a trusted proxy', { PIPIT_TRUSTED_PROXIES: '127.0.0.1' }, 'light'],
  ['any other peer', {}, 'heavy'],
])('the end user in a header of %s', async (_, environment, next) => {
  await withSteps(1, environment, async ({ engine, send, sendMany }) => {
    const named = (endUser: string) => ({ headers: { 'x-end-user-id': endUser } })
    await sendMany(hundred.slice(0, 20), { user: 'someone' }, named('heavy'))
    await send(1000, { user: 'someone' }, named('light'))
    expect(await engine.step()).toBe(next === 'light' ? 1000 : 1)
  })
})

test('an account of PIPIT_WEIGHTS gets its share of the tokens', async () => {
  await withSteps(1, { PIPIT_WEIGHTS: 'other=3' }, async ({ service, engine, sendMany }) => {
    const { key } = await addAccountWithKey(service, 'other')
    const status = async () => (await service.request('/v1/models', { key })).status
    await expect.poll(status).toBe(200)
    await sendMany(hundred.slice(0, 20))
    await sendMany(
      hundred.slice(0, 20).map((seed) => 1000 + seed),
      {},
      { key },
    )
    const began: number[] = []
    for (let i = 0; i < 12; i += 1) began.push(await engine.step())
    expect(began.filter((seed) => seed >= 1000).length).toBe(9)
  })
})

test('a wrong PIPIT_WEIGHTS stops the start', async () => {
  const starting = startTestService({ environment: { PIPIT_WEIGHTS: 'other' } })
  await expect(starting).rejects.toThrow(/^PIPIT_WEIGHTS must be like /)
})

test('a request that cannot start before its deadline gets 503 with the reason', async () => {
  await withSteps(1, {}, async ({ service, send }) => {
    await send(1)
    const response = await service.post(question, {
      headers: { 'x-request-timeout-ms': '40', origin: 'https://app.example' },
    })
    const { error } = (await response.json()) as { error: { code: string } }
    expect([response.status, error.code]).toEqual([503, 'overloaded'])
    expect(response.headers.get('x-drop-reason')).toBe('deadline')
    expect(response.headers.get('access-control-expose-headers')).toContain('x-drop-reason')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })
})

test('a deadline of our own header must be right; one of an SDK that means nothing is ignored', async () => {
  await withSteps(1, {}, async ({ service, engine }) => {
    engine.open()
    const statusOf = async (name: string, value: string) => {
      const response = await service.post(question, { headers: { [name]: value } })
      const body: unknown = await response.json()
      if (response.status === 400)
        expect(body).toMatchObject({ error: { code: 'invalid_value', param: null } })
      return response.status
    }
    for (const value of ['0', '1.5', 'soon', '99999999', '-1'])
      expect(await statusOf('x-request-timeout-ms', value)).toBe(400)
    expect(await statusOf('x-request-timeout-ms', '30000')).toBe(200)
    for (const value of ['600', '0', '0.5', 'not given', '-1'])
      expect(await statusOf('x-stainless-timeout', value)).toBe(200)
  })
})
