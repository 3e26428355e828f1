import { type Command, InvalidArgumentError } from 'commander'
import { keyLimits, type LimitChanges, type LimitName, type Limits } from '../key-limits.ts'

/** Values as commander parses them; `none` stands for null, which commander does not keep. */
export type LimitOptions = { [Name in LimitName]?: number | 'none' }

export function withLimitOptions(command: Command): Command {
  for (const { wireName, description } of keyLimits)
    command.option(`--${optionOf(wireName)} <number>`, `${description}, or "none"`, parseLimit)
  return command
}

export function limitChanges(given: LimitOptions): LimitChanges {
  const named = keyLimits.filter(({ name }) => given[name] !== undefined)
  return Object.fromEntries(
    named.map(({ name }) => [name, given[name] === 'none' ? null : given[name]]),
  )
}

/** Formats the limits that are set, for a table; a dash if there are none. */
export function limitsText(limits: Limits): string {
  const set = keyLimits.filter(({ name }) => limits[name] !== undefined)
  return set.map(({ name, wireName }) => `${optionOf(wireName)}=${limits[name]}`).join(' ') || '-'
}

function optionOf(wireName: string): string {
  return wireName.replaceAll('_', '-')
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Enter a whole number or "none".')
}
