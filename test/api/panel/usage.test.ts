import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IssuedPanelKey } from '../../../src/protocol/panel-keys.ts'
import type { PanelLive } from '../../../src/protocol/panel-live.ts'
import type {
  ExportedReceipts,
  PanelReceiptList,
  PanelUsage,
} from '../../../src/protocol/panel-usage.ts'
import type { Receipt } from '../../../src/protocol/receipt.ts'
import { addUser, type Signed, setUp } from '../../support/panel/panel.ts'
import { errorOf } from '../../support/error-of.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const hourMs = 3_600_000
let service: TestService
let owner: Signed
let other: Signed
let laptop: IssuedPanelKey
let ids: string[]
let statuses: number[]
beforeAll(async () => {
  service = await startTestService()
  owner = await setUp(service)
  other = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  laptop = await json<IssuedPanelKey>(owner.post('/keys', { name: 'laptop' }))
  const asked = { ...question, max_tokens: 4 }
  const replies = [
    await service.post(asked, { key: laptop.key }),
    await service.post(asked, { key: laptop.key }),
    await service.post({ ...asked, messages: [{ role: 'user', content: 'word '.repeat(9000) }] }),
    await owner.post('/chat/completions', asked),
  ]
  statuses = replies.map(({ status }) => status)
  ids = replies.map(({ headers }) => headers.get('x-request-id') ?? '')
})
afterAll(() => service.close())

const json = async <Body>(reply: Response | Promise<Response>) =>
  (await (await reply).json()) as Body
const nowMs = Date.now()
const lastDay = `from_ms=${nowMs - 24 * hourMs}&to_ms=${nowMs + hourMs}`
const usage = (query: string, { get } = owner) => json<PanelUsage>(get(`/usage?${query}`))
const receipts = (query = '', { get } = owner) => json<PanelReceiptList>(get(`/requests${query}`))

test('the requests of this file had the expected statuses', () => {
  expect(statuses).toEqual([200, 200, 400, 200])
})

