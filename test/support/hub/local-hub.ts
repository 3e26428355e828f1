import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fault in the response to the next request for the content of a file. */
type Fault =
  | { readonly type: 'cut'; readonly afterBytes: number }
  /** Stops sending after some bytes, and leaves the connection open. */
  | { readonly type: 'hold'; readonly afterBytes: number }
  | {
      readonly type: 'status'
      readonly status: number
      readonly headers?: Record<string, string>
      /** Set if the hub's API responds with this status, not the storage. */
      readonly ofApi?: true
    }
  /** Replaces the content from now on. */
  | { readonly type: 'content'; readonly content: Buffer }

type Repository = {
  readonly files: Record<string, Buffer>
  readonly gated?: boolean
  readonly licence?: string
  /** Sizes and checksums that the hub reports instead of the real ones. */
  readonly claims?: Record<string, { bytes?: number; sha256?: string }>
}

type Seen = {
  readonly host: 'hub' | 'storage'
  readonly range: string | undefined
  readonly authorization: string | undefined
}

const commit = '0123456789abcdef0123456789abcdef01234567'

/**
 * Two HTTP servers that behave like the hub and its storage. The hub answers the API and redirects downloads to the
 * storage, which supports ranges, ETags and `If-Range`.
 */
export class LocalHub {
  readonly token = 'hf_test'
  /** Faults of the next requests for content, in this order. */
  readonly faults: Fault[] = []
  readonly requests: Seen[] = []
  bytesSent = 0
  /** Speed of each download. Undefined: as fast as the client reads. */
  bytesPerSecond: number | undefined
  readonly #repositories: Record<string, Repository>
  readonly #replaced = new Map<string, Buffer>()
  readonly #hub: Server
  readonly #storage: Server

