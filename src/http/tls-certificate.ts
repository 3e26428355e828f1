import { strict as assert } from 'node:assert'
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext, Server } from 'node:tls'
import type { TlsFiles } from '../config.ts'
import { StartError } from '../errors.ts'
import { certificateCheckMs } from '../limits.ts'
import type { Logger } from '../telemetry/logger.ts'

/** A certificate chain and its key, in PEM. */
type TlsOptions = { cert: string; key: string; minVersion: 'TLSv1.2' }

/** The certificate of the service. Renewed files are used for new connections, without a restart. */
export class TlsCertificate {
  readonly #files: TlsFiles
  readonly #logger: Logger
  #options: TlsOptions
  /** The last fault that was logged. It is not logged again until it changes. */
  #fault = ''
  #timer: NodeJS.Timeout | undefined
  #server: Server | undefined

  private constructor(files: TlsFiles, options: TlsOptions, logger: Logger) {
    this.#files = files
    this.#options = options
    this.#logger = logger
  }

  /** @throws StartError that names the setting and its file */
  static async open(files: TlsFiles, logger: Logger): Promise<TlsCertificate> {
    return new TlsCertificate(files, await readCertificate(files), logger)
  }

  get options(): TlsOptions {
    return this.#options
  }

  /** Checks the files from now on and gives renewed ones to the server. */
  follow(server: object, checkMs = certificateCheckMs): void {
    assert(server instanceof Server, 'the server does not speak TLS')
    this.#server = server
    this.#timer = setInterval(() => void this.reload(), checkMs)
    this.#timer.unref()
  }

  /** Reads the files again. If they cannot be used, logs the reason and keeps the certificate in use. */
  async reload(): Promise<void> {
    try {
      const options = await readCertificate(this.#files)
      this.#fault = ''
      if (options.cert === this.#options.cert && options.key === this.#options.key) return
      this.#server?.setSecureContext(options)
      this.#options = options
      this.#logger.info('the renewed TLS certificate is in use')
    } catch (error) {
      const fault = String(error)
      if (fault !== this.#fault)
        this.#logger.error('the TLS certificate was not renewed; the old one stays', { error })
      this.#fault = fault
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

async function readCertificate({ certPath, keyPath }: TlsFiles): Promise<TlsOptions> {
  const [cert, key] = await Promise.all([
    readPem('PIPIT_TLS_CERT', certPath),
    readPem('PIPIT_TLS_KEY', keyPath),
  ])
  const leaf = parse(
    () => new X509Certificate(cert),
    `PIPIT_TLS_CERT: ${certPath} holds no certificate in PEM format.`,
  )
  const privateKey: KeyObject = parse(
    () => createPrivateKey(key),
    `PIPIT_TLS_KEY: ${keyPath} holds no private key in PEM format that needs no passphrase.`,
  )
  if (!leaf.checkPrivateKey(privateKey))
    throw new StartError(
      `PIPIT_TLS_KEY: the key in ${keyPath} does not belong to the certificate in ${certPath}.`,
    )
  const options = { cert, key, minVersion: 'TLSv1.2' } as const
  parse(
    () => createSecureContext(options),
    `PIPIT_TLS_CERT: the chain in ${certPath} cannot be used.`,
  )
  return options
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new StartError(`${setting}: ${path} cannot be read (${reason}).`, { cause })
  }
}

function parse<T>(read: () => T, fault: string): T {
  try {
    return read()
  } catch (cause) {
    throw new StartError(fault, { cause })
  }
}
