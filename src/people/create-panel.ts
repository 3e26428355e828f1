import type { IncomingHttpHeaders } from 'node:http'
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { PanelConfig } from '../config.ts'
import type { Database } from '../storage/database.ts'
import type { Logger } from '../telemetry/logger.ts'
import { Attempts } from './attempts/attempts.ts'
import { Devices } from './attempts/devices.ts'
import { Proofs } from './attempts/proofs.ts'
import { PanelAccounts } from './panel-accounts.ts'
import { PanelAuth } from './panel-auth.ts'
import { SignUpPolicy } from './sign-up/sign-up-policy.ts'

type PanelOptions = {
  database: Database
  /** Signs the cookies. */
  secret: string
  apiKeys: ApiKeys
  logger: Logger
  now: () => number
  /** Returns the URL on which the service listens. Called only after the service has begun to listen. */
  listenUrl: () => string
}

/** Creates the services behind the panel: sign-in, accounts, and the limits on sign-in attempts. */
export function createPanel(
  { publicUrl, signUp, oidc }: PanelConfig,
  { database, secret, apiKeys, logger, now, listenUrl }: PanelOptions,
) {
  const signUpPolicy = new SignUpPolicy({ database, now, fixed: signUp })
  const common = { database, now, signUpPolicy, url: () => publicUrl ?? listenUrl() }
  const panelAuth = new PanelAuth({ ...common, secret, logger, oidc })
  const devices = new Devices({ secret, now, url: common.url })
  // Uses the monotonic clock: a change of the wall clock must not end or prolong a wait.
  const monotonicMs = () => Math.round(performance.now())
  const accountChanged = (id: string) => apiKeys.refreshAccount(id)
  return {
    checkSession: (headers: IncomingHttpHeaders) => panelAuth.checkSession(headers),
    panelAuth,
    panelAccounts: new PanelAccounts({ ...common, auth: panelAuth, accountChanged }),
    attempts: new Attempts({ now: monotonicMs, devices, proofs: new Proofs({ secret, now }) }),
    devices,
    oidcName: oidc?.name,
    publicOrigin: publicUrl,
  }
}
