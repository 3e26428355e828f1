import { statfs, unlink } from 'node:fs/promises'
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sha256OfFile } from '../engine/embedded/child/model/model-file.ts'
import { formatBytes } from '../engine/format-bytes.ts'
import { StartError } from '../errors.ts'
import { makeDataDir } from '../storage/sqlite/sqlite-file.ts'
import { downloadFile, type RemoteFile, versionOf } from './hub/download.ts'
import { type Hub, isSha256, readRepository, throwForStatus } from './hub/repository.ts'
import { withRetries } from './hub/retry.ts'
import { diskReserveBytes, fileNameCharsMax, requestAttemptsMax } from './models-limits.ts'
import { listPartialPulls, withPartialPull } from './partial-pulls.ts'
import { chooseVariant, quantisationOf, variantsOf } from './quantisation.ts'
import { type Reference, textOfReference, withoutQuery } from './reference.ts'
import {
  bundledName,
  folderOf,
  isModelName,
  listPulled,
  modelsFolder,
  moveInto,
  type PulledModel,
  readPulled,
  type StoredFile,
  whileUnused,
  withModelLock,
  writeManifest,
} from './store.ts'
import { requireUsable } from './usable.ts'

export type PullOptions = {
  readonly dataDir: string
  /** Memory to assume when choosing the quantisation. */
  readonly availableBytes: number
  /** Name for the model, instead of the one derived from its origin. */
  readonly name?: string | undefined
  /** Checksum that a file pulled from a URL must have. */
  readonly sha256?: string | undefined
  readonly listener: PullListener
  readonly signal: AbortSignal
}

type HubReference = Reference & { kind: 'hub' }

export type PullListener = {
  /** Called before the files of a model that is there are read, which takes some seconds for a large one. */
  onCheck?(name: string): void
  /** Called once it is known what will be downloaded. */
  onPlan(plan: PullPlan): void
  onBytes(bytes: number): void
  onPause(cause: string, pauseMs: number): void
}

/** A model to download. */
export type PullPlan = Omit<PulledModel, 'files' | 'pulledMs'> & {
  readonly files: readonly RemoteFile[]
  /** Total size of all files; undefined if the server does not report it. */
  readonly bytes: number | undefined
  /** Names of all files of the repository. */
  readonly repositoryFiles?: readonly string[]
}

/**
 * Downloads a model, checks it and stores it. A model that was pulled before is replaced only when the new
 * one is complete.
 * @throws StartError with what is wrong and what to do
 */
export async function pullModel(
  hub: Hub,
  reference: Reference,
  options: PullOptions,
): Promise<{ model: PulledModel; wasThere: boolean }> {
  const { dataDir, listener } = options
  const plan =
    reference.kind === 'hub'
      ? await planFromHub(hub, reference, options)
      : await planFromUrl(hub, reference.url, options)
  makeDataDir(modelsFolder(dataDir))
  return await withModelLock(dataDir, plan.name, async (folder) => {
    const existing = readPulled(dataDir, plan.name)
    if (existing !== undefined && isSame(existing, plan, folder)) {
      listener.onCheck?.(plan.name)
      if (await isIntact(existing, folder)) return { model: existing, wasThere: true }
    }
    if (existing !== undefined && !isEarlierVersion(existing, plan))
      throw new StartError(
        `There is another model ${plan.name}, from ${existing.source} (${existing.files[0]?.name}). Remove it first, or give this one another name (--name).`,
      )
    // Also checked when the files are replaced, but better before the download than after it.
    if (existing !== undefined) await whileUnused(folder, plan.name, async () => {})
    listener.onPlan(plan)
    await requireSpace(folder, missingBytes(folder, plan), ', or choose a smaller model')
    const { name, quantisation } = plan
    // Another process can resume the pull, because this reference names the quantisation chosen here.
    const partial = {
      name,
      model: textOfReference(reference, quantisation),
      sha256: options.sha256,
      bytes: plan.bytes,
    }
    const model = await withPartialPull(folder, partial, async () => {
      const downloaded = await downloadAll(hub, plan, folder, options)
      return await whileUnused(folder, name, () => storeModel(dataDir, plan, downloaded))
    })
    return { model, wasThere: false }
  })
}

