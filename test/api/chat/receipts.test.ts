import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let foreignKey: string
beforeAll(async () => {
  const engine = scriptedEngine({
    contextTokens: 512,
    failure: { marker: 'FAIL', afterTokens: 2 },
  })
  service = await startTestService({ engine })
  foreignKey = (await addAccountWithKey(service, 'other')).key
})
afterAll(() => service.close())

type Receipt = Record<string, unknown> & { id: string }
type List = { data: Receipt[]; has_more: boolean; first_id: string | null; last_id: string | null }

const idOf = (row: Record<string, unknown>) => String(row['request_id'])
const get = (path: string, key?: string) => service.request(path, key === undefined ? {} : { key })
const receiptOf = async (response: Response) => {
  const id = response.headers.get('x-request-id') ?? ''
  const found = await get(`/v1/requests/${id}`)
  return [found.status, (await found.json()) as Receipt] as const
}
const list = async (query = '', key?: string) =>
  (await (await get(`/v1/requests${query}`, key)).json()) as List

describe('GET /v1/requests/{request_id}', () => {
  test('returns the status, usage, timing and stored parameters of a finished request', async () => {
    const kept = {
      user: 'user-1',
      metadata: { order: '17' },
      store: true,
      service_tier: 'auto',
      safety_identifier: 'safe-1',
      prompt_cache_key: 'cache-1',
    }
    const response = await service.post({
      ...question,
      ...kept,
      seed: 7,
      max_tokens: 3,
      made_up: 1,
    })
    const completion = (await response.json()) as Record<string, unknown>
    const [status, receipt] = await receiptOf(response)
    expect(status).toBe(200)
    expect(receipt).toEqual({
      id: response.headers.get('x-request-id'),
      object: 'request',
      created: completion['created'],
      model: 'svc-o1-mini',
      route: '/v1/chat/completions',
      stream: false,
      key_id: expect.stringMatching(/^key_/),
      status: 'completed',
      finish_reason: 'length',
      usage: completion['usage'],
      max_tokens: 3,
      timing: {
        queue_ms: expect.any(Number),
        prefill_ms: expect.any(Number),
        decode_ms: expect.any(Number),
      },
      seed: 7,
      system_fingerprint: completion['system_fingerprint'],
      error: null,
      parameters: kept,
      ignored_parameters: ['made_up'],
    })
  })

  test('contains the random seed, which gives the same reply again', async () => {
    const text = async (response: Response) =>
      ((await response.json()) as { choices: { message: object }[] }).choices[0]?.message
    const response = await service.post({ ...question, temperature: 1 })
    const [, { seed }] = await receiptOf(response)
    const again = await service.post({ ...question, temperature: 1, seed })
    expect(await text(again)).toEqual(await text(response))
  })

  test('names the error of a failed request', async () => {
    const failing = { ...question, messages: [{ role: 'user', content: 'FAIL' }] }
    const [, receipt] = await receiptOf(await service.post(failing))
    expect(receipt).toMatchObject({
      status: 'failed',
      finish_reason: null,
      error: { code: 'engine_failed' },
      usage: { completion_tokens: 2 },
    })
    const stream = await service.stream(failing)
    const id = stream.headers.get('x-request-id')
    expect(await (await get(`/v1/requests/${id}`)).json()).toMatchObject({
      status: 'failed',
      stream: true,
      error: { code: 'engine_failed' },
    })
  })

  test('names the error of a request that was refused after its admission and cost nothing', async () => {
    const long = { ...question, messages: [{ role: 'user', content: 'word '.repeat(600) }] }
    const response = await service.post(long)
    expect(response.status).toBe(400)
    await expect
      .poll(() => receiptOf(response))
      .toMatchObject([
        200,
        {
          status: 'refused',
          finish_reason: null,
          error: { code: 'context_length_exceeded' },
          usage: { total_tokens: 0 },
          timing: { prefill_ms: null, decode_ms: null },
        },
      ])
  })

  test('returns 404 to another account, the same as for an unknown request (T8)', async () => {
    const foreignStatus = async () => (await get('/v1/models', foreignKey)).status
    await expect.poll(foreignStatus).toBe(200)
    const response = await service.post(question)
    const id = response.headers.get('x-request-id')
    for (const [path, key] of [
      [`/v1/requests/${id}`, foreignKey],
      ['/v1/requests/req_none', undefined],
      [`/v1/requests/${'x'.repeat(256)}`, undefined],
    ] as const) {
      const found = await get(path, key)
      expect([found.status, await found.json()]).toMatchObject([
        404,
        { error: { code: 'request_not_found', param: 'request_id' } },
      ])
    }
    expect((await list('', foreignKey)).data).toEqual([])
    expect((await get(`/v1/requests?after=${id}`, foreignKey)).status).toBe(404)
  })
})

