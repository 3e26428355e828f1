import { Type, type Static } from 'typebox'

const amount = Type.String({ maxLength: 20, description: 'Decimal amount for a million tokens.' })
const day = Type.String({ maxLength: 10, description: 'A UTC day such as `2026-11-23`.' })
const currency = Type.String({ maxLength: 3, description: 'ISO 4217 code.' })

const price = { from: day, currency, prompt: amount, cached: amount, completion: amount }
const PanelPrice = Type.Object(price)
export type PanelPrice = Static<typeof PanelPrice>

export const NewPrice = Type.Object(
  { ...price, cached: Type.Optional(amount) },
  { additionalProperties: false },
)
export const PriceDay = Type.Object({ from: day }, { additionalProperties: false })

export const PanelPriceList = Type.Object({
  data: Type.Array(PanelPrice, { description: 'The latest first.' }),
})
export type PanelPriceList = Static<typeof PanelPriceList>
