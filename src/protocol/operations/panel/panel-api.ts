import type { ByName } from '../contract.ts'
import type { accountContracts } from './accounts.ts'
import type { activityContracts } from './activity.ts'
import type { authContracts } from './auth.ts'
import type { keyContracts } from './keys.ts'
import type { playgroundContracts } from './playground.ts'
import type { sessionContracts } from './session.ts'

type Values<T> = T[keyof T]

/** Everything that the panel may ask of the service, by `METHOD /path`. */
export type PanelApi = ByName<
  | Values<typeof accountContracts>
  | Values<typeof activityContracts>
  | Values<typeof authContracts>
  | Values<typeof keyContracts>
  | Values<typeof playgroundContracts>
  | Values<typeof sessionContracts>
>
