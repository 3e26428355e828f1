import { randomBytes } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { readSecretFile, writeSecretFile } from '../storage/secret-file.ts'
import { queries } from '../storage/statement.ts'
import type { Logger } from '../telemetry/logger.ts'

/**
 * Returns the secret that signs the panel's cookies and encrypts two-factor secrets. It is created once and kept in a
 * file beside the database, so that a copy of the database does not contain it.
 * @throws StartError
 */
export async function openCookieSecret(database: Database, logger: Logger): Promise<string> {
  const found = readSecretFile(database.dataDir)
  if (found !== undefined) return found
  const secret = randomBytes(32).toString('base64url')
  writeSecretFile(database.dataDir, secret)
  const signedIn = await database.read(queries.selectFrom('sessions').select('id').limit(1))
  const twoFactor = await database.read(queries.selectFrom('two_factors').select('id'))
  if (signedIn.length > 0 || twoFactor.length > 0)
    logger.warn(
      'panel.secret was missing: everyone must sign in again, and two-factor sign-in must be removed with `pipit accounts reset-password --remove-two-factor`',
      { count: twoFactor.length },
    )
  return secret
}
