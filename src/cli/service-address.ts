import { loadDataDir } from '../config.ts'
import { StartError, untrustedCertificate } from '../errors.ts'
import { findRunningService } from '../storage/service-file.ts'
import { commandLine } from '../paths.ts'
import { clientVariable } from './client-variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type ServiceAddress = {
  /** Base URL without `/v1` and without a trailing slash. */
  url: string
  /** True if the service runs on this command's data directory: `keys create` then makes a key for it. */
  isOwn: boolean
}

/**
 * Finds the service: at the given URL, at PIPIT_BASE_URL, on the data directory, or else at the default address.
 * @throws StartError
 */
export function findService(url: string | undefined, environment: Environment): ServiceAddress {
  const own = findRunningService(loadDataDir(environment))
  const given = url ?? clientVariable('PIPIT_BASE_URL', environment)
  const port = environment['PIPIT_PORT']?.trim() || '8080'
  const found = baseUrl(given ?? own?.url ?? `http://127.0.0.1:${port}`)
  const isOwn = own !== undefined && new URL(found).origin === new URL(own.url).origin
  return { url: found, isOwn }
}

/**
 * Returns the base URL without `/v1`, because the paths begin with `/v1`.
 * @throws StartError
 */
export function baseUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError(
      `${url} is not the base URL of a service. Give one such as http://127.0.0.1:8080.`,
    )
  return url.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')
}

/** Returns a sentence on how to get a key for the service. */
export function keyHint({ url, isOwn }: ServiceAddress): string {
  return isOwn
    ? `Create one with \`${commandLine} keys create --name chat\`, then \`export PIPIT_API_KEY=YOUR_KEY\`.`
    : `Set PIPIT_API_KEY to a key of ${url}.`
}

/** Remedies by Node's code of the fault of a certificate. */
const certificateRemedies: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a host name that it has.',
}

/**
 * Explains a failed request to a service that runs, but whose certificate is not trusted.
 * @throws StartError if the certificate is the cause of the error
 */
export function throwIfUntrusted(url: string, error: unknown): void {
  const code = untrustedCertificate(error)
  if (code === undefined) return
  const remedy =
    certificateRemedies[code] ??
    'Name the file of its authority, or its own, in NODE_EXTRA_CA_CERTS.'
  throw new StartError(`The certificate of ${url} is not trusted (${code}). ${remedy}`, {
    cause: error,
  })
}
