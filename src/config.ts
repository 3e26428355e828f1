import { homedir, availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type IsTrustedProxy, trustedProxies } from './addresses.ts'
import { chatParameters } from './chat-parameters.ts'
import type { EmbeddedSettings, EngineSettings } from './engine/engine-settings.ts'
import {
  readUpstreamSettings,
  refuseUpstreamSettings,
} from './engine/upstream/upstream-settings.ts'
import { StartError } from './errors.ts'
import {
  allowedHostsMax,
  cachedTokensMax,
  completionTokensCeiling,
  connectionsMax,
  connectionsPerAddressDefault,
  contextTokensCeiling,
  contextTokensDefaultMax,
  contextTokensMin,
  stopSeconds,
  ledgerGibDefault,
  ledgerGibMax,
  receiptDaysDefault,
  receiptDaysMax,
  slotsDefault,
  slotsMax,
  speculativeTokensDefault,
  speculativeTokensMax,
  threadsMax,
  trustedProxiesMax,
} from './limits.ts'
import { bundledModelPath } from './paths.ts'
import { readTracingSettings, type TracingSettings } from './telemetry/tracing/tracing-settings.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Open connections of one IPv4 address, or of one IPv6 /64. */
  connectionsPerAddress: number
  isTrustedProxy: IsTrustedProxy
  /** Host names of the panel and the metrics beside those that need no setting, in lower case. */
  allowedHosts: readonly string[]
  /** The certificate of the service, which speaks HTTP without TLS if there is none. */
  tls: TlsFiles | undefined
  /** Served on loopback only. If not `fixed`, any free port replaces a port that is in use. */
  metrics: Readonly<{ port: number; fixed: boolean }>
  dataDir: string
  /** PostgreSQL in place of the database in `dataDir`. It may hold a password. */
  databaseUrl: string | undefined
  receiptDays: number
  /** Size of the database beyond which the oldest receipts are deleted. */
  ledgerBytesMax: number
  /** Value of `max_tokens` when a request leaves it out, and its largest value. */
  completionTokens: Readonly<{ default: number; max: number }>
  /** Shares of accounts and keys, as text that completions/admission parses. */
  weights: string | undefined
  /** The prompt contains the schema of the reply. */
  tellsSchema: boolean
  /** Time for which a service that stops accepts requests, although it is not ready any more. */
  drainMs: number
  /** Time that running replies get to end when the service stops. */
  graceMs: number
  engine: EngineSettings
  logLevel: (typeof logLevels)[number]
  tracing: TracingSettings | undefined
  panel: PanelConfig
}>

/** Paths of the certificate chain and of its key, in PEM. */
export type TlsFiles = Readonly<{ certPath: string; keyPath: string }>

export type PanelConfig = Readonly<{
  /** Origin under which browsers reach the service. Undefined: the address that it listens on. */
  publicUrl: string | undefined
  /** The value of PIPIT_SIGN_UP. Without one, admins turn invites on and off in the panel. */
  signUp: SignUpMode | undefined
  /** OpenID Connect issuer with which people may sign in. */
  oidc: OidcConfig | undefined
}>

/** Ways to create an account once the first user exists. */
const signUpModes = ['closed', 'invite', 'open'] as const
export type SignUpMode = (typeof signUpModes)[number]

export type OidcConfig = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
  name: string
}>

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

const settingNames = [
  'PIPIT_HOST',
  'PIPIT_PORT',
  'PIPIT_CONNECTIONS_PER_ADDRESS',
  'PIPIT_TRUSTED_PROXIES',
  'PIPIT_ALLOWED_HOSTS',
  'PIPIT_TLS_CERT',
  'PIPIT_TLS_KEY',
  'PIPIT_METRICS_PORT',
  'PIPIT_DATA_DIR',
  'PIPIT_DATABASE_URL',
  'PIPIT_RECEIPT_DAYS',
  'PIPIT_LEDGER_MAX_GIB',
  'PIPIT_MAX_TOKENS',
  'PIPIT_WEIGHTS',
  'PIPIT_SCHEMA_IN_PROMPT',
  'PIPIT_DRAIN_SECONDS',
  'PIPIT_GRACE_SECONDS',
  'PIPIT_ENGINE',
  'PIPIT_MODEL',
  'PIPIT_MODEL_SHA256',
  'PIPIT_CHAT_TEMPLATE',
  'PIPIT_SLOTS',
  'PIPIT_CONTEXT_TOKENS',
  'PIPIT_KV_TYPE',
  'PIPIT_GPU',
  'PIPIT_THREADS',
  'PIPIT_SANDBOX',
  'PIPIT_CACHED_TOKENS',
  'PIPIT_SPECULATIVE_TOKENS',
  'PIPIT_SCRIPTED_TOKENS_PER_SECOND',
  'PIPIT_UPSTREAM_URLS',
  'PIPIT_UPSTREAM_FLAVOUR',
  'PIPIT_UPSTREAM_MODEL',
  'PIPIT_UPSTREAM_KEY',
  'PIPIT_LOG_LEVEL',
  'PIPIT_PUBLIC_URL',
  'PIPIT_SIGN_UP',
  'PIPIT_OIDC_ISSUER',
  'PIPIT_OIDC_CLIENT_ID',
  'PIPIT_OIDC_CLIENT_SECRET',
  'PIPIT_OIDC_NAME',
] as const
/** Variables of commands that call a service, with the names that they had in earlier versions. */
export const clientVariables = { PIPIT_BASE_URL: 'PIPIT_URL', PIPIT_API_KEY: 'PIPIT_KEY' } as const
/** Settings with the names that they had in earlier versions. */
export const renamedSettings = new Map([['PIPIT_SPECULATIVE_TOKENS', 'PIPIT_GUESSED_TOKENS']])
type SettingName = (typeof settingNames)[number]
type Environment = Readonly<Record<string, string | undefined>>