async function planFromHub(
  hub: Hub,
  reference: HubReference,
  { dataDir, availableBytes, name, signal }: PullOptions,
): Promise<PullPlan> {
  const { repo, entry } = reference
  const { commit, licence, files } = await readRepository(hub, repo, signal)
  const variants = variantsOf(files)
  const wanted = reference.wanted ?? earlierQuantisation(dataDir, reference, variants)
  const variant = chooseVariant(variants, wanted, availableBytes)
  const { quantisation } = variant
  const base = entry?.name ?? basename(repo).replace(/[-_.]gguf$/i, '')
  const shownLicence = licence ?? entry?.licence
  return {
    name: modelName(name ?? [base, quantisation].filter(Boolean).join('-')),
    source: `hf:${repo}@${commit}`,
    ...(entry === undefined ? {} : { entry: entry.name }),
    ...(quantisation === undefined ? {} : { quantisation }),
    ...(shownLicence === undefined ? {} : { licence: shownLicence }),
    bytes: variant.bytes,
    repositoryFiles: files.map(({ path }) => basename(path)),
    files: variant.files.map(({ path, bytes, sha256 }) => ({
      name: basename(path),
      url: `${hub.endpoint}/${repo}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`,
      bytes,
      sha256,
      version: undefined,
    })),
  }
}

/**
 * Returns the quantisation of an unfinished pull of this model, or else of the only one that was pulled: the memory by
 * which one is chosen may have changed since. Returns undefined if there is none or the repository no longer has it.
 */
function earlierQuantisation(
  dataDir: string,
  reference: HubReference,
  variants: ReturnType<typeof variantsOf>,
): string | undefined {
  const begin = `${textOfReference(reference, undefined)}:`
  const unfinished = listPartialPulls(dataDir)
    .filter(({ model }) => model.startsWith(begin))
    .map(({ model }) => model.slice(begin.length))
  const pulled = listPulled(dataDir)
    .filter(({ source }) => originOf(source) === `hf:${reference.repo}`)
    .map((model) => model.quantisation)
  const [only, ...others] = new Set(unfinished.length > 0 ? unfinished : pulled)
  const isThere = variants.some(({ quantisation }) => quantisation === only)
  return others.length === 0 && isThere ? only : undefined
}

/** @throws StartError if the last part of the path cannot be a file's name */
function fileNameOf(url: string): string {
  const last = basename(new URL(url).pathname)
  try {
    // A stored file begins with a letter, a digit or an underscore (store.ts).
    return decodeURIComponent(last)
      .replaceAll(/[^\w.+-]/g, '_')
      .replace(/^(?=\W)/, '_')
  } catch (cause) {
    throw new StartError(`${last} is not a file name: after a % come two hexadecimal digits.`, {
      cause,
    })
  }
}

async function planFromUrl(
  hub: Hub,
  url: string,
  { name, sha256, signal }: PullOptions,
): Promise<PullPlan> {
  const fileName = fileNameOf(url)
  if (fileName.length > fileNameCharsMax)
    throw new StartError(
      `The file at this address has a name of more than ${fileNameCharsMax} characters, which is too long to store.`,
    )
  if (/-\d{5}-of-\d{5}\.gguf$/i.test(fileName))
    throw new StartError(
      `${fileName} is one part of a model in several files, which only hf:owner/name can pull together.`,
    )
  const look = async () => {
    const reply = await hub.http.request(url, { method: 'HEAD', signal })
    reply.body.destroy()
    // If the server does not support HEAD, nothing is known before the download.
    if (![403, 405, 501].includes(reply.status)) throwForStatus(reply, hub, fileName)
    return reply
  }
  const reply = await withRetries(look, {
    attemptsMax: requestAttemptsMax,
    pauseMs: hub.retryPauseMs,
    signal,
    remedy: 'Check the address and the network. HTTPS_PROXY names a proxy.',
  })
  const { headers, firstHeaders, status } = reply
  const isKnown = status >= 200 && status < 300
  const linked = String(firstHeaders['x-linked-etag'] ?? '').replaceAll('"', '')
  const length = firstHeaders['x-linked-size'] ?? headers['content-length']
  const bytes = isKnown && /^\d+$/.test(String(length)) ? Number(length) : undefined
  const quantisation = quantisationOf(fileName.replace(/\.gguf$/i, ''))
  return {
    name: modelName(name ?? fileName.replace(/\.gguf$/i, '')),
    source: withoutQuery(url),
    ...(quantisation === undefined ? {} : { quantisation }),
    bytes,
    files: [
      {
        name: fileName,
        url,
        // Without a checksum, the file and so its size may change.
        bytes: isSha256(linked) ? bytes : undefined,
        sha256: sha256 ?? (isSha256(linked) ? linked : undefined),
        version: isKnown ? versionOf(headers) : undefined,
        versionBytes: bytes,
      },
    ],
  }
}

type DownloadedFile = StoredFile & { readonly path: string }

