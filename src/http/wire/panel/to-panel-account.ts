import type { ListedAccount } from '../../../people/account-list.ts'
import type { PanelAccount } from '../../../protocol/panel-accounts.ts'
import { limitsToWire } from '../limits.ts'

export function toPanelAccount(account: ListedAccount): PanelAccount {
  const { id, name, email, role, disabled, keys, use } = account
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
      requests: use.requests,
      prompt_tokens: use.promptTokens,
      completion_tokens: use.completionTokens,
    },
    limits: limitsToWire(account.limits),
  }
}