const bundledModelSha256 = 'c2b0af7085c391c192144a464149dbccf5dc425a37adc71f79258a6535e5e677'

/** @throws StartError that names all invalid settings at once */
export function loadConfig(environment: Environment): Config {
  const settings = new Settings(environment)
  const metricsPort = settings.integer('PIPIT_METRICS_PORT', 0, 65_535)
  const config: Config = {
    host: settings.text('PIPIT_HOST') ?? '127.0.0.1',
    port: settings.integer('PIPIT_PORT', 0, 65_535) ?? 8080,
    connectionsPerAddress:
      settings.integer('PIPIT_CONNECTIONS_PER_ADDRESS', 1, connectionsMax) ??
      connectionsPerAddressDefault,
    isTrustedProxy: proxies(settings),
    allowedHosts: hostNames(settings),
    tls: tlsFiles(settings),
    metrics: { port: metricsPort ?? 9464, fixed: metricsPort !== undefined },
    dataDir: dataDirectory(settings, environment),
    databaseUrl: settings.text('PIPIT_DATABASE_URL'),
    receiptDays: settings.integer('PIPIT_RECEIPT_DAYS', 1, receiptDaysMax) ?? receiptDaysDefault,
    ledgerBytesMax:
      2 ** 30 * (settings.integer('PIPIT_LEDGER_MAX_GIB', 1, ledgerGibMax) ?? ledgerGibDefault),
    completionTokens: completionTokens(settings),
    weights: settings.text('PIPIT_WEIGHTS'),
    tellsSchema: settings.oneOf('PIPIT_SCHEMA_IN_PROMPT', ['on', 'off']) === 'on',
    drainMs: settings.seconds('PIPIT_DRAIN_SECONDS', stopSeconds.drain),
    graceMs: settings.seconds('PIPIT_GRACE_SECONDS', stopSeconds.grace),
    engine: engineSettings(settings),
    logLevel: settings.oneOf('PIPIT_LOG_LEVEL', logLevels) ?? 'info',
    tracing: readTracingSettings(environment),
    panel: panelConfig(settings),
  }
  settings.throwFaults()
  return config
}

/** Loads the origin of the panel alone, for commands that print links to it. */
export function loadPublicUrl(environment: Environment): string {
  const settings = new Settings(environment)
  const publicUrl = settings.url('PIPIT_PUBLIC_URL')
  const port = settings.integer('PIPIT_PORT', 0, 65_535) ?? 8080
  const scheme = tlsFiles(settings) === undefined ? 'http' : 'https'
  settings.throwFaults()
  return publicUrl ?? `${scheme}://127.0.0.1:${port}`
}

/** Loads the URL of the database alone, for commands that need no other setting. */
export function loadDatabaseUrl(environment: Environment): string | undefined {
  return new Settings(environment).text('PIPIT_DATABASE_URL')
}

/** Loads the data directory alone, for commands that need no other setting. */
export function loadDataDir(environment: Environment): string {
  const settings = new Settings(environment)
  const dataDir = dataDirectory(settings, environment)
  settings.throwFaults()
  return dataDir
}

/** Lists the variables that begin with `PIPIT_` but are not settings, mostly because of a typing mistake. */
export function unknownSettings(environment: Environment): string[] {
  const others = [...Object.entries(clientVariables).flat(), ...renamedSettings.values()]
  const known = new Set<string>([...settingNames, ...others])
  return Object.keys(environment).filter((name) => name.startsWith('PIPIT_') && !known.has(name))
}

