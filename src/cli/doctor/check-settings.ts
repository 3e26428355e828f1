import { parseWeights } from '../../completions/admission/weights.ts'
import { type Config, loadConfig, unknownSettings } from '../../config.ts'
import { StartError } from '../../errors.ts'
import { requireKeyUnlessLoopback } from '../../http/listen.ts'
import { TlsCertificate } from '../../http/tls-certificate.ts'
import { countUsableKeys } from '../../storage/inspection/count-keys.ts'
import { silentLogger } from '../../telemetry/logger.ts'
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
async function checkUse({ weights, tls, host, databaseUrl, dataDir }: Config): Promise<void> {
  parseWeights(weights)
  if (tls !== undefined) await TlsCertificate.open(tls, silentLogger)
  // The keys in PostgreSQL are not counted here.
  if (databaseUrl !== undefined) return
  const keys = countUsableKeys(dataDir, Date.now())
  if (keys !== undefined) requireKeyUnlessLoopback(host, keys)
}
