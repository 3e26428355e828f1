import type { IncomingHttpHeaders } from 'node:http'
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { PanelConfig } from '../config.ts'
import type { Database } from '../storage/database.ts'
import type { Logger } from '../telemetry/logger.ts'
import { Attempts } from './attempts.ts'
import { PanelAccounts } from './panel-accounts.ts'
import { PanelAuth } from './panel-auth.ts'

type PanelOptions = {
  database: Database
  apiKeys: ApiKeys
  logger: Logger
  now: () => number
  /** Returns the URL on which the service listens; called only once it does. */
  listenUrl: () => string
}

/** Creates the services behind the panel: sign-in, accounts, and the limits on sign-in attempts. */
export function createPanel(
  { publicUrl, signUp, oidc }: PanelConfig,
  { database, apiKeys, logger, now, listenUrl }: PanelOptions,
) {
  const common = { database, now, signUp, url: () => publicUrl ?? listenUrl() }
  const panelAuth = new PanelAuth({ ...common, logger, oidc })
  const accountChanged = (id: string) => apiKeys.refreshAccount(id)
  return {
    checkSession: (headers: IncomingHttpHeaders) => panelAuth.checkSession(headers),
    panelAuth,
    panelAccounts: new PanelAccounts({ ...common, auth: panelAuth, accountChanged }),
    attempts: new Attempts(now),
    signUp,
    oidcName: oidc?.name,
    publicOrigin: publicUrl,
  }
}
