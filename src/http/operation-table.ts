import type { CompletionServices } from '../completions/completion-services.ts'
import type { Receipts } from '../usage/receipts.ts'
import type { ApiOperation, Operation, OperationServices } from './operation.ts'
import { chatCompletionOperations } from './operations/chat-completions.ts'
import { documentationOperations } from './operations/documentation.ts'
import { healthOperations, type Readiness } from './operations/health.ts'
import { inputTokensOperation } from './operations/input-tokens.ts'
import { keyOperation } from './operations/key.ts'
import { modelOperations } from './operations/models.ts'
import { requestOperations } from './operations/requests.ts'
import { panelAccountOperations } from './panel/accounts.ts'
import { panelAssetOperations } from './panel/panel-assets.ts'
import { panelAuthOperations } from './panel/auth.ts'
import { panelKeyOperations, type PanelKeyServices } from './panel/keys.ts'
import { liveOperation, type PanelLiveServices } from './panel/live.ts'
import { panelRequestOperations } from './panel/requests.ts'
import { type PanelServices, panelSessionOperations } from './panel/session.ts'
import { playgroundOperations } from './panel/playground.ts'
import { panelUsageOperations, type PanelUsageServices } from './panel/usage.ts'

export type ServerServices = CompletionServices &
  Omit<OperationServices, 'toPlaygroundCaller'> & {
    receipts: Receipts
    readiness: () => Readiness
    /** The output of tools/panel.mjs. */
    panelFolder: string
  } & PanelServices &
  PanelKeyServices &
  PanelUsageServices &
  PanelLiveServices

/** Returns every operation of the service. */
export function operationTable(services: ServerServices): Operation[] {
  const api: ApiOperation[] = [
    ...chatCompletionOperations(services),
    inputTokensOperation(services),
    ...modelOperations(services.engine, services.now()),
    ...requestOperations(services.receipts),
    keyOperation(services.rateLimits),
    ...healthOperations(services.readiness),
  ]
  return [
    ...api,
    ...documentationOperations(api),
    ...panelSessionOperations(services),
    ...panelAuthOperations(services),
    ...panelAccountOperations(services.panelAccounts),
    ...panelKeyOperations(services),
    ...panelUsageOperations(services),
    ...panelRequestOperations(services.receipts),
    liveOperation(services),
    ...playgroundOperations(services),
    ...panelAssetOperations(services.panelFolder),
  ]
}
