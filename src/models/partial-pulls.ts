import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pulledModelsMax } from './models-limits.ts'
import { isModelName, modelsFolder, readPulled, withModelLock, writeJson } from './store.ts'

/** An unfinished pull, as stored in its `pull.json`. */
type PartialPull = {
  readonly name: string
  /** Reference with which to resume the pull. The query of a URL may be a signature, so `withoutQuery` is shown. */
  readonly model: string
  /** Checksum given by the user. */
  readonly sha256: string | undefined
  /** Total size of all files, if the server reports it. */
  readonly bytes: number | undefined
}

const fileName = 'pull.json'

/** Keeps `pull.json` in the folder while the download runs, and afterwards if it can be resumed. */
export async function withPartialPull<T>(
  folder: string,
  pull: PartialPull,
  download: () => Promise<T>,
): Promise<T> {
  await writeJson(folder, fileName, pull)
  try {
    return await download()
  } finally {
    // Without a `.part` file, there is nothing to resume: all files are complete, or useless ones were deleted.
    if (!readdirSync(folder).some((file) => file.endsWith('.part')))
      await rm(join(folder, fileName), { force: true })
  }
}

/** Lists interrupted pulls, with the number of their bytes on disk. */
export function listPartialPulls(dataDir: string): (PartialPull & { doneBytes: number })[] {
  const models = modelsFolder(dataDir)
  if (!existsSync(models)) return []
  return readdirSync(models, { withFileTypes: true })
    .filter((item) => item.isDirectory() && isModelName(item.name))
    .slice(0, pulledModelsMax)
    .flatMap(({ name }) => {
      const pull = readPartialPull(join(models, name))
      return pull?.name === name ? [{ ...pull, doneBytes: partialBytesIn(join(models, name)) }] : []
    })
}

/**
 * Deletes the files of an interrupted pull. A model that was pulled before stays.
 * @throws StartError while a process is pulling the model
 */
export async function discardPartialPull(dataDir: string, name: string): Promise<void> {
  await withModelLock(dataDir, name, async (folder) => {
    await rm(join(folder, fileName), { force: true })
    const isPulled = readPulled(dataDir, name) !== undefined
    for (const file of readdirSync(folder))
      // Without a `model.json`, complete files are parts of an unfinished split model.
      if (file.endsWith('.part') || (!isPulled && file.endsWith('.gguf')))
        await rm(join(folder, file))
  })
}

function partialBytesIn(folder: string): number {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.part'))
    .reduce(
      (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}

/** Returns undefined if `pull.json` is missing or damaged. */
function readPartialPull(folder: string): PartialPull | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, fileName), 'utf8'))
    if (typeof value !== 'object' || value === null) return undefined
    if (!('name' in value) || !('model' in value)) return undefined
    const { name, model } = value
    if (typeof name !== 'string' || typeof model !== 'string') return undefined
    const sha256 = 'sha256' in value && typeof value.sha256 === 'string' ? value.sha256 : undefined
    const bytes = 'bytes' in value && typeof value.bytes === 'number' ? value.bytes : undefined
    return { name, model, sha256, bytes }
  } catch {
    return undefined
  }
}
