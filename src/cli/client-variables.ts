import process from 'node:process'
import { StartError } from '../errors.ts'
import { clientVariables, earlierNameOf, settingNames } from '../settings/settings-table.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Earlier names that this process has reported. */
const reported = new Set<string>()

/**
 * Returns the variable's value. Falls back to its earlier name, which is reported once. An empty value counts as unset.
 */
export function clientVariable(
  name: keyof typeof clientVariables,
  environment: Environment,
): string | undefined {
  return valueOf(name, environment) ?? earlierValue(name, clientVariables[name], environment)
}

/**
 * Returns the API key of the command line, or else that of PIPIT_API_KEY.
 * @throws StartError, without the key, if no header can carry it
 */
export function readApiKey(
  given: string | undefined,
  environment: Environment,
): string | undefined {
  const key = given ?? clientVariable('PIPIT_API_KEY', environment)
  const position = key?.search(/[^\x21-\x7e]/) ?? -1
  if (position !== -1)
    throw new StartError(
      `The API key has a character that no key has (position ${position + 1}). Copy it again.`,
    )
  return key
}

/** Reports each setting that is set only under its earlier name. */
export function reportRenamedSettings(environment: Environment): void {
  for (const name of settingNames) {
    const earlierName = earlierNameOf(name)
    if (earlierName !== undefined && valueOf(name, environment) === undefined)
      earlierValue(name, earlierName, environment)
  }
}

function earlierValue(
  name: string,
  earlierName: string,
  environment: Environment,
): string | undefined {
  const value = valueOf(earlierName, environment)
  if (value !== undefined && !reported.has(earlierName)) {
    reported.add(earlierName)
    process.stderr.write(`pipit: ${earlierName} is called ${name} now. Rename it.\n`)
  }
  return value
}

function valueOf(name: string, environment: Environment): string | undefined {
  return environment[name]?.trim() || undefined
}