async function downloadAll(
  hub: Hub,
  plan: PullPlan,
  folder: string,
  { listener, signal }: PullOptions,
): Promise<DownloadedFile[]> {
  const downloaded: DownloadedFile[] = []
  let doneBytes = 0
  for (const file of plan.files) {
    const fileListener = {
      onBytes: (bytes: number) => listener.onBytes(doneBytes + bytes),
      onPause: listener.onPause.bind(listener),
      // Only the first part has the header of the model.
      look: async (path: string, isWhole: boolean) =>
        downloaded.length === 0 ? await requireUsable(file.name, path, isWhole) : undefined,
      requireSpace: (restBytes: number) =>
        requireSpace(folder, restBytes, ' and pull it again: what was downloaded is kept'),
    }
    const { path, bytes, sha256 } = await downloadFile(hub, file, folder, fileListener, signal)
    downloaded.push({ name: file.name, bytes, sha256, path })
    doneBytes += bytes
  }
  return downloaded
}

/** Moves the files to their place, where they replace those of a model that was pulled before. */
async function storeModel(
  dataDir: string,
  { name, source, entry, quantisation, licence }: PullPlan,
  downloaded: readonly DownloadedFile[],
): Promise<PulledModel> {
  const folder = folderOf(dataDir, name)
  const model: PulledModel = {
    name,
    source,
    ...(entry === undefined ? {} : { entry }),
    ...(quantisation === undefined ? {} : { quantisation }),
    ...(licence === undefined ? {} : { licence }),
    pulledMs: Date.now(),
    files: downloaded.map(({ name: fileName, bytes, sha256 }) => ({
      name: fileName,
      bytes,
      sha256,
    })),
  }
  await writeManifest(dataDir, model, async () => {
    for (const file of downloaded) await moveInto(folder, file.path, file.name)
  })
  await deleteOtherFiles(folder, model)
  return model
}

/** Deletes files that an earlier version of the model left under other names. */
async function deleteOtherFiles(folder: string, { files }: PulledModel): Promise<void> {
  for (const name of readdirSync(folder))
    if (/\.(gguf|part)$/i.test(name) && !files.some((file) => file.name === name))
      await unlink(join(folder, name))
}

/** Returns the number of bytes that are still to be downloaded; 0 if the size is unknown. */
function missingBytes(folder: string, { bytes, files }: PullPlan): number {
  if (bytes === undefined) return 0
  const partialBytes = readdirSync(folder)
    .filter((name) => name.endsWith('.part') && files.some((file) => name.startsWith(file.name)))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  return Math.max(0, bytes - partialBytes)
}

/** @throws StartError if the rest of the download does not fit on the disk beside the reserve */
async function requireSpace(folder: string, restBytes: number, remedy: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  const neededBytes = restBytes + diskReserveBytes
  if (neededBytes > freeBytes)
    throw new StartError(
      `The download needs ${formatBytes(neededBytes, Math.ceil)} of space (${formatBytes(diskReserveBytes)} stay free), and ` +
        `${formatBytes(freeBytes, Math.floor)} are free in ${folder}. Free some space${remedy}.`,
    )
}

/** Returns true for a model with the same checksums whose files are in place. */
function isSame(existing: PulledModel, plan: PullPlan, folder: string): boolean {
  return (
    existing.files.length === plan.files.length &&
    existing.files.every(({ name, bytes, sha256 }, index) => {
      const file = plan.files[index]
      const stored = statSync(join(folder, name), { throwIfNoEntry: false })
      return file?.name === name && file.sha256 === sha256 && stored?.size === bytes
    })
  )
}

/** Returns false if a file cannot be read or no longer has its checksum, as after an error of the disk. */
async function isIntact({ files }: PulledModel, folder: string): Promise<boolean> {
  for (const { name, sha256 } of files) {
    const actual = await sha256OfFile(join(folder, name)).catch(() => undefined)
    if (actual !== sha256) return false
  }
  return true
}

/** Returns false for another model of the same repository: its file is there beside that of the new one. */
function isEarlierVersion(existing: PulledModel, plan: PullPlan): boolean {
  if (originOf(existing.source) !== originOf(plan.source)) return false
  const name = existing.files[0]?.name ?? ''
  return (
    plan.files.some((file) => file.name === name) || plan.repositoryFiles?.includes(name) !== true
  )
}

function originOf(source: string): string {
  return source.replace(/@[0-9a-f]+$/, '')
}

function modelName(text: string): string {
  const name = text.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '-')
  if (!isModelName(name) || name === bundledName)
    throw new StartError(
      `${JSON.stringify(text)} cannot be the name of a model. Choose one of letters, digits, dots and dashes (--name).`,
    )
  return name
}
