import { type Config, loadConfig, unknownSettings } from '../../config.ts'
import { StartError } from '../../errors.ts'
import { hasKey } from '../../storage/inspection/has-key.ts'
import { fault, type Finding, note, ok } from './finding.ts'

/** Reads the settings and tries what the start does with them. Returns no config if they cannot be read at all. */
export async function checkSettings(
  environment: NodeJS.ProcessEnv,
): Promise<{ config: Config | undefined; finding: Finding }> {
  let config: Config | undefined
  try {
    config = loadConfig(environment)
    await checkUse(config)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const finding = fault('settings', error.message, 'Correct it; see docs/configuration.md.')
    return { config, finding }
  }
  const unknown = unknownSettings(environment)
  const finding =
    unknown.length === 0
      ? ok('settings', 'all PIPIT_… variables are valid')
      : note('settings', `${unknown.join(', ')} is not a setting and has no effect`)
  return { config, finding }
}

/** @throws StartError as the start does */
async function checkUse(config: Config): Promise<void> {
  // Imported here, so that other commands do not load the server.
  const main = await import('../../main.ts')
  const { databaseUrl, dataDir } = config
  // Keys in PostgreSQL are not looked up.
  await main.checkSettings(config, databaseUrl === undefined ? hasKey(dataDir) : undefined)
}
