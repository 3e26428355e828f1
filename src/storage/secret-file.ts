import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { secretCharsMin } from '../sign-in-limits.ts'
import { codeOf } from './storage-fault.ts'

const othersBits = 0o077

/**
 * Returns the data directory's secret, which has its own file outside the database; undefined if none exists yet.
 * Removes other users' access to the file.
 * @throws StartError if the file cannot be read, cannot be protected, or is damaged
 */
export function readSecretFile(dataDir: string): string | undefined {
  const path = pathIn(dataDir)
  try {
    if ((statSync(path).mode & othersBits) !== 0) chmodSync(path, 0o600)
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length >= secretCharsMin) return secret
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new StartError(
      `${path} cannot be read, or its mode cannot be set to 600 (${codeOf(cause)}). Make it a file of the user that runs Pipit.`,
      { cause },
    )
  }
  throw new StartError(
    `${path} is damaged. Restore it from the backup of this database, or delete it: then everyone must sign in again, and two-factor sign-in must be set up anew.`,
  )
}

/**
 * Writes the secret durably, readable by its owner only. Replaces an existing secret.
 * @throws StartError
 */
export function writeSecretFile(dataDir: string, secret: string): void {
  const path = pathIn(dataDir)
  const temporary = `${path}.new`
  try {
    rmSync(temporary, { force: true })
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeSync(file, `${secret}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    syncDirectory(dataDir)
  } catch (cause) {
    throw new StartError(
      `${path} cannot be written (${codeOf(cause)}). Give the user that runs Pipit access to its directory, and free some space.`,
      { cause },
    )
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'panel.secret')
}
