import type { Me } from '../../../protocol/panel-session.ts'
import type { User } from '../../../people/users.ts'
import { limitsToWire } from '../limits.ts'

export function toMe({ account, twoFactorEnabled, ...user }: User, hasPassword: boolean): Me {
  return {
    user: { ...user, two_factor_enabled: twoFactorEnabled, has_password: hasPassword },
    account: { id: account.id, name: account.name, limits: limitsToWire(account.limits) },
  }
}
