import type { ListedAccount } from '../../../people/account-list.ts'
import type { PanelAccount } from '../../../protocol/panel-accounts.ts'
import type { AccountUse } from '../../../usage/usage-report.ts'
import { limitsToWire } from '../limits.ts'

/** @param use usage since the beginning of the UTC month; undefined if there was none */
export function toPanelAccount(account: ListedAccount, use: AccountUse | undefined): PanelAccount {
  const { id, name, email, role, disabled, keys } = account
  return {
    id,
    name,
    email,
    role,
    disabled,
    created_ms: account.createdMs,
    last_seen_ms: account.lastSeenMs ?? null,
    keys,
    use: {
      requests: use?.requests ?? 0,
      prompt_tokens: use?.promptTokens ?? 0,
      completion_tokens: use?.completionTokens ?? 0,
    },
    limits: limitsToWire(account.limits),
  }
}
