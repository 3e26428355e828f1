import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../support/panel/panel.ts'
import { Uploads } from '../../support/raw-http.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    engine: scriptedEngine({ contextTokens: 512 }),
    environment: { PIPIT_REQUESTS_PER_MINUTE: '1000' },
  })
})
afterAll(() => service.close())

async function receiptOf(response: Response): Promise<unknown> {
  const id = response.headers.get('x-request-id') ?? ''
  const found = await service.request(`/v1/requests/${id}`)
  return [found.status, await found.json()]
}
/** Waits for the receipt, which may appear a moment after the response. */
async function expectReceipt(response: Response, receipt: object): Promise<void> {
  await expect.poll(() => receiptOf(response)).toMatchObject([200, receipt])
}

test.each([
  ['an invalid temperature', { ...question, temperature: 7 }, 400],
  ['an unknown model', { ...question, model: 'gpt-9' }, 404],
  ['too many tokens', { ...question, max_tokens: 1_000_000 }, 400],
  ['a missing member', { model: question.model }, 400],
  ['bad JSON', '{"model": ', 400],
])(
  '%s has a receipt with the code, parameter and message of its error',
  async (_, body, status) => {
    const response = await service.post(body)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(response.status).toBe(status)
    await expectReceipt(response, {
      status: 'refused',
      error: { code: error['code'], param: error['param'], message: error['message'] },
      route: '/v1/chat/completions',
      stream: false,
      usage: { total_tokens: 0 },
      seed: null,
      system_fingerprint: null,
    })
  },
)

test('a refused stream, and a conflict of idempotency keys, have receipts', async () => {
  const streamed = await service.post({ ...question, stream: true, top_p: 'all' })
  await expectReceipt(streamed, { status: 'refused', stream: true })
  const unsupported = await service.post({ ...question, stream: true, repetition_penalty: 2 })
  await expectReceipt(unsupported, { status: 'refused', stream: true })
  const headers = { 'idempotency-key': 'once' }
  expect((await service.post(question, { headers })).status).toBe(200)
  const other = await service.post({ ...question, max_tokens: 3 }, { headers })
  expect(other.status).toBe(422)
  await expectReceipt(other, { error: { code: 'idempotency_mismatch' } })
})

test('a request whose client hangs up while it sends the body is cancelled, not refused', async () => {
  const uploads = new Uploads(service.url, service.key)
  await uploads.begin({ 'content-length': 100, expect: '100-continue' }).head()
  uploads.close()
  const cancelled = async () => {
    const list = await service.request('/v1/requests?limit=100')
    const { data } = (await list.json()) as { data: { status: string }[] }
    return data.filter(({ status }) => status === 'cancelled')
  }
  await expect.poll(cancelled).toMatchObject([{ error: null }])
})

test('a 429 has a receipt, and Requests and Usage of the panel show each refusal by its code', async () => {
  const ada = await signIn(service)
  const created = await ada.post('/keys', { name: 'slow', limits: { requests_per_minute: 1 } })
  const { key, record } = (await created.json()) as { key: string; record: { id: string } }
  expect((await service.post(question, { key })).status).toBe(200)
  const limited = await service.post(question, { key })
  expect(limited.status).toBe(429)
  await expectReceipt(limited, {
    status: 'refused',
    error: { code: 'rate_limit_exceeded' },
    key_id: record.id,
  })
  const usagePath = `/usage?from_ms=${Date.now() - 3_600_000}&to_ms=${Date.now() + 3_600_000}&step=hour`
  const usage = async () =>
    (await (await ada.get(`${usagePath}&key_id=${record.id}`)).json()) as object
  await expect.poll(usage).toMatchObject({
    totals: { requests: 2, errors: 1 },
    errors_by_code: [{ code: 'rate_limit_exceeded', requests: 1, receipts: 1 }],
  })
  const refused = (await (await ada.get('/requests?status=refused')).json()) as {
    data: { error: { code: string } }[]
  }
  expect(new Set(refused.data.map(({ error }) => error.code)).size).toBeGreaterThanOrEqual(5)
})

test('a flood of refusals is counted in full, with a receipt for a sample of it', async () => {
  const flood = await startTestService()
  try {
    const ada = await signIn(flood)
    const bad = { ...question, temperature: 7 }
    const startMs = performance.now()
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await flood.post(bad)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([400]))
    const usagePath = `/usage?from_ms=${Date.now() - 3_600_000}&to_ms=${Date.now() + 3_600_000}&step=hour`
    const byCode = async () =>
      ((await (await ada.get(usagePath)).json()) as { errors_by_code: object }).errors_by_code
    // The sample has 30 receipts at once, and one more every two seconds.
    const receiptsMax = 30 + Math.ceil((performance.now() - startMs) / 2000)
    await expect
      .poll(byCode)
      .toEqual([{ code: 'decimal_above_max_value', requests: 60, receipts: expect.any(Number) }])
    const receipts = flood.ledgerRows().length
    expect(await byCode()).toMatchObject([{ receipts }])
    expect(receipts).toBeGreaterThanOrEqual(30)
    expect(receipts).toBeLessThanOrEqual(receiptsMax)
    const metrics = await (await fetch(flood.metricsUrl)).text()
    expect(metrics).toContain('pipit_completions_total{outcome="refused"} 60\n')
  } finally {
    await flood.close()
  }
})
