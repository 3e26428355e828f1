import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '../../engine/format-bytes.ts'
import { StartError } from '../../errors.ts'
import {
  downloadAttemptsMax,
  fileChangesMax,
  firstLookBytes,
  spaceCheckBytes,
} from '../models-limits.ts'
import { BlockWriter } from './block-writer.ts'
import { isDiskError, toDiskError } from './disk-error.ts'
import { networkError, type Reply } from './http.ts'
import { type Hub, isSha256, throwForStatus } from './repository.ts'
import { TransientError, withRetries } from './retry.ts'

export type RemoteFile = {
  /** Name of the file in the folder. */
  readonly name: string
  readonly url: string
  /** Size and checksum according to the hub. */
  readonly bytes: number | undefined
  readonly sha256: string | undefined
  /** ETag or date of a file at a URL outside the hub, and the size that the server named for this version. */
  readonly version: string | undefined
  readonly versionBytes?: number | undefined
}

type DownloadListener = {
  /** Receives the number of bytes that have arrived. All but the last 2 MiB are in the file. */
  onBytes(bytes: number): void
  onPause(cause: string, pauseMs: number): void
  /** Checks the start of the file, and later the whole file. A StartError ends the download and deletes the file. */
  look(path: string, isWhole: boolean): Promise<void>
  /**
   * Checks that the disk has space for the rest of the file, if its size is known: before its first byte, and then at
   * intervals, because others write to the disk as well. A StartError ends the download and keeps the file.
   */
  requireSpace(restBytes: number): Promise<void>
}

