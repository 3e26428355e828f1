import { StartError } from '../../errors.ts'
import {
  fileNameCharsMax,
  filePathCharsMax,
  licenceCharsMax,
  repositoryBytesMax,
  repositoryFilesMax,
  requestAttemptsMax,
} from '../models-limits.ts'
import type { RepositoryFile } from '../quantisation.ts'
import { type HubHttp, networkError, type Reply } from './http.ts'
import { printableText } from './printable-text.ts'
import { retryAfterMs, TransientError, withRetries } from './retry.ts'

export type Hub = {
  readonly http: HubHttp
  /** Origin and path of the hub, without a trailing slash. */
  readonly endpoint: string
  readonly hasToken: boolean
  readonly retryPauseMs: number
}

type Repository = {
  readonly repo: string
  /** Commit of the listed files. Downloads name it, so that all files have the same version. */
  readonly commit: string
  readonly licence: string | undefined
  readonly files: readonly RepositoryFile[]
}

/**
 * Lists the files of a repository with their sizes and checksums.
 * @throws StartError if the repository does not exist or needs an access token
 */
export async function readRepository(
  hub: Hub,
  repo: string,
  signal: AbortSignal,
): Promise<Repository> {
  const url = `${hub.endpoint}/api/models/${repo}/revision/main?blobs=true`
  const read = async (): Promise<unknown> => {
    const reply = await hub.http.request(url, { signal })
    throwForStatus(reply, hub, repo)
    return await readJson(reply)
  }
  const facts = await withRetries(read, {
    attemptsMax: requestAttemptsMax,
    pauseMs: hub.retryPauseMs,
    signal,
    remedy:
      'Check the network. HTTPS_PROXY names a proxy, and HF_ENDPOINT another address of the hub.',
  })
  const repository = parseRepository(facts, repo)
  if (repository === undefined)
    throw new StartError(
      `${new URL(url).host} does not answer like a hub. Check HF_ENDPOINT, or name the URL of the file.`,
    )
  if (isRecord(facts) && facts['gated'] && !hub.hasToken) throw gated(hub, repo)
  return repository
}

/** @throws TransientError if a retry may help, else StartError with what to do */
export function throwForStatus(reply: Reply, hub: Hub, what: string): void {
  const { status, headers, firstHeaders, url, body } = reply
  if (status >= 200 && status < 300) return
  body.destroy()
  const code = headers['x-error-code'] ?? firstHeaders['x-error-code']
  const isHub = url.origin === new URL(hub.endpoint).origin
  if (code === 'GatedRepo') throw gated(hub, what)
  const busy = status === 408 || status === 425 || status === 429 || status >= 500
  // Links to a storage host expire; the next attempt gets a new one from the hub.
  const isExpired = !isHub && firstHeaders !== headers && (status === 403 || status === 410)
  if (busy || isExpired)
    throw new TransientError(
      `${url.host} answers ${status}`,
      retryAfterMs(headers['retry-after'], Date.now()),
    )
  if (isHub && (status === 401 || status === 403 || status === 404)) {
    const remedy = hub.hasToken
      ? 'Check the name, and that HF_TOKEN is valid and may read it.'
      : 'Check the name; a private one needs HF_TOKEN.'
    throw new StartError(`${url.host} has no ${what}, or does not show it (${status}). ${remedy}`)
  }
  throw new StartError(`${url.host} answers ${status} for ${what}. Check the address.`)
}

function gated(hub: Hub, repo: string): StartError {
  const page = `${hub.endpoint}/${repo}`
  return new StartError(
    hub.hasToken
      ? `Your token may not read ${repo} yet. Accept its terms at ${page}, and check that HF_TOKEN may read gated repositories.`
      : `${repo} is gated. Accept its terms at ${page}, then set HF_TOKEN to a token of your account.`,
  )
}

async function readJson({ body, url }: Reply): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > repositoryBytesMax) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw networkError(error instanceof Error ? error : new Error(String(error)), url)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}

function parseRepository(facts: unknown, repo: string): Repository | undefined {
  if (!isRecord(facts)) return undefined
  const { sha, siblings, cardData } = facts
  if (typeof sha !== 'string' || !/^[0-9a-f]{7,64}$/.test(sha) || !Array.isArray(siblings))
    return undefined
  const licence = isRecord(cardData) ? (cardData['license_name'] ?? cardData['license']) : undefined
  return {
    repo,
    commit: sha,
    licence: typeof licence === 'string' ? printableText(licence, licenceCharsMax) : undefined,
    files: siblings.slice(0, repositoryFilesMax).flatMap(parseFile),
  }
}

function parseFile(facts: unknown): RepositoryFile[] {
  if (!isRecord(facts)) return []
  const { rfilename: path, size, lfs } = facts
  const sha256 = isRecord(lfs) ? (lfs['sha256'] ?? lfs['oid']) : undefined
  const isUsable =
    typeof path === 'string' &&
    path.length <= filePathCharsMax &&
    path.length - (path.lastIndexOf('/') + 1) <= fileNameCharsMax &&
    // The name of the file, too, begins with a letter, a digit or `_`.
    /^(?:[\w][\w./+ -]*\/)?\w[\w.+ -]*$/.test(path) &&
    !path.split('/').includes('..') &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    size > 0
  if (!isUsable) return []
  return [{ path, bytes: size, sha256: isSha256(sha256) ? sha256 : undefined }]
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
