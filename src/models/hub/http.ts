import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { StartError, untrustedCertificate } from '../../errors.ts'
import { version } from '../../version.ts'
import { redirectsMax, silenceMaxMs } from '../models-limits.ts'
import { TransientError } from './retry.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type Reply = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Headers of the first response, before any redirect. */
  readonly firstHeaders: IncomingMessage['headers']
  /** Final URL, after all redirects. */
  readonly url: URL
  /** Must be read or destroyed. */
  readonly body: IncomingMessage
}

type RequestOptions = {
  readonly method?: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number)
/** True if this Node can send requests through a proxy: 22.21 or later, or 24.5 or later. */
export const supportsProxies =
  nodeMajor > 24 || (nodeMajor === 24 && nodeMinor >= 5) || (nodeMajor === 22 && nodeMinor >= 21)

/** Sends requests to the hub and the hosts it redirects to, through the proxy set in the environment. */
export class HubHttp {
  readonly #agents: { http: HttpAgent; https: HttpsAgent }
  readonly #token: string | undefined
  readonly #tokenOrigin: string

  /**
   * @param token access token of the hub
   * @param tokenOrigin the only origin that receives the access token
   * @throws StartError if a proxy is set and this Node cannot use one
   */
  constructor(environment: Environment, token: string | undefined, tokenOrigin: string) {
    requireProxySupport(environment)
    // An option since Node 22.21 and 24.5 that the types do not know yet. Without it, proxies are not used.
    const options: object = { proxyEnv: environment }
    this.#agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
    this.#token = token
    this.#tokenOrigin = tokenOrigin
  }

  /**
   * Sends a request and follows redirects, but never from https to http.
   * @throws TransientError if the network fails, StartError if a retry cannot help
   */
  async request(start: string, options: RequestOptions): Promise<Reply> {
    let url = new URL(start)
    let firstHeaders: IncomingMessage['headers'] | undefined
    for (let redirects = 0; redirects <= redirectsMax; redirects++) {
      const body = await this.#send(url, options)
      const { statusCode: status = 0, headers } = body
      firstHeaders ??= headers
      const next = status >= 300 && status < 400 ? redirectTarget(headers.location, url) : undefined
      if (next === undefined) return { status, headers, firstHeaders, url, body }
      body.destroy()
      if (url.protocol === 'https:' && next.protocol !== 'https:')
        throw new StartError(
          `${url.host} redirects to ${next.protocol}//${next.host}, which is not encrypted. The file was not downloaded.`,
        )
      url = next
    }
    throw new StartError(`${new URL(start).host} redirects more than ${redirectsMax} times.`)
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  #send(url: URL, { method = 'GET', headers = {}, signal }: RequestOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const isHttps = url.protocol === 'https:'
    const token = url.origin === this.#tokenOrigin ? this.#token : undefined
    const request = (isHttps ? httpsRequest : httpRequest)(url, {
      method,
      agent: isHttps ? this.#agents.https : this.#agents.http,
      signal,
      timeout: silenceMaxMs,
      headers: {
        'user-agent': `pipit/${version}`,
        'accept-encoding': 'identity',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    })
    request.on('timeout', () => request.destroy(new Error(`no data for ${silenceMaxMs / 1000} s`)))
    request.on('response', resolve)
    request.on('error', (error) => reject(signal.aborted ? error : networkError(error, url)))
    request.end()
    return promise
  }
}

/** Turns a connection failure into a TransientError if a retry may help, else into a StartError. */
export function networkError(error: Error, url: URL): Error {
  const fault = untrustedCertificate(error)
  if (fault !== undefined)
    return new StartError(
      `The certificate of ${url.host} is not trusted (${fault}). If your network has a certificate of its own, ` +
        'name its file in NODE_EXTRA_CA_CERTS.',
      { cause: error },
    )
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return new TransientError(
    `${url.host} cannot be reached (${code ?? error.message})`,
    undefined,
    error,
  )
}

function redirectTarget(location: string | undefined, base: URL): URL | undefined {
  const url = location === undefined ? null : URL.parse(location, base.href)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

function requireProxySupport(environment: Environment): void {
  if (supportsProxies) return
  const name = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find(
    (variable) => environment[variable],
  )
  if (name !== undefined)
    throw new StartError(
      `${name} is set, and Node ${process.versions.node} cannot use a proxy. Run \`npm run -s pipit -- models …\`, ` +
        'which uses Node 24, or unset it.',
    )
}
