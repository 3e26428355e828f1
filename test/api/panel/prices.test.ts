import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PanelPriceList } from '../../../src/protocol/panel/prices.ts'
import type { PanelUsage } from '../../../src/protocol/panel-usage.ts'
import { addUser, type Signed, setUp } from '../../support/panel/panel.ts'
import { errorOf } from '../../support/error-of.ts'
import { runCli } from '../../support/process.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const hourMs = 3_600_000
let service: TestService
let ada: Signed
let bob: Signed
beforeAll(async () => {
  service = await startTestService()
  ada = await setUp(service)
  bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  await service.post({ ...question, max_tokens: 4 })
})
afterAll(() => service.close())

// The range begins yesterday, so the price does too.
const yesterday = new Date(Date.now() - 24 * hourMs).toISOString().slice(0, 10)
const price = { from: yesterday, currency: 'EUR', prompt: '2', cached: '0.5', completion: '1000' }
const range = () => `from_ms=${Date.now() - 24 * hourMs}&to_ms=${Date.now() + hourMs}`
const usage = async (signed = ada) =>
  (await (await signed.get(`/usage?${range()}`)).json()) as PanelUsage
const csv = async (table: string) =>
  (await (await ada.get(`/usage.csv?${range()}&table=${table}`)).text()).trimEnd().split('\r\n')

test('without prices there is no cost', async () => {
  const { currency, totals, keys } = await usage()
  expect([currency, totals.cost, keys.map(({ cost }) => cost)]).toEqual([null, null, [null]])
  expect((await csv('time'))[0]).not.toContain('cost')
})

test('with prices, usage and its exports have exact costs by time and by key', async () => {
  const set = await ada.post('/prices', price)
  expect(await set.json()).toEqual({ data: [price] })
  const { currency, totals, points, keys } = await usage()
  const millionths =
    2 * (totals.prompt_tokens - totals.cached_tokens) +
    0.5 * totals.cached_tokens +
    1000 * totals.completion_tokens
  expect(totals.completion_tokens).toBe(4)
  expect([currency, Number(totals.cost)]).toEqual(['EUR', millionths / 1e6])
  expect(keys.map(({ cost }) => cost)).toEqual([totals.cost])
  const used = points.filter(({ requests }) => requests > 0)
  expect(used.map(({ cost }) => cost)).toEqual([totals.cost])
  expect(points.filter(({ cost }) => cost !== '0')).toEqual(used)
  const [head, row] = await csv('keys')
  expect(head).toMatch(/,cost,currency$/)
  expect(row).toMatch(new RegExp(`,${totals.cost},EUR$`))
  const times = (await csv('time')).slice(1).filter((line) => !line.endsWith(',0,EUR'))
  expect(times).toEqual([expect.stringMatching(new RegExp(`,${totals.cost},EUR$`))])
  expect((await usage(bob)).totals.cost).toBe('0')
})

test('prices are set on the command line too, and a day before the first price has no cost', async () => {
  const { environment } = service
  const run = (...words: string[]) => runCli(['prices', ...words], environment)
  const amounts = ['--prompt', '3', '--completion', '4']
  const wrong = await run('set', '--currency', 'USD', ...amounts, '--from', '2100-01-01')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('are in EUR')])
  const later = await run('set', '--currency', 'EUR', ...amounts, '--from', '2100-01-01')
  expect([later.code, later.stdout]).toEqual([0, 'Set the prices from 2100-01-01 (UTC).\n'])
  await ada.post('/prices/remove', { from: yesterday })
  const [only] = JSON.parse((await run('list', '--json')).stdout) as object[]
  expect(only).toEqual({
    from: '2100-01-01',
    currency: 'EUR',
    prompt: '3',
    cached: '3',
    completion: '4',
  })
  const { data } = (await (await ada.get('/prices')).json()) as PanelPriceList
  expect(data).toEqual([only])
  const { currency, totals } = await usage()
  expect([currency, totals.cost]).toEqual(['EUR', null])
  await ada.post('/prices/remove', { from: '2100-01-01' })
})

test('only admins see and change prices, and wrong ones are refused', async () => {
  expect((await errorOf(bob.get('/prices')))[0]).toBe(403)
  expect((await errorOf(bob.post('/prices', price)))[0]).toBe(403)
  expect(await errorOf(ada.post('/prices', { ...price, prompt: '1,5' }))).toEqual([
    400,
    'invalid_value',
    'prompt',
  ])
  expect(await errorOf(ada.post('/prices', { ...price, prompt: 1 }))).toEqual([
    400,
    'invalid_type',
    'prompt',
  ])
  expect(await errorOf(ada.post('/prices/remove', { from: '2001-01-01' }))).toEqual([
    404,
    'not_found',
    'from',
  ])
})