  static async start(repositories: Record<string, Repository>): Promise<LocalHub> {
    const hub = new LocalHub(repositories)
    for (const server of [hub.#hub, hub.#storage])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return hub
  }

  private constructor(repositories: Record<string, Repository>) {
    this.#repositories = repositories
    this.#hub = createServer((request, response) => this.#answerAsHub(request, response))
    this.#storage = createServer((request, response) => this.#answerAsStorage(request, response))
  }

  get url(): string {
    return urlOf(this.#hub)
  }

  get storageUrl(): string {
    return urlOf(this.#storage)
  }

  async close(): Promise<void> {
    for (const server of [this.#hub, this.#storage]) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  #answerAsHub(request: IncomingMessage, response: ServerResponse): void {
    this.#note('hub', request)
    const url = decodeURIComponent(request.url ?? '')
    const [, apiRepo] =
      /^\/api\/models\/([^/]+\/[^/]+)\/revision\/main\?blobs=true$/.exec(url) ?? []
    const [, fileRepo, revision, path = ''] =
      /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(url) ?? []
    const repository = this.#repositories[apiRepo ?? fileRepo ?? '']
    const hasToken = request.headers.authorization === `Bearer ${this.token}`
    const [fault] = this.faults
    if (repository === undefined) {
      // The real hub does the same, so that callers cannot tell which private repositories exist.
      response.writeHead(hasToken ? 404 : 401, { 'x-error-code': 'RepoNotFound' }).end()
    } else if (apiRepo !== undefined && fault?.type === 'status' && fault.ofApi) {
      this.faults.shift()
      response.writeHead(fault.status, fault.headers).end()
    } else if (apiRepo !== undefined) {
      response.end(JSON.stringify(describe(repository)))
    } else if (repository.gated && !hasToken) {
      response.writeHead(401, { 'x-error-code': 'GatedRepo' }).end()
    } else if (repository.files[path] === undefined || revision !== commit) {
      response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end()
    } else {
      const { bytes, sha256 } = factsOf(repository, path)
      response.writeHead(302, {
        location: `${this.storageUrl}/${fileRepo}/${path}?signature=abc`,
        'x-linked-etag': `"${sha256}"`,
        'x-linked-size': String(bytes),
        'x-repo-commit': commit,
      })
      response.end()
    }
  }

  #answerAsStorage(request: IncomingMessage, response: ServerResponse): void {
    this.#note('storage', request)
    const [, repo = '', path = ''] =
      /^\/([^/]+\/[^/]+)\/(.+?)(\?.*)?$/.exec(decodeURIComponent(request.url ?? '')) ?? []
    const fault = request.method === 'GET' ? this.faults.shift() : undefined
    if (fault?.type === 'content') this.#replaced.set(`${repo}/${path}`, fault.content)
    const content = this.#replaced.get(`${repo}/${path}`) ?? this.#repositories[repo]?.files[path]
    if (fault?.type === 'status') response.writeHead(fault.status, fault.headers).end()
    else if (content === undefined) response.writeHead(404).end()
    else {
      const begin = writeHead(request, response, content)
      if (request.method === 'HEAD' || begin === undefined) response.end()
      else
        this.#send(
          response,
          content.subarray(begin),
          fault !== undefined && 'afterBytes' in fault ? fault : undefined,
        )
    }
  }

  /** Sends the content in pieces, no faster than `bytesPerSecond`. */
  #send(
    response: ServerResponse,
    content: Buffer,
    fault: { type: 'cut' | 'hold'; afterBytes: number } | undefined,
  ): void {
    const end = fault?.afterBytes ?? content.length
    const startMs = performance.now()
    const send = (at: number): void => {
      if (response.destroyed) return
      const aheadMs = this.#dueMs(at) - (performance.now() - startMs)
      if (aheadMs > 1) setTimeout(send, aheadMs, at)
      else if (at < end) {
        const chunk = content.subarray(at, Math.min(end, at + 64 * 1024))
        this.bytesSent += chunk.length
        response.write(chunk, () => send(at + chunk.length))
      } else if (fault === undefined) response.end()
      else if (fault.type === 'hold') return
      // Ends the connection after all written bytes have been sent.
      else response.socket?.end()
    }
    send(0)
  }

  /** Returns the ms from the start of a download until the byte `at` may be sent. */
  #dueMs(at: number): number {
    return this.bytesPerSecond === undefined ? 0 : (at / this.bytesPerSecond) * 1000
  }

  #note(host: 'hub' | 'storage', { headers: { range, authorization } }: IncomingMessage): void {
    this.requests.push({ host, range, authorization })
  }
}

/**
 * Writes the head of a response. Returns the offset of the first byte to send; undefined for a range that does not
 * exist.
 */
function writeHead(
  { headers }: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
): number | undefined {
  const etag = `"${sha256Of(content).slice(0, 32)}"`
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  const isPart = from !== undefined && (headers['if-range'] ?? etag) === etag
  const begin = isPart ? Number(from) : 0
  const { length } = content
  if (begin >= length) {
    response.writeHead(416, { 'content-range': `bytes */${length}` })
    return undefined
  }
  const range = { 'content-range': `bytes ${begin}-${length - 1}/${length}` }
  response.writeHead(isPart ? 206 : 200, {
    etag,
    'content-length': length - begin,
    ...(isPart ? range : {}),
  })
  return begin
}

function describe(repository: Repository): object {
  return {
    sha: commit,
    gated: repository.gated ? 'auto' : false,
    cardData: { license: repository.licence ?? 'apache-2.0' },
    siblings: Object.keys(repository.files).map((path) => {
      const { bytes, sha256 } = factsOf(repository, path)
      return { rfilename: path, size: bytes, lfs: { sha256, size: bytes, pointerSize: 134 } }
    }),
  }
}

function factsOf({ files, claims = {} }: Repository, path: string) {
  const content = files[path] ?? Buffer.alloc(0)
  const { bytes = content.length, sha256 = sha256Of(content) } = claims[path] ?? {}
  return { bytes, sha256 }
}

/** Cache of checksums by content, because the tests request a large file many times. */
const checksums = new WeakMap<Buffer, string>()

export function sha256Of(content: Buffer): string {
  const known = checksums.get(content) ?? createHash('sha256').update(content).digest('hex')
  checksums.set(content, known)
  return known
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
