import { toActor } from '../../../people/audit/audit-entries.ts'
import { priceContracts as contracts } from '../../../protocol/operations/panel/spending/prices.ts'
import type { PanelPriceList } from '../../../protocol/panel/prices.ts'
import { type Prices, priceTexts } from '../../../spending/prices/prices.ts'
import { operation, type PanelOperation } from '../../operation.ts'
import { adminOnly } from '../../access/check-session.ts'

type PriceServices = { prices: Prices; now: () => number }

/** Prices of usage, for administrators. */
export function panelPriceOperations({ prices, now }: PriceServices): PanelOperation[] {
  return [
    operation(contracts.list, adminOnly)(() => listPrices(prices)),
    operation(
      contracts.set,
      adminOnly,
    )(async ({ body, user }) => {
      await prices.set(body, toActor(user), now())
      return await listPrices(prices)
    }),
    operation(
      contracts.remove,
      adminOnly,
    )(async ({ body, user }) => {
      await prices.remove(body.from, toActor(user), now())
      return await listPrices(prices)
    }),
  ]
}

async function listPrices(prices: Prices): Promise<PanelPriceList> {
  return { data: (await prices.list()).toReversed().map(priceTexts) }
}
