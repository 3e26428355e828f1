import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { secretCharsMin } from '../../sign-in-limits.ts'
import { inspectDatabase } from '../../storage/inspection/inspect-database.ts'
import { ballastBytes } from '../../storage/storage-limits.ts'
import { checkLedger } from './check-ledger.ts'
import { codeOf, fault, type Finding, note, ok } from './finding.ts'

const othersBits = 0o077
const diskBytesEnough = 1e9
/** Space for the ballast file, which is written at start-up, and for the first requests. */
const diskBytesMin = 2 * ballastBytes

type DataOptions = {
  full: boolean
  /** True if the database is in this directory. */
  hasDatabase: boolean
}

/** Checks the data directory, its disk, its files, the database and its ledger. */
export function checkData(dataDir: string, options: DataOptions): Finding[] {
  const folder = checkFolder(dataDir)
  if (folder.state === 'fault') return [folder]
  if (!existsSync(dataDir)) return [folder, checkDisk(existingParent(dataDir))]
  if (!options.hasDatabase) return [folder, checkDisk(dataDir), checkSecret(dataDir)]
  const database = checkDatabase(dataDir, options)
  const ledger = database.state === 'fault' ? [] : checkLedger(dataDir, options)
  return [folder, checkDisk(dataDir), checkSecret(dataDir), database, ...ledger]
}

function checkFolder(dataDir: string): Finding {
  const place = existsSync(dataDir) ? dataDir : existingParent(dataDir)
  try {
    if (!statSync(place).isDirectory())
      return fault(
        'data',
        `${place} is not a directory.`,
        'Set PIPIT_DATA_DIR to a directory, or move the file away.',
      )
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK)
    if (place !== dataDir) return ok('data', `${dataDir}, which the first start creates`)
    writeProbe(join(dataDir, `doctor-${process.pid}.tmp`))
  } catch (error) {
    return writeFault(dataDir, place, codeOf(error))
  }
  const isOpen = (statSync(dataDir).mode & othersBits) !== 0
  return isOpen
    ? note('data', `${dataDir}, which other users can list; \`chmod 700 ${dataDir}\` ends that`)
    : ok('data', dataDir)
}

/** @param place the data directory, or the nearest folder above it that exists */
function writeFault(dataDir: string, place: string, code: string): Finding {
  const text = `${place} cannot be read and written (${code}).`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return fault('data', text, 'Free some space on its disk.')
  if (code === 'EROFS')
    return fault(
      'data',
      text,
      'Mount its disk for writing, or set PIPIT_DATA_DIR to another place.',
    )
  return fault(
    'data',
    text,
    `${accessRemedy(dataDir)}, or set PIPIT_DATA_DIR to another directory.`,
  )
}

/** Names no folder but the data directory, because others may belong to the system or to another user. */
function accessRemedy(dataDir: string): string {
  const quoted = `'${dataDir.replaceAll("'", `'\\''`)}'`
  if (!existsSync(dataDir))
    return `Create it for your user (\`sudo install -d -m 700 -o $(id -u) ${quoted}\`)`
  const { uid: owner } = statSync(dataDir)
  if (owner === process.getuid?.()) return `Give your user access (\`chmod 700 ${quoted}\`)`
  if (owner === 0) return `Give your user access (\`sudo chown -R $(id -u) ${quoted}\`)`
  return `Run Pipit as its owner, the user with the id ${owner}`
}

/** Writes and removes a file. Only that reveals a full disk, a quota or a read-only mount. */
function writeProbe(path: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, Buffer.alloc(64 * 1024, 1))
    fsyncSync(file)
  } finally {
    closeSync(file)
    rmSync(path, { force: true })
  }
}

function checkDisk(place: string): Finding {
  const { bavail, bsize } = statfsSync(place)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB free for ${place}`
  if (free < diskBytesMin)
    return fault(
      'disk',
      `${text}; a start needs ${diskBytesMin / 1024 / 1024} MiB`,
      'Free some space.',
    )
  return free < diskBytesEnough ? note('disk', `${text}; disk space is low`) : ok('disk', text)
}

function checkSecret(dataDir: string): Finding {
  const path = join(dataDir, 'panel.secret')
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return ok('secret', 'the first start creates panel.secret')
  const mode = (facts.mode & 0o777).toString(8)
  if ((facts.mode & othersBits) !== 0)
    return fault(
      'secret',
      `${path} signs the panel's cookies, and other users can read or change it (mode ${mode}).`,
      `Run \`chmod 600 ${path}\`. If others use this machine, delete the file too: everyone then signs in again.`,
    )
  const user = process.getuid?.() ?? 0
  if (user !== 0 && facts.uid !== user)
    return fault(
      'secret',
      `${path} belongs to another user (id ${facts.uid}).`,
      `Run Pipit as that user, or \`sudo chown $(id -u) ${path}\`.`,
    )
  if (facts.size < secretCharsMin)
    return fault(
      'secret',
      `${path} is damaged.`,
      'Restore it from a backup, or delete it: everyone then signs in again, and two-factor sign-in must be set up anew.',
    )
  return ok('secret', `panel.secret, mode ${mode}`)
}

function checkDatabase(dataDir: string, options: { full: boolean }): Finding {
  const path = join(dataDir, 'pipit.db')
  if (!existsSync(path)) return ok('database', 'the first start creates pipit.db')
  const found = inspectDatabase(dataDir, options)
  if (found === undefined) return ok('database', 'pipit.db is whole')
  return fault('database', `${path} ${found.text}.`, found.remedy)
}

function existingParent(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingParent(dirname(path))
}
