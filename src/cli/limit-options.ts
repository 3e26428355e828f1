import { type Command, InvalidArgumentError } from 'commander'
import type { LimitChanges, LimitName, Limits } from '../accounts/allowance.ts'

/** As commander names what `options` holds; it keeps no null. */
export type LimitOptions = { [Name in LimitName]?: number | 'none' }

const options: readonly (readonly [LimitName, flag: string, what: string])[] = [
  ['requestsPerMinute', '--requests-per-minute', 'requests a minute'],
  ['tokensPerMinute', '--tokens-per-minute', 'tokens a minute, prompt and reply'],
  ['parallelRequests', '--parallel-requests', 'requests at a time'],
  ['tokensPerDay', '--tokens-per-day', 'tokens a day (UTC)'],
  ['tokensPerMonth', '--tokens-per-month', 'tokens a month (UTC)'],
]

export function withLimitOptions(command: Command): Command {
  for (const [, flag, what] of options)
    command.option(`${flag} <number>`, `at most so many ${what}; none: no limit`, parseLimit)
  return command
}

export function limitChanges(given: LimitOptions): LimitChanges {
  const named = options.filter(([name]) => given[name] !== undefined)
  return Object.fromEntries(
    named.map(([name]) => [name, given[name] === 'none' ? null : given[name]]),
  )
}

/** For people: what is limited, or a dash. */
export function limitsText(limits: Limits): string {
  const named = options.filter(([name]) => limits[name] !== undefined)
  return named.map(([name, flag]) => `${flag.slice(2)}=${limits[name]}`).join(' ') || '-'
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, or none.')
}
