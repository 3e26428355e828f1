import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { StartError } from '../errors.ts'
import { commandLine } from '../paths.ts'
import { makeDataDir } from '../storage/sqlite/sqlite-file.ts'
import { codeOf } from '../storage/storage-fault.ts'
import { findEntry, nearestNames } from './catalogue.ts'
import { toDiskError } from './hub/disk-error.ts'
import { printableText } from './hub/printable-text.ts'
import { licenceCharsMax, partsMax, pulledModelsMax } from './models-limits.ts'
import { withoutQuery } from './reference.ts'

/** A pulled model, as stored in its `model.json`. A pull writes that file last. */
export type PulledModel = {
  readonly name: string
  /** Name in the catalogue; undefined for a model outside it. */
  readonly entry?: string
  /** Origin of the model, such as hf:owner/name@commit or a URL without its query. */
  readonly source: string
  readonly quantisation?: string
  readonly licence?: string
  readonly pulledMs: number
  /** In the order of the parts. */
  readonly files: readonly StoredFile[]
}

export type StoredFile = { readonly name: string; readonly bytes: number; readonly sha256: string }

/** Name under which the bundled model can be chosen. */
export const bundledName = 'default'

const manifestName = 'model.json'
const lockName = '.lock'
/** Locked by every process that uses the model. */
const useLockName = '.lock-use'

export function modelsFolder(dataDir: string): string {
  return join(dataDir, 'models')
}

export function folderOf(dataDir: string, name: string): string {
  return join(modelsFolder(dataDir), name)
}

/** Returns the path of the file to load, which is the first part of a split model. */
export function modelPathOf(dataDir: string, model: PulledModel): string {
  return join(folderOf(dataDir, model.name), model.files[0]?.name ?? '')
}

/** Returns the pulled model with this path; undefined for the bundled model and a file outside the models folder. */
export function pulledAt(dataDir: string, modelPath: string): PulledModel | undefined {
  return listPulled(dataDir).find((model) => modelPathOf(dataDir, model) === modelPath)
}

export function bytesOf(model: PulledModel): number {
  return model.files.reduce((sum, file) => sum + file.bytes, 0)
}

