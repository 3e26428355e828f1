import type { ApiKeys } from '../../accounts/api-keys.ts'
import { playgroundKey } from '../../accounts/caller.ts'
import { usageKeysOfCsvMax } from '../../limits.ts'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { activityContracts as contracts } from '../../protocol/operations/panel/activity.ts'
import type { PanelUsage } from '../../protocol/panel-usage.ts'
import { addCosts, type PriceList } from '../../spending/prices/price-list.ts'
import type { Prices } from '../../spending/prices/prices.ts'
import { costsOfKeys, splitAtPrices } from '../../spending/prices/usage-costs.ts'
import { addDetails, type UsageDetails } from '../../usage/times/usage-details.ts'
import { addSums, type UsageReport, type UsageSums } from '../../usage/usage-report.ts'
import { HttpResponse } from '../reply/http-response.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { parseUsageQuery, type UsageQuery, wholeHour } from '../wire/panel/parse-usage-query.ts'
import { toKeysCsv, toUsageCsv } from '../wire/panel/export/to-usage-csv.ts'
import { toDetailedSums, toUsageSums } from '../wire/panel/to-usage-sums.ts'
import { signedIn } from '../access/check-session.ts'

export type PanelUsageServices = { usageReport: UsageReport; apiKeys: ApiKeys; prices: Prices }
type Services = Omit<PanelUsageServices, 'prices'> & { prices: PriceList }

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="pipit-usage.csv"',
}

/** The usage of the signed-in user's account, by time and by key. */
export function panelUsageOperations(services: PanelUsageServices): PanelOperation[] {
  const withPrices = async () => ({ ...services, prices: await services.prices.read() })
  return [
    operation(
      contracts.usage,
      signedIn,
    )(async ({ query, user }) => {
      const asked = parseUsageQuery(query)
      const priced = await withPrices()
      const points = await readPoints(priced, user, asked)
      const total = addPoints(points)
      return {
        from_ms: asked.fromMs,
        to_ms: asked.toMs,
        step: asked.step,
        currency: priced.prices.currency ?? null,
        points: points.map(toPoint),
        totals: toDetailedSums(total.sums, total.details, total.cost),
        errors_by_code: await readErrors(services, user, asked),
        ...(await readKeys(priced, user, asked, total)),
      }
    }),
    operation(
      contracts.usageCsv,
      signedIn,
    )(async ({ query, user }) => {
      const { table = 'time', ...rest } = query
      const asked = parseUsageQuery(rest)
      const priced = await withPrices()
      const currency = priced.prices.currency ?? null
      const points = await readPoints(priced, user, asked)
      if (table === 'time')
        return new HttpResponse(200, toUsageCsv(points.map(toPoint), currency), csvHeaders)
      const { keys } = await readKeys(priced, user, asked, addPoints(points), usageKeysOfCsvMax)
      return new HttpResponse(200, toKeysCsv(keys, currency), csvHeaders)
    }),
  ]
}

type Figures = { sums: UsageSums; details: UsageDetails; cost: bigint | undefined }
/** Figures of the period that begins at `beginMs`. */
type UsagePoint = Figures & { beginMs: number }

function toPoint({ beginMs, sums, details, cost }: UsagePoint): PanelUsage['points'][number] {
  return { begin_ms: beginMs, ...toDetailedSums(sums, details, cost) }
}

function addPoints(points: readonly Figures[]): Figures {
  return {
    sums: addSums(points.map(({ sums }) => sums)),
    details: addDetails(points.map(({ details }) => details)),
    cost: addCosts(points.map(({ cost }) => cost)),
  }
}

async function readPoints(
  { usageReport, prices }: Services,
  { accountId }: PanelUser,
  { fromMs, toMs, boundariesMs, keyId }: UsageQuery,
): Promise<UsagePoint[]> {
  // The first and the last day may be only partly within the range.
  const within = boundariesMs.map((ms) => Math.min(Math.max(ms, fromMs), toMs))
  const split = splitAtPrices(prices, within)
  const [periods, details] = await Promise.all([
    usageReport.periods(accountId, split.boundariesMs, keyId),
    usageReport.details(accountId, within, keyId),
  ])
  const costs = periods.map((sums, i) => prices.cost(split.boundariesMs[i] ?? 0, sums))
  let end = 0
  return split.parts.map((parts, i) => {
    const begin = end
    end += parts
    return {
      beginMs: boundariesMs[i] ?? 0,
      sums: addSums(periods.slice(begin, end)),
      details: details[i] ?? addDetails([]),
      cost: addCosts(costs.slice(begin, end)),
    }
  })
}

async function readErrors(
  { usageReport }: PanelUsageServices,
  { accountId }: PanelUser,
  { fromMs, toMs, keyId }: UsageQuery,
): Promise<PanelUsage['errors_by_code']> {
  return await usageReport.errors(accountId, wholeHour(fromMs), wholeHour(toMs), keyId)
}

async function readKeys(
  { usageReport, apiKeys, prices }: Services,
  { accountId }: PanelUser,
  { fromMs, toMs, keyId }: UsageQuery,
  total: Figures,
  keysMax?: number,
): Promise<Pick<PanelUsage, 'keys' | 'keys_left_out'>> {
  const hours = { fromMs: wholeHour(fromMs), toMs: wholeHour(toMs) }
  const { keys, leftOut } =
    keyId === undefined
      ? await usageReport.keys(accountId, hours.fromMs, hours.toMs, keysMax)
      : { keys: total.sums.requests === 0 ? [] : [{ keyId, sums: total.sums }], leftOut: 0 }
  const ids = keys.map((key) => key.keyId)
  const [names, costs] = await Promise.all([
    apiKeys.list.names(accountId, ids),
    costsOfKeys({ usageReport, prices }, accountId, ids, hours),
  ])
  const nameOf = (id: string) => (id === playgroundKey.id ? playgroundKey.name : names.get(id))
  return {
    // Usage records may outlive their key.
    keys: keys.map((key) => ({
      key_id: key.keyId,
      name: nameOf(key.keyId) ?? key.keyId,
      ...toUsageSums(key.sums, costs.get(key.keyId)),
    })),
    keys_left_out: leftOut,
  }
}