describe('GET /v1/requests', () => {
  test('pages through all requests, newest first, each once', async () => {
    const sent: string[] = []
    for (let i = 0; i < 7; i++)
      sent.push((await service.post(question)).headers.get('x-request-id') ?? '')
    const seen: string[] = []
    let page = await list('?limit=3')
    for (;;) {
      expect(page).toMatchObject({ first_id: page.data[0]?.id, last_id: page.data.at(-1)?.id })
      seen.push(...page.data.map(({ id }) => id))
      if (!page.has_more) break
      expect(page.data).toHaveLength(3)
      page = await list(`?limit=3&after=${page.last_id}`)
    }
    expect(seen.slice(0, 7).toSorted()).toEqual(sent.toSorted())
    expect(seen.toSorted()).toEqual(service.ledgerRows().map(idOf).toSorted())
    const created = (await list('?limit=100')).data.map((receipt) => receipt['created'] as number)
    expect(created).toEqual(created.toSorted((a, b) => b - a))
  })

  test.each([
    ['limit=0', 'integer_below_min_value', 'limit'],
    ['limit=101', 'integer_above_max_value', 'limit'],
    ['limit=ten', 'invalid_type', 'limit'],
    ['limit=1.5', 'invalid_type', 'limit'],
    ['limit=1&limit=2', 'invalid_type', 'limit'],
    ['after=a&after=b', 'invalid_type', 'after'],
    ['before=req_1', 'unsupported_parameter', 'before'],
    ['after=req_none', 'request_not_found', 'after'],
  ])('%s is refused', async (query, code, param) => {
    const response = await get(`/v1/requests?${query}`)
    expect(await response.json()).toMatchObject({ error: { code, param } })
  })
})

describe('a caller that hangs up', () => {
  let own: TestService
  beforeAll(async () => {
    own = await startTestService({
      engine: scriptedEngine({ slots: 1, gate: new ReplyGate().gate }),
    })
  })
  afterAll(() => own.close())

  test('while it reads a stream has a cancelled receipt', async () => {
    const leaving = new AbortController()
    const response = await own.post({ ...question, stream: true }, { signal: leaving.signal })
    const id = response.headers.get('x-request-id')
    const receipt = async () => (await own.request(`/v1/requests/${id}`)).json()
    expect(await receipt()).toMatchObject({ status: 'in_progress', finish_reason: null })
    await response.body?.getReader().read()
    leaving.abort()
    await expect
      .poll(receipt)
      .toMatchObject({ status: 'cancelled', error: null, seed: expect.any(Number) })
  })

  test('while it waits has a cancelled receipt and pays nothing', async () => {
    const running = new AbortController()
    const held = await own.post({ ...question, stream: true }, { signal: running.signal })
    const leaving = new AbortController()
    const waiting = own.post({ ...question, user: 'waiting' }, { signal: leaving.signal })
    const metrics = async () => (await fetch(own.metricsUrl)).text()
    await expect.poll(metrics).toContain('pipit_requests_waiting 1')
    leaving.abort()
    await expect(waiting).rejects.toThrow(/abort/)
    const latest = async () =>
      ((await (await own.request('/v1/requests')).json()) as List).data.find(
        ({ parameters }) => (parameters as { user?: string }).user === 'waiting',
      )
    await expect
      .poll(latest)
      .toMatchObject({ status: 'cancelled', error: null, usage: { total_tokens: 0 } })
    // Keeps the response referenced: fetch cancels the body of a response that is garbage-collected.
    expect(held.bodyUsed).toBe(false)
    running.abort()
  })
})
