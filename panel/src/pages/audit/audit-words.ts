import type { AuditEntry } from '../../../../src/protocol/panel/audit.ts'
import { hourMs } from '../../../../src/time/durations.ts'
import { formatDateTime } from '../../format/format-time.ts'

const actions: Readonly<Record<string, string>> = {
  'key.create': 'Created API key',
  'key.edit': 'Edited API key',
  'key.rotate': 'Rotated API key',
  'key.revoke': 'Revoked API key',
  'account.edit': 'Edited account',
  'user.create': 'Created user',
  'user.create_reset_link': 'Created password reset link',
  'user.reset_password': 'Reset password',
  'user.remove_two_factor': 'Removed two-factor authentication',
  'user.add_passkey': 'Added passkey',
  'user.delete_passkey': 'Removed passkey',
  'invites.allow': 'Turned invites on or off',
  'invite.create': 'Created invite',
  'invite.revoke': 'Revoked invite',
  'prices.set': 'Set prices',
  'prices.remove': 'Removed prices',
  'budget.set': 'Set budget',
  'budget.remove': 'Removed budget',
  'alerts.edit': 'Edited alerts',
  'model.pull': 'Started to pull model',
  'model.use': 'Switched to model',
  'model.remove': 'Removed model',
}

export function actionText(action: string): string {
  return actions[action] ?? action
}

/** Returns each changed value as a line, such as `tokens per day: 100 → none`. A removal has only values before. */
export function changeLines({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  return Object.keys({ ...before, ...after }).map((name) => {
    const label = name.replace(/_ms$/, '').replaceAll('_', ' ')
    const now = valueText(name, after?.[name])
    return before === null
      ? `${label}: ${now}`
      : `${label}: ${valueText(name, before[name])} → ${now}`
  })
}

function valueText(name: string, value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return 'none'
  if (name === 'grace_ms') return `${Number(value) / hourMs} h`
  return name.endsWith('_ms') ? formatDateTime(Number(value)) : String(value)
}
