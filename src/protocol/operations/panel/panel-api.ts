import type { ByName } from '../contract.ts'
import type { accountContracts } from './accounts.ts'
import type { activityContracts } from './activity.ts'
import type { auditContracts } from './audit.ts'
import type { authContracts } from './auth.ts'
import type { keyContracts } from './keys.ts'
import type { modelContracts } from './models.ts'
import type { playgroundContracts } from './playground.ts'
import type { sessionContracts } from './session.ts'
import type { alertContracts } from './spending/alerts.ts'
import type { budgetContracts } from './spending/budgets.ts'
import type { priceContracts } from './spending/prices.ts'

type Values<T> = T[keyof T]

/** All operations that the panel may call, by `METHOD /path`. */
export type PanelApi = ByName<
  | Values<typeof accountContracts>
  | Values<typeof activityContracts>
  | Values<typeof auditContracts>
  | Values<typeof alertContracts>
  | Values<typeof authContracts>
  | Values<typeof budgetContracts>
  | Values<typeof keyContracts>
  | Values<typeof modelContracts>
  | Values<typeof playgroundContracts>
  | Values<typeof priceContracts>
  | Values<typeof sessionContracts>
>
