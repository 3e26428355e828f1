import { Type, type Static } from 'typebox'
import { orNull } from '../nullable.ts'

const kinds = ['tokens', 'money'] as const
const kind = Type.Unsafe<(typeof kinds)[number]>({ type: 'string', enum: [...kinds] })
const amount = Type.String({ maxLength: 24, description: 'Tokens, or a decimal amount of money.' })

const PanelBudget = Type.Object({
  account_id: Type.String(),
  account_name: Type.String(),
  kind,
  amount,
  currency: orNull(Type.String({ description: 'ISO 4217 code; null for tokens.' })),
  thresholds: Type.Array(Type.Integer(), { description: 'Percentages, ascending.' }),
  used: Type.String({ description: 'The use of this UTC month, exact, in the unit of `amount`.' }),
  used_percent: Type.Integer({ description: 'Rounded down.' }),
})
export type PanelBudget = Static<typeof PanelBudget>

export const PanelBudgetList = Type.Object({
  data: Type.Array(PanelBudget),
  currency: orNull(Type.String({ description: 'The currency of the prices; null without any.' })),
})
export type PanelBudgetList = Static<typeof PanelBudgetList>

const accountId = Type.String({ maxLength: 64 })

export const NewBudget = Type.Object(
  {
    account_id: accountId,
    kind,
    amount,
    thresholds: Type.Array(Type.Integer(), { maxItems: 32 }),
  },
  { additionalProperties: false },
)
export const BudgetAccount = Type.Object({ account_id: accountId }, { additionalProperties: false })
