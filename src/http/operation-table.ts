import type { CompletionServices } from '../completions/completion-services.ts'
import type { openSpending } from '../spending/open-spending.ts'
import type { IsTrustedProxy } from '../addresses.ts'
import type { Tracer } from '../telemetry/tracing/tracer.ts'
import type { Receipts } from '../usage/receipts.ts'
import type { ApiOperation, Operation, OperationServices } from './operation.ts'
import { chatCompletionOperations } from './operations/chat-completions.ts'
import { documentationOperations } from './operations/documentation.ts'
import { healthOperations, type Readiness } from './operations/health.ts'
import { inputTokensOperation } from './operations/input-tokens.ts'
import { keyOperation } from './operations/key.ts'
import { modelOperations } from './operations/models.ts'
import { requestOperations } from './operations/requests.ts'
import { tokenizeOperation } from './operations/tokenize.ts'
import { panelAccountOperations } from './panel/accounts.ts'
import { panelAuditOperation } from './panel/audit.ts'
import { panelAssetOperations, readPanelPage } from './panel/panel-assets.ts'
import { panelAuthOperations } from './panel/auth.ts'
import { panelKeyOperations, type PanelKeyServices } from './panel/keys.ts'
import { liveOperation, type PanelLiveServices } from './panel/live.ts'
import { panelModelOperations, type PanelModelServices } from './panel/models/models.ts'
import { replicasOperation, type PanelReplicaServices } from './panel/replicas/replicas.ts'
import { panelRequestOperations } from './panel/requests.ts'
import { type PanelServices, panelSessionOperations } from './panel/session.ts'
import { panelAlertOperations } from './panel/spending/alerts.ts'
import { panelBudgetOperations } from './panel/spending/budgets.ts'
import { panelPriceOperations } from './panel/spending/prices.ts'
import type { TlsCertificate } from './tls-certificate.ts'
import { playgroundOperations } from './panel/playground.ts'
import { panelUsageOperations, type PanelUsageServices } from './panel/usage.ts'

export type ServerServices = CompletionServices &
  Omit<OperationServices, 'toPlaygroundCaller'> & {
    connectionsPerAddress: number
    isTrustedProxy: IsTrustedProxy
    /** TLS certificate of the service. Without one, the service speaks HTTP without TLS. */
    certificate: TlsCertificate | undefined
    /** Set if requests are traced. */
    tracer: Tracer | undefined
    receipts: Receipts
    readiness: () => Readiness
    /** Folder with the output of tools/panel.mjs. */
    panelFolder: string
  } & PanelServices &
  PanelKeyServices &
  PanelUsageServices &
  ReturnType<typeof openSpending> &
  PanelLiveServices &
  PanelReplicaServices &
  PanelModelServices

/** Returns every operation of the service. */
export function operationTable(services: ServerServices): Operation[] {
  const api: ApiOperation[] = [
    ...chatCompletionOperations(services),
    inputTokensOperation(services),
    tokenizeOperation(services),
    ...modelOperations(services.engine, services.now()),
    ...requestOperations(services.receipts),
    keyOperation(services.rateLimits),
    ...healthOperations(services.readiness),
  ]
  const page = readPanelPage(services.panelFolder)
  return [
    ...api,
    ...documentationOperations(api, page),
    ...panelSessionOperations(services),
    ...panelAuthOperations(services),
    ...panelAccountOperations(services),
    panelAuditOperation(services.panelAccounts),
    ...panelKeyOperations(services),
    ...panelUsageOperations(services),
    ...panelPriceOperations(services),
    ...panelBudgetOperations(services),
    ...panelAlertOperations(services),
    ...panelRequestOperations(services.receipts),
    liveOperation(services),
    replicasOperation(services),
    ...panelModelOperations(services),
    ...playgroundOperations(services),
    ...panelAssetOperations(services.panelFolder, page),
  ]
}
