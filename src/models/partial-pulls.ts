import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pulledModelsMax } from './models-limits.ts'
import { isModelName, modelsFolder, readPulled, withModelLock, writeJson } from './store.ts'

/** A pull that has begun and has not ended: the content of its `pull.json`. */
type PartialPull = {
  readonly name: string
  /** Reference with which to go on. */
  readonly model: string
  /** Checksum that the user has named. */
  readonly sha256: string | undefined
  /** Size of all files, if the server has said it. */
  readonly bytes: number | undefined
}

const fileName = 'pull.json'

/** Describes the pull in its folder while it runs, and afterwards if there is something to go on with. */
export async function withPartialPull<T>(
  folder: string,
  pull: PartialPull,
  download: () => Promise<T>,
): Promise<T> {
  await writeJson(folder, fileName, pull)
  try {
    return await download()
  } finally {
    // A file of which no byte is worth keeping was deleted; a whole one has its final name.
    if (!readdirSync(folder).some((file) => file.endsWith('.part')))
      await rm(join(folder, fileName), { force: true })
  }
}

/** Lists the pulls that were cut off, with the bytes that are on the disk. */
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
 * Deletes what a pull has left. A model that was pulled before stays.
 * @throws StartError while a process pulls it
 */
export async function discardPartialPull(dataDir: string, name: string): Promise<void> {
  await withModelLock(dataDir, name, async (folder) => {
    await rm(join(folder, fileName), { force: true })
    const isPulled = readPulled(dataDir, name) !== undefined
    for (const file of readdirSync(folder))
      // Without a description of the model, complete files are parts of an unfinished model of several files.
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

/** Returns undefined where there is none, or a damaged one. */
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
