import { StartError } from '../errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the API key of `--key` or of PIPIT_API_KEY.
 * @throws StartError for PIPIT_KEY, the earlier name, which would otherwise have no effect without a word
 */
export function readApiKey(
  option: string | undefined,
  environment: Environment,
): string | undefined {
  const key = option ?? (environment['PIPIT_API_KEY']?.trim() || undefined)
  if (key === undefined && environment['PIPIT_KEY'] !== undefined)
    throw new StartError('PIPIT_KEY is no longer read. Name the variable PIPIT_API_KEY.')
  return key
}