class Settings {
  readonly #environment: Environment
  readonly #faults: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Treats an empty value as unset: compose files and unit files write `NAME=`. */
  text(name: SettingName): string | undefined {
    const names = [name, renamedSettings.get(name) ?? name]
    return names.map((one) => this.#environment[one]?.trim()).find(Boolean)
  }

  /** Splits at commas and spaces. */
  list(name: SettingName, max: number): string[] {
    const entries = (this.text(name) ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
    if (entries.length > max) this.fault(name, `has ${entries.length} entries; at most ${max} fit`)
    return entries
  }

  integer(name: SettingName, min: number, max: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    // Kubernetes sets PIPIT_PORT=tcp://… when a service is named pipit.
    const hint = text.startsWith('tcp://') ? ' (set enableServiceLinks: false on the pod)' : ''
    const rule = `must be a whole number from ${min} to ${max}`
    this.fault(name, `${rule}, not ${JSON.stringify(text)}${hint}`)
    return undefined
  }

  /** Returns a time in milliseconds. */
  seconds(name: SettingName, limits: { default: number; max: number }): number {
    return 1000 * (this.integer(name, 0, limits.max) ?? limits.default)
  }

  sha256(name: SettingName): string | undefined {
    const text = this.text(name)?.toLowerCase()
    if (text !== undefined && !/^[0-9a-f]{64}$/.test(text))
      this.fault(name, `must have 64 hexadecimal digits, as \`sha256sum FILE\` prints them`)
    return text
  }

  /** Returns the origin of an http or https URL that has no other parts. */
  url(name: SettingName): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const url = URL.parse(text)
    const isOrigin = url !== null && url.pathname === '/' && url.search === '' && url.hash === ''
    if (isOrigin && url.username === '' && /^https?:$/.test(url.protocol)) return url.origin
    const rule = 'must be like https://pipit.example.com, without a path'
    this.fault(name, `${rule}, not ${JSON.stringify(text)}`)
    return undefined
  }

  oneOf<const T extends string>(name: SettingName, choices: readonly T[]): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const choice = choices.find((candidate) => candidate === text)
    if (choice === undefined)
      this.fault(name, `must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}`)
    return choice
  }

  fault(name: SettingName, text: string): void {
    this.#faults.push(`${name} ${text}`)
  }

