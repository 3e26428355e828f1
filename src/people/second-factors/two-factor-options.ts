import { randomInt } from 'node:crypto'

/** better-auth's options for codes of an authenticator app. */
export const twoFactorOptions = {
  issuer: 'Pipit',
  schema: {
    user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
    twoFactor: {
      modelName: 'two_factors',
      fields: {
        backupCodes: 'backup_codes',
        userId: 'user_id',
        failedVerificationCount: 'failed_verification_count',
        lockedUntil: 'locked_until',
      },
    },
  },
  // Locking the account would lock out its owner. attempts/ counts wrong codes instead.
  accountLockout: { enabled: false },
  backupCodeOptions: { customBackupCodesGenerate: generateBackupCodes },
} as const

// Letters and digits that look different in every font: no l, I, i, 1, o, O or 0.
const backupCodeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const backupCodes = 10
const backupCodeHalf = 5

/** Returns backup codes of two groups of five characters, with almost 50 random bits each. */
function generateBackupCodes(): string[] {
  const char = () => backupCodeAlphabet.charAt(randomInt(backupCodeAlphabet.length))
  const half = () => Array.from({ length: backupCodeHalf }, char).join('')
  return Array.from({ length: backupCodes }, () => `${half()}-${half()}`)
}