type DownloadedFile = {
  /** Path of the checked file, which still has its temporary name. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/**
 * Downloads a file under a temporary name in its folder, and resumes an earlier download of the same version. Checks
 * its size and SHA-256, and flushes it to disk.
 * @throws StartError with what to do; the downloaded bytes are kept unless they are wrong
 */
export async function downloadFile(
  hub: Hub,
  file: RemoteFile,
  folder: string,
  listener: DownloadListener,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  const name = partialName(file)
  for (const other of await readdir(folder))
    if (other.startsWith(`${file.name}.`) && other.endsWith('.part') && other !== name)
      await unlink(join(folder, other))
  const path = join(folder, name)
  const download = new Download(hub, file, path, listener, signal)
  try {
    return await download.run()
  } catch (error) {
    throw toDiskError(error, folder, ' and pull it again: what was downloaded is kept')
  }
}

/** Returns a temporary name that differs for each version, so that two versions are never mixed. */
function partialName({ name, url, sha256, version: tag }: RemoteFile): string {
  const version = createHash('sha256').update(sha256 ?? `${url}\n${tag}`)
  return `${name}.${version.digest('hex').slice(0, 12)}.part`
}

/** Thrown if the bytes so far are useless, so that the download starts over. */
class StartOver extends TransientError {}

class Download {
  readonly #hub: Hub
  readonly #file: RemoteFile
  readonly #path: string
  readonly #listener: DownloadListener
  readonly #signal: AbortSignal
  #output: FileHandle | undefined
  #hash: Hash = createHash('sha256')
  /** Bytes that have arrived. Between two requests all of them have been written and hashed. */
  #have = 0
  /** Largest `#have` so far. Used as progress, so that bytes downloaded again do not count. */
  #most = 0
  #total: number | undefined
  #sha256: string | undefined
  #version: string | undefined
  #looked = false
  /** `#have` at the last check of the free space. */
  #spaceCheckedBytes = 0
  #changes = 0

  constructor(
    hub: Hub,
    file: RemoteFile,
    path: string,
    listener: DownloadListener,
    signal: AbortSignal,
  ) {
    this.#hub = hub
    this.#file = file
    this.#path = path
    this.#listener = listener
    this.#signal = signal
    this.#total = file.bytes
    this.#sha256 = file.sha256
    this.#version = file.version
  }

  async run(): Promise<DownloadedFile> {
    const output = await open(this.#path, 'a+', 0o600)
    this.#output = output
    try {
      await this.#readEarlier(output)
      await withRetries(() => this.#fetchRest(output), {
        attemptsMax: downloadAttemptsMax,
        pauseMs: this.#hub.retryPauseMs,
        signal: this.#signal,
        progress: () => this.#most,
        onPause: (cause, pauseMs) => this.#listener.onPause(cause, pauseMs),
        remedy: 'What was downloaded is kept: pull it again to go on.',
      })
      await this.#look(true)
      const sha256 = this.#hash.digest('hex')
      if (this.#sha256 !== undefined && sha256 !== this.#sha256)
        throw new UselessFile(
          `${this.#file.name} has the SHA-256 ${sha256} and should have ${this.#sha256}, so it was deleted. ` +
            'Pull it again; if that does not help, a proxy may change it.',
        )
      await output.sync()
      return { path: this.#path, bytes: this.#have, sha256 }
    } catch (error) {
      if (error instanceof UselessFile) await unlink(this.#path)
      throw error
    } finally {
      await output.close()
    }
  }

  /** Hashes the bytes left by an earlier download. */
  async #readEarlier(output: FileHandle): Promise<void> {
    const { size } = await output.stat()
    if (this.#total !== undefined && size > this.#total) return await this.#restart()
    const buffer = Buffer.alloc(1024 * 1024)
    while (this.#have < size) {
      this.#signal.throwIfAborted()
      const { bytesRead } = await output.read(buffer, 0, buffer.length, this.#have)
      if (bytesRead === 0) break
      this.#hash.update(buffer.subarray(0, bytesRead))
      this.#have += bytesRead
    }
    this.#most = this.#have
    this.#listener.onBytes(this.#have)
  }

  async #fetchRest(output: FileHandle): Promise<void> {
    if (this.#have === this.#total) return
    // Nothing could tell whether the rest is of the same version.
    if (this.#sha256 === undefined && this.#version === undefined) await this.#restart()
    const reply = await this.#hub.http.request(this.#file.url, {
      signal: this.#signal,
      headers: this.#rangeHeaders(),
    })
    if (reply.status === 416) {
      reply.body.destroy()
      if (this.#isWhole(reply)) return
      await this.#startOver('the file is shorter than what was downloaded')
    }
    throwForStatus(reply, this.#hub, this.#file.name)
    await this.#takeFacts(reply)
    try {
      await this.#requireSpace()
    } catch (error) {
      reply.body.destroy()
      throw error
    }
    await this.#write(reply, output)
    if (this.#total !== undefined && this.#have < this.#total)
      throw new TransientError(
        `${reply.url.host} ended the file after ${formatBytes(this.#have)} of ${formatBytes(this.#total)}`,
      )
  }

  /** Returns true if a response that has no bytes for us names the size of what was downloaded. */
  #isWhole({ headers }: Reply): boolean {
    const [, total] = /^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
    const version = versionOf(headers)
    return toNumber(total) === this.#have && (version === undefined || version === this.#version)
  }

  #rangeHeaders(): Record<string, string> {
    if (this.#have === 0) return {}
    const range = { range: `bytes=${this.#have}-` }
    // The hub's storage hosts may give one file different ETags, so `If-Range` is sent only without a checksum.
    const isPinned = this.#file.sha256 !== undefined || this.#version === undefined
    return isPinned ? range : { ...range, 'if-range': this.#version ?? '' }
  }

  /** Compares the version and size in the response with the known ones. Starts over if the file has changed. */
  async #takeFacts({ status, headers, firstHeaders, body }: Reply): Promise<void> {
    const linked = unquote(firstHeaders['x-linked-etag'])
    if (isSha256(linked)) this.#sha256 ??= linked
    const [, begin, total] =
      /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
    const bytes = toNumber(status === 206 ? total : headers['content-length'])
    const version = versionOf(headers)
    const isChanged =
      (bytes !== undefined && this.#total !== undefined && bytes !== this.#total) ||
      (version !== undefined && this.#version !== undefined && version !== this.#version)
    if (this.#file.bytes !== undefined && bytes !== undefined && bytes !== this.#file.bytes) {
      body.destroy()
      throw new StartError(
        `The server sends ${formatBytes(bytes)} for ${this.#file.name}, and the hub names ` +
          `${formatBytes(this.#file.bytes)}. Pull it again; if that does not help, a proxy may change it.`,
      )
    }
    const isSame = version !== undefined && version === this.#version
    const known = isSame ? (this.#total ?? this.#file.versionBytes) : undefined
    this.#version = version
    this.#total = this.#file.bytes ?? bytes ?? known
    // Files of the hub have a checksum and are addressed by commit, so their version cannot change.
    const isOther = isChanged && this.#file.sha256 === undefined
    if (status === 206 && (Number(begin) !== this.#have || isOther)) {
      body.destroy()
      await this.#startOver('the file has changed on the server')
    }
    // A 200 response holds the whole file: the server does not support ranges, or the file has changed.
    if (status !== 206 && this.#have > 0) await this.#restart()
    if (isOther) this.#countChange()
  }

  async #write({ body, url }: Reply, output: FileHandle): Promise<void> {
    const writer = new BlockWriter(output, (block) => this.#hash.update(block))
    try {
      try {
        for await (const chunk of body) await this.#add(chunk, writer, url)
      } finally {
        // Keeps the bytes that arrived before a broken connection or Ctrl-C.
        await writer.flush()
      }
    } catch (error) {
      if (error instanceof StartError || this.#signal.aborted || isDiskError(error)) throw error
      throw networkError(error instanceof Error ? error : new Error(String(error)), url)
    }
  }

  async #add(chunk: Buffer, writer: BlockWriter, url: URL): Promise<void> {
    if (this.#total !== undefined && this.#have + chunk.length > this.#total)
      throw new UselessFile(
        `${url.host} sends more for ${this.#file.name} than the ${formatBytes(this.#total)} that it has, ` +
          'so it was deleted. Pull it again.',
      )
    await writer.add(chunk)
    this.#have += chunk.length
    this.#most = Math.max(this.#most, this.#have)
    this.#listener.onBytes(this.#have)
    if (this.#have - this.#spaceCheckedBytes >= spaceCheckBytes) await this.#requireSpace()
    if (this.#looked || this.#have < firstLookBytes) return
    await writer.flush()
    await this.#look(false)
  }

  async #requireSpace(): Promise<void> {
    this.#spaceCheckedBytes = this.#have
    await this.#listener.requireSpace(Math.max(0, (this.#total ?? 0) - this.#have))
  }

  async #look(isWhole: boolean): Promise<void> {
    this.#looked = true
    try {
      await this.#listener.look(this.#path, isWhole)
    } catch (error) {
      if (error instanceof StartError) throw new UselessFile(error.message, { cause: error })
      throw error
    }
  }

  async #startOver(cause: string): Promise<never> {
    await this.#restart()
    this.#countChange()
    throw new StartOver(cause)
  }

  #countChange(): void {
    this.#changes += 1
    this.#looked = false
    if (this.#changes >= fileChangesMax)
      throw new UselessFile(
        `${this.#file.name} changes on the server while it is downloaded. Try again later.`,
      )
  }

  async #restart(): Promise<void> {
    await this.#output?.truncate(0)
    this.#hash = createHash('sha256')
    this.#have = 0
    this.#listener.onBytes(0)
  }
}

/** Thrown if no byte of the file is worth keeping. */
class UselessFile extends StartError {}

/** Returns the version of a file: its strong ETag, or else its date. */
export function versionOf(headers: Reply['headers']): string | undefined {
  return headers.etag?.startsWith('"') === true ? headers.etag : headers['last-modified']
}

function toNumber(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}

function unquote(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header.replaceAll('"', '') : undefined
}
