/** Loads the dialog for backup codes. Call it before a request that is answered with codes: they come only once. */
export async function loadBackupCodes() {
  return { default: (await import('./backup-codes.tsx')).BackupCodes }
}
