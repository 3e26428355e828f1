import type { UsageReport } from '../../usage/usage-report.ts'
import { addCosts, type PricedTokens, type PriceList } from './price-list.ts'

/**
 * Splits periods where the prices change. Returns the boundaries with one added at each change, and the number of parts
 * into which each given period is split.
 */
export function splitAtPrices(
  prices: PriceList,
  boundariesMs: readonly number[],
): { boundariesMs: number[]; parts: number[] } {
  const split = boundariesMs.slice(0, 1)
  const parts: number[] = []
  for (const [index, toMs] of boundariesMs.slice(1).entries()) {
    const changes = prices.changesBetween(boundariesMs[index] ?? toMs, toMs)
    split.push(...changes, toMs)
    parts.push(changes.length + 1)
  }
  return { boundariesMs: split, parts }
}

/**
 * Returns the cost of each key's tokens in a period of whole hours. Leaves out keys that used no priced tokens in this
 * period.
 * @throws ServiceError ledger_unavailable
 */
export async function costsOfKeys(
  { usageReport, prices }: { usageReport: UsageReport; prices: PriceList },
  accountId: string,
  keyIds: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Map<string, bigint>> {
  const costs = new Map<string, bigint>()
  if (prices.currency === undefined || fromMs >= toMs) return costs
  const boundariesMs = [fromMs, ...prices.changesBetween(fromMs, toMs), toMs]
  const used = await usageReport.tokensOfKeys(accountId, keyIds, boundariesMs)
  for (const { keyId, period, ...tokens } of used) {
    const cost = addCosts([costs.get(keyId), costAt(prices, boundariesMs[period], tokens)])
    if (cost !== undefined) costs.set(keyId, cost)
  }
  return costs
}

function costAt(prices: PriceList, atMs: number | undefined, tokens: PricedTokens) {
  return atMs === undefined ? undefined : prices.cost(atMs, tokens)
}