  throwFaults(): void {
    if (this.#faults.length > 0) throw new StartError(`${this.#faults.join('; ')}.`)
  }
}

function proxies(settings: Settings): IsTrustedProxy {
  const name = 'PIPIT_TRUSTED_PROXIES'
  try {
    return trustedProxies(settings.list(name, trustedProxiesMax))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const entry = JSON.stringify(error.message)
    settings.fault(name, `must list addresses like 127.0.0.1 or 10.0.0.0/8, not ${entry}`)
    return () => false
  }
}

function hostNames(settings: Settings): string[] {
  const names = settings.list('PIPIT_ALLOWED_HOSTS', allowedHostsMax)
  const wrong = names.find((name) => !/^[\w-]+(\.[\w-]+)*$/.test(name))
  if (wrong !== undefined) {
    const rule = 'must list host names like chat.example.com, without port'
    settings.fault('PIPIT_ALLOWED_HOSTS', `${rule}, not ${JSON.stringify(wrong)}`)
  }
  return names.map((name) => name.toLowerCase())
}

function tlsFiles(settings: Settings): TlsFiles | undefined {
  const certPath = settings.text('PIPIT_TLS_CERT')
  const keyPath = settings.text('PIPIT_TLS_KEY')
  if (certPath === undefined && keyPath === undefined) return undefined
  if (certPath === undefined) settings.fault('PIPIT_TLS_CERT', 'is missing: PIPIT_TLS_KEY needs it')
  if (keyPath === undefined) settings.fault('PIPIT_TLS_KEY', 'is missing: PIPIT_TLS_CERT needs it')
  if (settings.text('PIPIT_PUBLIC_URL')?.startsWith('http:') === true)
    settings.fault('PIPIT_PUBLIC_URL', 'must begin with https:// when PIPIT_TLS_CERT is set')
  return { certPath: resolve(certPath ?? ''), keyPath: resolve(keyPath ?? '') }
}

/** A raised maximum is the default too: operators raise it for models that think, for which 256 tokens are few. */
function completionTokens(settings: Settings): Config['completionTokens'] {
  const { default: standard, maximum } = chatParameters.max_tokens
  const raised = settings.integer('PIPIT_MAX_TOKENS', maximum, completionTokensCeiling)
  return { default: raised ?? standard, max: raised ?? maximum }
}

function engineSettings(settings: Settings): EngineSettings {
  const kind = settings.oneOf('PIPIT_ENGINE', ['embedded', 'scripted', 'upstream']) ?? 'embedded'
  if (kind === 'upstream') return readUpstreamSettings(settings)
  refuseUpstreamSettings(settings)
  const embedded = embeddedSettings(settings)
  const tokensPerSecond = settings.integer('PIPIT_SCRIPTED_TOKENS_PER_SECOND', 0, 1e6) ?? 0
  if (kind === 'embedded') return embedded
  const { slots = slotsDefault, contextTokens = contextTokensDefaultMax } = embedded
  return { kind, slots, contextTokens, tokensPerSecond }
}

function embeddedSettings(settings: Settings): EmbeddedSettings {
  const ownModel = settings.text('PIPIT_MODEL')
  if (ownModel === undefined && settings.text('PIPIT_MODEL_SHA256') !== undefined)
    settings.fault('PIPIT_MODEL_SHA256', 'needs PIPIT_MODEL; the bundled model is pinned already')
  const chatTemplate = settings.text('PIPIT_CHAT_TEMPLATE')
  return {
    kind: 'embedded',
    modelPath: ownModel === undefined ? bundledModelPath : resolve(ownModel),
    // The bundled file is always pinned; a file of the operator's own only on request.
    modelSha256:
      ownModel === undefined ? bundledModelSha256 : settings.sha256('PIPIT_MODEL_SHA256'),
    chatTemplatePath: chatTemplate === undefined ? undefined : resolve(chatTemplate),
    slots: settings.integer('PIPIT_SLOTS', 1, slotsMax),
    contextTokens: settings.integer('PIPIT_CONTEXT_TOKENS', contextTokensMin, contextTokensCeiling),
    kvType: settings.oneOf('PIPIT_KV_TYPE', ['f16', 'q8_0']) ?? 'f16',
    gpu: settings.oneOf('PIPIT_GPU', ['auto', 'off', 'cuda', 'vulkan', 'metal']) ?? 'auto',
    // Leaves one core to HTTP: ggml's threads spin at a barrier, so a shared core stalls all of them.
    threads:
      settings.integer('PIPIT_THREADS', 1, threadsMax) ?? Math.max(1, availableParallelism() - 1),
    cachedTokens: settings.integer('PIPIT_CACHED_TOKENS', 0, cachedTokensMax),
    speculativeTokens:
      settings.integer('PIPIT_SPECULATIVE_TOKENS', 0, speculativeTokensMax) ??
      speculativeTokensDefault,
    sandbox: settings.oneOf('PIPIT_SANDBOX', ['on', 'off']) !== 'off',
    availableBytes: undefined,
    arithmetic: undefined,
  }
}

function panelConfig(settings: Settings): PanelConfig {
  return {
    publicUrl: settings.url('PIPIT_PUBLIC_URL'),
    signUp: settings.oneOf('PIPIT_SIGN_UP', signUpModes),
    oidc: oidcConfig(settings),
  }
}

function oidcConfig(settings: Settings): OidcConfig | undefined {
  const issuer = settings.text('PIPIT_OIDC_ISSUER')
  const clientId = settings.text('PIPIT_OIDC_CLIENT_ID')
  const clientSecret = settings.text('PIPIT_OIDC_CLIENT_SECRET')
  const name = settings.text('PIPIT_OIDC_NAME')
  if (issuer === undefined) {
    if (clientId !== undefined || clientSecret !== undefined || name !== undefined)
      settings.fault('PIPIT_OIDC_ISSUER', 'is missing: the other PIPIT_OIDC_… settings need it')
    return undefined
  }
  const url = URL.parse(issuer)
  if (url === null || !/^https?:$/.test(url.protocol))
    settings.fault(
      'PIPIT_OIDC_ISSUER',
      `must be an http or https URL, not ${JSON.stringify(issuer)}`,
    )
  if (clientId === undefined) settings.fault('PIPIT_OIDC_CLIENT_ID', 'is missing')
  if (clientSecret === undefined) settings.fault('PIPIT_OIDC_CLIENT_SECRET', 'is missing')
  if (url === null || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret, name: name ?? url.hostname }
}

function dataDirectory(settings: Settings, environment: Environment): string {
  const chosen = settings.text('PIPIT_DATA_DIR')
  if (chosen !== undefined) return resolve(chosen)
  const xdg = environment['XDG_DATA_HOME']
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'share')
  return join(base, 'pipit')
}
