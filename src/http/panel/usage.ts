import type { ApiKeys } from '../../accounts/api-keys.ts'
import { playgroundKey } from '../../accounts/playground-caller.ts'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { activityContracts as contracts } from '../../protocol/operations/panel/activity.ts'
import type { PanelUsage } from '../../protocol/panel-usage.ts'
import { addSums, type UsageReport, type UsageSums } from '../../usage/usage-report.ts'
import { HttpReply } from '../reply/http-reply.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { parseUsageQuery, type UsageQuery, wholeHour } from '../wire/panel/parse-usage-query.ts'
import { toUsageCsv, type UsagePoint } from '../wire/panel/to-usage-csv.ts'
import { toUsageSums } from '../wire/panel/to-usage-sums.ts'

export type PanelUsageServices = { usageReport: UsageReport; apiKeys: ApiKeys }

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="pipit-usage.csv"',
}

/** The usage of the signed-in user's account, by time and by key. */
export function panelUsageOperations(services: PanelUsageServices): PanelOperation[] {
  const signedIn = { auth: 'session', role: 'any' } as const
  return [
    operation(
      contracts.usage,
      signedIn,
    )(async ({ query, user }) => {
      const asked = parseUsageQuery(query)
      const points = await readPoints(services, user, asked)
      const totals = addSums(points.map(({ sums }) => sums))
      return {
        from_ms: asked.fromMs,
        to_ms: asked.toMs,
        step: asked.step,
        points: points.map(({ beginMs, sums }) => ({ begin_ms: beginMs, ...toUsageSums(sums) })),
        totals: toUsageSums(totals),
        ...(await readKeys(services, user, asked, totals)),
      }
    }),
    operation(
      contracts.usageCsv,
      signedIn,
    )(async ({ query, user }) => {
      const points = await readPoints(services, user, parseUsageQuery(query))
      return new HttpReply(200, toUsageCsv(points), csvHeaders)
    }),
  ]
}

async function readPoints(
  { usageReport }: PanelUsageServices,
  { accountId }: PanelUser,
  { fromMs, toMs, boundariesMs, keyId }: UsageQuery,
): Promise<UsagePoint[]> {
  // The first and the last day may be only partly within the range.
  const within = boundariesMs.map((ms) => Math.min(Math.max(ms, fromMs), toMs))
  const periods = await usageReport.periods(accountId, within, keyId)
  return periods.map((sums, i) => ({ beginMs: boundariesMs[i] ?? 0, sums }))
}

async function readKeys(
  { usageReport, apiKeys }: PanelUsageServices,
  { accountId }: PanelUser,
  { fromMs, toMs, keyId }: UsageQuery,
  totals: UsageSums,
): Promise<Pick<PanelUsage, 'keys' | 'keys_left_out'>> {
  const { keys, leftOut } =
    keyId === undefined
      ? await usageReport.keys(accountId, wholeHour(fromMs), wholeHour(toMs))
      : { keys: totals.requests === 0 ? [] : [{ keyId, sums: totals }], leftOut: 0 }
  const names = await apiKeys.names(
    accountId,
    keys.map((key) => key.keyId),
  )
  const nameOf = (id: string) => (id === playgroundKey.id ? playgroundKey.name : names.get(id))
  return {
    // Usage stays on record longer than its key.
    keys: keys.map((key) => ({
      key_id: key.keyId,
      name: nameOf(key.keyId) ?? key.keyId,
      ...toUsageSums(key.sums),
    })),
    keys_left_out: leftOut,
  }
}
