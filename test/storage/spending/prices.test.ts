import { expect, test } from 'vitest'
import { addToSums } from '../../../src/usage/usage-sums-statements.ts'
import { UsageReport } from '../../../src/usage/usage-report.ts'
import { listAudit, serviceActor } from '../../../src/storage/audit/audit-log.ts'
import { addUp } from '../../../src/storage/additions.ts'
import type { Database } from '../../../src/storage/database.ts'
import { Prices, pricesMax, type WantedPrice } from '../../../src/spending/prices/prices.ts'
import { costsOfKeys } from '../../../src/spending/prices/usage-costs.ts'
import { useDatabases } from '../../support/databases.ts'

const databases = useDatabases()
const nowMs = Date.UTC(2026, 10, 23, 12)
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const price = (from: string, changed: Partial<WantedPrice> = {}): WantedPrice => ({
  from,
  currency: 'EUR',
  prompt: '0.15',
  cached: '0.03',
  completion: '0.60',
  ...changed,
})
const set = (prices: Prices, wanted: WantedPrice) => prices.set(wanted, serviceActor, nowMs)

test('prices are kept as integers, and a day has one set of them', async () => {
  const prices = new Prices(await databases.open())
  expect((await prices.read()).currency).toBeUndefined()
  await set(prices, price('2026-11-01'))
  await set(prices, price('2026-11-23', { prompt: '999999.999999', cached: undefined }))
  await set(prices, price('2026-11-01', { completion: '0.000001' }))
  expect(await prices.list()).toEqual([
    {
      fromMs: day('2026-11-01'),
      currency: 'EUR',
      promptMicros: 150_000,
      cachedMicros: 30_000,
      completionMicros: 1,
    },
    {
      fromMs: day('2026-11-23'),
      currency: 'EUR',
      promptMicros: 999_999_999_999,
      cachedMicros: 999_999_999_999,
      completionMicros: 600_000,
    },
  ])
})

test('a changed and a removed price are in the audit log with their author', async () => {
  const database = await databases.open()
  const prices = new Prices(database)
  const ada = { userId: 'user_1', name: 'ada@example.com' }
  await prices.set(price('2026-11-01'), ada, nowMs)
  await prices.set(price('2026-11-01', { prompt: '0.2' }), ada, nowMs + 1)
  await prices.remove('2026-11-01', ada, nowMs + 2)
  await expect(prices.remove('2026-11-01', ada, nowMs + 3)).rejects.toThrow('No prices begin')
  const entries = await listAudit(database, 10)
  const prompt = (text: string | null) => (text === null ? null : JSON.parse(text).prompt)
  expect(
    entries.map(({ actor, action, target_name, before, after }) => [
      actor,
      action,
      target_name,
      prompt(before),
      prompt(after),
    ]),
  ).toEqual([
    ['ada@example.com', 'prices.remove', '2026-11-01', '0.2', null],
    ['ada@example.com', 'prices.set', '2026-11-01', '0.15', '0.2'],
    ['ada@example.com', 'prices.set', '2026-11-01', null, '0.15'],
  ])
})

const wrongPrices = [
  ['a price below zero', { prompt: '-1' }, 'prompt'],
  ['a price with seven decimals', { cached: '0.0000001' }, 'cached'],
  ['a price with an exponent', { completion: '1e3' }, 'completion'],
  ['a price of a million', { completion: '1000000' }, 'completion'],
  ['a price without digits', { prompt: '' }, 'prompt'],
  ['a currency in small letters', { currency: 'eur' }, 'currency'],
  ['a day that does not exist', { from: '2026-02-30' }, 'from'],
  ['a day before 1970', { from: '1969-12-31' }, 'from'],
  ['another currency than before', { currency: 'USD' }, 'currency'],
] as const

test('wrong prices are refused and change nothing', async () => {
  const database = await databases.open()
  const prices = new Prices(database)
  await set(prices, price('2026-11-01'))
  for (const [name, changed, param] of wrongPrices)
    await expect(set(prices, price('2026-11-02', changed)), name).rejects.toMatchObject({
      code: 'invalid_value',
      param,
    })
  expect(await prices.list()).toHaveLength(1)
  expect(await listAudit(database, 10)).toHaveLength(1)
})

test('the only prices may get another currency, and the number of prices has a maximum', async () => {
  const prices = new Prices(await databases.open())
  await set(prices, price('2026-11-01'))
  await set(prices, price('2026-11-01', { currency: 'USD' }))
  const dayOf = (number: number) => new Date(day('2020-01-01') + number * 86_400_000)
  const text = (number: number) => dayOf(number).toISOString().slice(0, 10)
  for (let number = 1; number < pricesMax; number++)
    await set(prices, price(text(number), { currency: 'USD' }))
  await expect(set(prices, price(text(0), { currency: 'USD' }))).rejects.toThrow('maximum')
  await set(prices, price(text(1), { currency: 'USD', prompt: '7' }))
  expect(await prices.list()).toHaveLength(pricesMax)
})

/** Adds the tokens of one request to the sums. */
async function use(database: Database, keyId: string, createdMs: number, promptTokens: number) {
  const counted = { accountId: 'acct_1', keyId, createdMs, requests: 1, errors: 0, promptTokens }
  await database.write(addUp([addToSums({ ...counted, cachedTokens: 10, completionTokens: 5 })]))
}

test('the costs of a key are those of the prices of each UTC day, and exact', async () => {
  const database = await databases.open()
  const prices = new Prices(database)
  await set(prices, price('2026-11-10'))
  await set(prices, price('2026-11-20', { prompt: '1', cached: '0.1', completion: '2' }))
  for (const [keyId, at] of [
    ['key_1', '2026-11-09T23:59Z'],
    ['key_1', '2026-11-10T00:00Z'],
    ['key_1', '2026-11-19T23:59Z'],
    ['key_1', '2026-11-20T00:00Z'],
    ['key_2', '2026-11-01T00:00Z'],
    ['key_3', '2026-11-21T00:00Z'],
  ] as const)
    await use(database, keyId, Date.parse(at), 110)
  const range = { fromMs: day('2026-10-03') + 3_600_000, toMs: day('2026-12-01') }
  const usageReport = new UsageReport(database)
  const costs = await costsOfKeys(
    { usageReport, prices: await prices.read() },
    'acct_1',
    ['key_1', 'key_2', 'key_none'],
    range,
  )
  // Each request has 100 uncached, 10 cached and 5 completion tokens: 18.3 millionths of a unit at first, 111 later.
  expect(costs).toEqual(new Map([['key_1', 2n * 18_300_000n + 111_000_000n]]))
})
