import process from 'node:process'
import { clientVariables } from '../config.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Names that this process was told of. */
const told = new Set<string>()

/** Returns the variable, or the one with its earlier name, of which it tells once. An empty one counts as unset. */
export function clientVariable(
  name: keyof typeof clientVariables,
  environment: Environment,
): string | undefined {
  const value = environment[name]?.trim() || undefined
  if (value !== undefined) return value
  const earlierName = clientVariables[name]
  const earlier = environment[earlierName]?.trim() || undefined
  if (earlier !== undefined && !told.has(earlierName)) {
    told.add(earlierName)
    process.stderr.write(`pipit: ${earlierName} is called ${name} now. Rename it.\n`)
  }
  return earlier
}