describe('usage', () => {
  test('is listed by time and by key, with zeros for empty hours', async () => {
    const all = await usage(`${lastDay}&step=hour`)
    expect(all.totals).toMatchObject({ requests: 4, errors: 1, completion_tokens: 12 })
    expect(all.totals.p50_ms).not.toBeNull()
    expect(all.points).toHaveLength(25)
    expect(all.points.filter((point) => point.requests === 0)[0]).toEqual({
      begin_ms: Math.ceil((nowMs - 24 * hourMs) / hourMs) * hourMs,
      requests: 0,
      errors: 0,
      prompt_tokens: 0,
      cached_tokens: 0,
      completion_tokens: 0,
      p50_ms: null,
      p95_ms: null,
      rejected: 0,
      first_token_p50_ms: null,
      first_token_p95_ms: null,
      queue_p50_ms: null,
      queue_p95_ms: null,
      cost: null,
    })
    expect(all.keys.map(({ name, requests, errors }) => [name, requests, errors])).toEqual(
      expect.arrayContaining([
        ['laptop', 2, 0],
        ['first key', 1, 1],
        ['Playground', 1, 0],
      ]),
    )
    expect([all.keys[0]?.name, all.keys.length, all.keys_left_out]).toEqual(['laptop', 3, 0])
  })

  test('of one key covers that key only, also after its rotation and revocation', async () => {
    await owner.post(`/keys/${laptop.record.id}/rotate`, { grace_ms: 0 })
    await owner.post(`/keys/${laptop.record.id}/revoke`)
    const of = await usage(`${lastDay}&step=day&time_zone=Asia/Kolkata&key_id=${laptop.record.id}`)
    expect(of.totals).toMatchObject({ requests: 2, errors: 0, completion_tokens: 8 })
    expect(of.keys.map(({ key_id, name, requests }) => [key_id, name, requests])).toEqual([
      [laptop.record.id, 'laptop', 2],
    ])
  })

  test('has the days of the time zone', async () => {
    const of = (from: string, to: string) =>
      usage(`from_ms=${Date.parse(from)}&to_ms=${Date.parse(to)}&step=day&time_zone=Europe/Berlin`)
    const spring = await of('2026-03-27T23:00Z', '2026-03-30T22:00Z')
    expect(spring.points.map(({ begin_ms }) => new Date(begin_ms).toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  test('can be downloaded as CSV', async () => {
    const reply = await owner.get(`/usage.csv?${lastDay}&step=day`)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toContain('attachment')
    const [head, ...rows] = (await reply.text()).trimEnd().split('\r\n')
    expect(head).toBe(
      'begin,requests,errors,prompt_tokens,cached_tokens,completion_tokens,p50_ms,p95_ms,' +
        'rejected,first_token_p50_ms,first_token_p95_ms,queue_p50_ms,queue_p95_ms',
    )
    const requests = rows.map((row) => Number(row.split(',')[1])).reduce((a, b) => a + b, 0)
    expect(requests).toBe(4)
    const keys = await owner.get(`/usage.csv?${lastDay}&table=keys`)
    expect(await keys.text()).toMatch(/^key_id,name,requests,[^]*\r\nkey_\w+,laptop,2,0,/)
  })

  test('tells rejected requests, and the times of the first token and of queueing', async () => {
    const { totals } = await usage(lastDay)
    expect(totals.rejected).toBe(1)
    expect(totals.first_token_p50_ms).not.toBeNull()
    expect(totals.queue_p95_ms).not.toBeNull()
  })

  test('of another account is not visible', async () => {
    for (const query of [lastDay, `${lastDay}&key_id=${laptop.record.id}`])
      expect(await usage(query, other)).toMatchObject({
        totals: { requests: 0, rejected: 0, first_token_p50_ms: null, queue_p50_ms: null },
        errors_by_code: [],
        keys: [],
      })
  })

  test.each([
    ['', 'missing_required_parameter', 'from_ms'],
    ['from_ms=1', 'missing_required_parameter', 'to_ms'],
    ['from_ms=2&to_ms=1', 'invalid_value', 'to_ms'],
    ['from_ms=-1&to_ms=1', 'integer_below_min_value', 'from_ms'],
    ['from_ms=yesterday&to_ms=1', 'invalid_type', 'from_ms'],
    ['from_ms=0&to_ms=999999999999999', 'integer_above_max_value', 'to_ms'],
    ['from_ms=0&to_ms=253402300799999', 'invalid_value', 'from_ms'],
    [`from_ms=0&to_ms=${1501 * hourMs}&step=hour`, 'invalid_value', 'from_ms'],
    ['from_ms=0&to_ms=1&step=week', 'invalid_value', 'step'],
    ['from_ms=0&to_ms=1&time_zone=Mars/Olympus', 'invalid_value', 'time_zone'],
    ['from_ms=0&to_ms=1&time_zone=', 'invalid_value', 'time_zone'],
    ['from_ms=0&from_ms=1&to_ms=2', 'invalid_type', 'from_ms'],
    ['from_ms=0&to_ms=1&account_id=x', 'unsupported_parameter', 'account_id'],
  ])('refuses the query %s', async (query, code, param) => {
    for (const path of ['/usage', '/usage.csv'])
      expect(await errorOf(owner.get(`${path}?${query}`))).toEqual([400, code, param])
  })

  test('covers the longest allowed time ranges', async () => {
    expect((await usage(`from_ms=0&to_ms=${1500 * hourMs}&step=hour`)).points).toHaveLength(1500)
    const days = await usage(
      `from_ms=${nowMs - 1499 * 24 * hourMs}&to_ms=${nowMs}&time_zone=America/New_York`,
    )
    expect(days.totals.requests).toBe(4)
  })
})

describe('receipts', () => {
  const idsOf = async (query = '') => (await receipts(query)).data.map(({ id }) => id)

  test('can be filtered by status, key and time, and paged', async () => {
    expect(await idsOf()).toEqual(ids.toReversed())
    expect(await idsOf('?status=completed')).toEqual([ids[3], ids[1], ids[0]])
    expect(await idsOf('?status=refused')).toEqual([ids[2]])
    expect(await idsOf('?status=in_progress')).toEqual([])
    expect(await idsOf('?key_id=playground')).toEqual([ids[3]])
    expect(await idsOf(`?key_id=${laptop.record.id}&status=completed`)).toEqual([ids[1], ids[0]])
    expect(await idsOf(`?key_id=${laptop.record.id}&status=failed`)).toEqual([])
    expect(await idsOf(`?to_ms=${nowMs - hourMs}`)).toEqual([])
    expect(await idsOf(`?from_ms=${nowMs - hourMs}`)).toHaveLength(4)
    const first = await receipts('?limit=3')
    expect([first.data.length, first.has_more, first.last_id]).toEqual([3, true, ids[1]])
    const rest = await receipts(`?limit=3&after=${first.last_id}`)
    expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([[ids[0]], false])
    expect(await idsOf(`?status=completed&after=${ids[2]}`)).toEqual([ids[1], ids[0]])
  })

  test('can be filtered by id and by the code of an error', async () => {
    expect(await idsOf(`?id=${ids[1]}`)).toEqual([ids[1]])
    expect(await idsOf('?id=req_none')).toEqual([])
    expect(await idsOf('?error_code=context_length_exceeded')).toEqual([ids[2]])
    expect(await idsOf('?error_code=overloaded')).toEqual([])
  })

  test('can be downloaded as CSV and JSON with the same filters, but not those of another account', async () => {
    const csv = await owner.get('/requests.csv?error_code=context_length_exceeded')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, ...rows] = (await csv.text()).trimEnd().split('\r\n')
    expect(head).toMatch(/^id,created,status,key_id,/)
    expect(rows).toEqual([expect.stringContaining(`${ids[2]},`)])
    const all = await json<ExportedReceipts>(owner.get('/requests.json'))
    expect(all.data.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(all.has_more).toBe(false)
    expect(all.data[0]).toMatchObject({
      status: 'completed',
      completion_tokens: 4,
      error_code: null,
    })
    expect(await json(other.get('/requests.json'))).toEqual({ data: [], has_more: false })
  })

  test('can be read one by one, but not those of another account (T8)', async () => {
    const receipt = await json<Receipt>(owner.get(`/requests/${ids[2]}`))
    expect(receipt).toMatchObject({ status: 'refused', error: { code: 'context_length_exceeded' } })
    expect((await receipts('', other)).data).toEqual([])
    expect(await errorOf(other.get(`/requests/${ids[2]}`))).toEqual([
      404,
      'request_not_found',
      'id',
    ])
    expect(await errorOf(other.get(`/requests?after=${ids[2]}`))).toEqual([
      404,
      'request_not_found',
      'after',
    ])
  })

  test.each([
    ['status=done', 'invalid_value', 'status'],
    ['limit=101', 'integer_above_max_value', 'limit'],
    ['from_ms=now', 'invalid_type', 'from_ms'],
    ['page=2', 'unsupported_parameter', 'page'],
  ])('refuse the query %s', async (query, code, param) => {
    expect(await errorOf(owner.get(`/requests?${query}`))).toEqual([400, code, param])
  })
})

test('every signed-in user sees the live status of the service', async () => {
  await owner.get('/live')
  await service.post({ ...question, max_tokens: 4 })
  const live = await json<PanelLive>(other.get('/live'))
  expect(live).toMatchObject({
    engine: { state: 'ready', running: 0, restarts: 0 },
    queue: { waiting: 0, max: 384 },
    service: { ledger_healthy: true, accepting: true },
    model: { id: 'svc-o1-mini', completion_tokens_max: 2048, device: null },
  })
  expect(live.engine.completion_tokens_per_second).toBeGreaterThan(0)
  expect(live.service.started_ms).toBeLessThanOrEqual(Date.now())
})
