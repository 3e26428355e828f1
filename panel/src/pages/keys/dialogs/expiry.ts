import { dayMs } from '../../../../../src/time/durations.ts'

export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'at', label: 'Custom date' },
] as const
type ExpiryChoice = (typeof expiryChoices)[number]['value']

/** The form's values. `at` is the value of a datetime-local field, in the user's time zone. */
export type Expiry = { choice: ExpiryChoice; at: string }

export function toExpiry(expiresMs: number | null): Expiry {
  return expiresMs === null
    ? { choice: 'never', at: '' }
    : { choice: 'at', at: toLocalText(expiresMs) }
}

/** Returns null for never, or undefined for an invalid time. */
export function parseExpiry({ choice, at }: Expiry, nowMs: number): number | null | undefined {
  switch (choice) {
    case 'never':
      return null
    case 'at': {
      const timeMs = new Date(at).getTime()
      return Number.isNaN(timeMs) ? undefined : timeMs
    }
    case '30':
    case '90':
    case '365':
      return nowMs + Number(choice) * dayMs
  }
}

/** 2026-11-22T02:22 */
function toLocalText(timeMs: number): string {
  const time = new Date(timeMs)
  const two = (part: number) => String(part).padStart(2, '0')
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`
}