/** Lists the pulled models, sorted by name. Skips folders without a readable `model.json`. */
export function listPulled(dataDir: string): PulledModel[] {
  const folder = modelsFolder(dataDir)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory())
    .slice(0, pulledModelsMax)
    .flatMap(({ name }) => readPulled(dataDir, name) ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns undefined if the model does not exist or its `model.json` is damaged. */
export function readPulled(dataDir: string, name: string): PulledModel | undefined {
  if (!isModelName(name)) return undefined
  try {
    const text = readFileSync(join(folderOf(dataDir, name), manifestName), 'utf8')
    const model: unknown = JSON.parse(text)
    return isPulledModel(model) && model.name === name ? shown(model) : undefined
  } catch {
    return undefined
  }
}

/** Cleans the texts of a model that an earlier version has pulled. */
function shown(model: PulledModel): PulledModel {
  const { source, licence } = model
  return {
    ...model,
    source: withoutQuery(source),
    ...(licence === undefined ? {} : { licence: printableText(licence, licenceCharsMax) }),
  }
}

/**
 * Finds a pulled model by its name, or by its catalogue name if only one quantisation was pulled.
 * @throws StartError with the nearest names, or with what to do
 */
export function findPulled(dataDir: string, name: string): PulledModel {
  const exact = readPulled(dataDir, name.toLowerCase())
  if (exact !== undefined) return exact
  const pulled = listPulled(dataDir)
  const ofEntry = pulled.filter(({ entry }) => entry === name.toLowerCase())
  const names = (ofEntry.length > 0 ? ofEntry : pulled).map((model) => model.name)
  const [only] = ofEntry
  if (only !== undefined && ofEntry.length === 1) return only
  if (ofEntry.length > 1)
    throw new StartError(`${name} was pulled more than once. Name one of ${names.join(', ')}.`)
  if (name.toLowerCase() === bundledName)
    throw new StartError(
      `${bundledName} is the bundled model. Name a pulled model; \`${commandLine} models list\` shows them.`,
    )
  throw new StartError(`The model ${JSON.stringify(name)} is not pulled. ${hintFor(name, names)}`)
}

/** Returns a sentence that says how to get to a model that was meant by `name`. */
function hintFor(name: string, pulledNames: readonly string[]): string {
  const near = nearestNames(name, pulledNames)
  if (near.length > 0) return `Did you mean ${near.join(', ')}?`
  if (findEntry(name) !== undefined)
    return `Pull it with \`${commandLine} models pull ${name.toLowerCase()}\`.`
  return `See \`${commandLine} models list\`.`
}

/**
 * Returns a clause about a file that is missing or has the wrong size; undefined if all files are in place. Does not
 * read the files.
 */
export function missingFrom(dataDir: string, model: PulledModel): string | undefined {
  for (const { name, bytes } of model.files) {
    const facts = statSync(join(folderOf(dataDir, model.name), name), { throwIfNoEntry: false })
    if (facts === undefined) return `its file ${name} is missing`
    if (facts.size !== bytes)
      return `its file ${name} has ${facts.size} bytes and should have ${bytes}`
  }
  return undefined
}

export function isModelName(name: string): boolean {
  // The folders of models are beside files such as used.json.
  return /^[a-z0-9][a-z0-9._-]{0,99}$/.test(name) && !/\.json(?:\.new)?$/.test(name)
}

/**
 * Runs the work while holding the lock of one model. The system releases the lock even if this process is killed.
 * @throws StartError if another process holds it
 */
export async function withModelLock<T>(
  dataDir: string,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = folderOf(dataDir, name)
  makeDataDir(folder)
  const path = join(folder, lockName)
  let lock: Sqlite.Database | undefined
  try {
    createLock(path)
    lock = new Sqlite(path, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (isBusy(error))
      throw new StartError(
        `Another process is pulling or removing ${name}. Wait until it has ended, or stop it.`,
      )
    throw new StartError(
      `${folder} cannot be written. Give the user that runs Pipit access to it.`,
      {
        cause: error,
      },
    )
  }
  try {
    return await work(folder)
  } finally {
    // Removes a folder that holds only the lock, so that a pull that failed early leaves nothing behind.
    if (existsSync(folder) && readdirSync(folder).every((file) => file.startsWith(lockName)))
      await rm(folder, { recursive: true })
    lock.close()
  }
}

/**
 * Writes the `model.json` of a model. From then on the model exists.
 * @param moveFiles moves the model's files to their place. It is called once nothing can fail for lack of space
 */
export async function writeManifest(
  dataDir: string,
  model: PulledModel,
  moveFiles?: () => Promise<void>,
): Promise<void> {
  await writeJson(folderOf(dataDir, model.name), manifestName, model, moveFiles)
}

/**
 * Writes a small JSON file atomically: after a crash it has either the old or the new content.
 * @param before is called when the new content is on disk and the file has not been replaced
 * @throws StartError if the disk is full or refuses the file
 */
export async function writeJson(
  folder: string,
  name: string,
  value: unknown,
  before?: () => Promise<void>,
): Promise<void> {
  const path = join(folder, name)
  try {
    const file = await open(`${path}.new`, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(value, undefined, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw toDiskError(error, folder, ' and try again')
  }
  await before?.()
  await moveInto(folder, `${path}.new`, name)
}

/** Renames a file to its final name, durably. */
export async function moveInto(folder: string, path: string, name: string): Promise<void> {
  await rename(path, join(folder, name))
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Marks a model as in use, so that it is neither removed nor replaced, until the returned function is called or this process
 * ends. Does nothing for a file that was not pulled, and where the folder cannot be written.
 */
export function holdModel(settings: EngineSettings): () => void {
  if (settings.kind !== 'embedded') return () => {}
  let lock: Sqlite.Database | undefined
  try {
    const folder = dirname(realpathSync(settings.modelPath))
    if (!existsSync(join(folder, manifestName))) return () => {}
    createLock(join(folder, useLockName))
    lock = new Sqlite(join(folder, useLockName), { readonly: true, timeout: 0 })
    // A transaction that reads holds a shared lock until it ends.
    lock.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
  } catch {
    // The file is missing, is being removed, or is on a read-only disk. Loading it shows whether it can be used.
    lock?.close()
  }
  return () => lock?.close()
}

/**
 * Deletes a model that no process uses.
 * @throws StartError
 */
export async function removePulled(dataDir: string, name: string): Promise<void> {
  await withModelLock(dataDir, name, async (folder) => {
    await whileUnused(folder, name, async () => {
      // Deleted first, so that a half-removed model does not count as a model.
      await rm(join(folder, manifestName), { force: true })
      await rm(folder, { recursive: true, force: true })
    })
  })
}

/**
 * Runs the work, which changes the files of a model. Until it ends, no process can mark the model as in use.
 * @throws StartError if a process uses the model
 */
export async function whileUnused<T>(
  folder: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(folder, useLockName)
  createLock(path)
  const lock = new Sqlite(path, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return await work()
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new StartError(
      `A running service uses ${name} or is loading it. Switch it to another model, or stop it, and try again.`,
    )
  } finally {
    lock.close()
  }
}

/** Creates the file if it is missing. Opens no existing one: closing it would release this process's locks on it. */
function createLock(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function isPulledModel(value: unknown): value is PulledModel {
  if (typeof value !== 'object' || value === null) return false
  if (!('name' in value) || !('source' in value) || !('files' in value)) return false
  const { name, source, files } = value
  return (
    typeof name === 'string' &&
    typeof source === 'string' &&
    (!('licence' in value) || typeof value.licence === 'string') &&
    Array.isArray(files) &&
    files.length > 0 &&
    files.length <= partsMax &&
    files.every(isStoredFile)
  )
}

function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== 'object' || value === null) return false
  if (!('name' in value) || !('bytes' in value) || !('sha256' in value)) return false
  const { name, bytes, sha256 } = value
  return (
    typeof name === 'string' &&
    /^[\w][\w.+ -]*\.gguf$/i.test(name) &&
    typeof bytes === 'number' &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}
