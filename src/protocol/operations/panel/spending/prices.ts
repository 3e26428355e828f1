import { NewPrice, PanelPriceList, PriceDay } from '../../../panel/prices.ts'
import { contract, json } from '../../contract.ts'

const path = '/panel/api/prices'

/** Prices per million tokens. */
export const priceContracts = {
  list: contract({ method: 'GET', path, replies: json(PanelPriceList) }),
  set: contract({ method: 'POST', path, body: NewPrice, replies: json(PanelPriceList) }),
  remove: contract({
    method: 'POST',
    path: `${path}/remove`,
    body: PriceDay,
    replies: json(PanelPriceList),
  }),
}
