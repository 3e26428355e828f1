import { homedir, availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type IsTrustedProxy, trustedProxies } from './addresses.ts'
import { chatParameters } from './chat-parameters.ts'
import type { EmbeddedSettings, EngineSettings } from './engine/engine-settings.ts'
import {
  readUpstreamSettings,
  refuseUpstreamSettings,
} from './engine/upstream/upstream-settings.ts'
import { contextTokensDefaultMax, slotsDefault } from './limits.ts'
import { bundledModelPath } from './paths.ts'
import {
  clientVariables,
  earlierNameOf,
  settingNames,
  settingsTable,
} from './settings/settings-table.ts'
import { Settings } from './settings/settings.ts'
import { readTracingSettings, type TracingSettings } from './telemetry/tracing/tracing-settings.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Maximum number of open connections of one IPv4 address, or of one IPv6 /64. */
  connectionsPerAddress: number
  isTrustedProxy: IsTrustedProxy
  /** Host names of the panel and the metrics, in addition to those that need no setting; in lower case. */
  allowedHosts: readonly string[]
  /** Files of the TLS certificate. Without them, the service speaks HTTP without TLS. */
  tls: TlsFiles | undefined
  /** Port of the metrics, on loopback only. If it is in use and not `fixed`, any free port replaces it. */
  metrics: Readonly<{ port: number; fixed: boolean }>
  dataDir: string
  /** URL of a PostgreSQL database to use instead of the one in `dataDir`. May hold a password. */
  databaseUrl: string | undefined
  receiptDays: number
  /** Size of the database beyond which the oldest receipts are deleted. */
  ledgerBytesMax: number
  /** Default and maximum of `max_tokens`. */
  completionTokens: Readonly<{ default: number; max: number }>
  /** Weights of accounts and keys, as text that completions/admission parses. */
  weights: string | undefined
  /** True if the prompt contains the JSON Schema of the reply. */
  tellsSchema: boolean
  /** Time for which a stopping service still accepts requests although it reports that it is not ready. */
  drainMs: number
  /** Time that running replies get to finish when the service stops. */
  graceMs: number
  engine: EngineSettings
  logLevel: (typeof logLevels)[number]
  tracing: TracingSettings | undefined
  panel: PanelConfig
}>

/** Paths of the certificate chain and of its key, in PEM. */
export type TlsFiles = Readonly<{ certPath: string; keyPath: string }>

export type PanelConfig = Readonly<{
  /** Origin under which browsers reach the service. If undefined, the address that the service listens on. */
  publicUrl: string | undefined
  /** The value of PIPIT_SIGN_UP. If it is not set, admins turn invites on and off in the panel. */
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

type Environment = Readonly<Record<string, string | undefined>>

const bundledModelSha256 = '6b085b532d1c35f649db9d26b5c689cb00cb400023a2dc36d81e26482e43c235'

/** @throws StartError that names all invalid settings at once */
export function loadConfig(environment: Environment): Config {
  const settings = new Settings(environment)
  const host = settings.text('PIPIT_HOST') ?? settingsTable.PIPIT_HOST.default
  const port = settings.integer('PIPIT_PORT')
  const config: Config = {
    host,
    port,
    connectionsPerAddress: settings.integer('PIPIT_CONNECTIONS_PER_ADDRESS'),
    isTrustedProxy: proxies(settings),
    allowedHosts: hostNames(settings),
    tls: tlsFiles(settings),
    metrics: metricsPort(settings, host, port),
    dataDir: dataDirectory(settings, environment),
    databaseUrl: settings.text('PIPIT_DATABASE_URL'),
    receiptDays: settings.integer('PIPIT_RECEIPT_DAYS'),
    ledgerBytesMax: 2 ** 30 * settings.integer('PIPIT_LEDGER_MAX_GIB'),
    completionTokens: completionTokens(settings),
    weights: settings.text('PIPIT_WEIGHTS'),
    tellsSchema: settings.oneOf('PIPIT_SCHEMA_IN_PROMPT', ['on', 'off']) === 'on',
    drainMs: 1000 * settings.integer('PIPIT_DRAIN_SECONDS'),
    graceMs: 1000 * settings.integer('PIPIT_GRACE_SECONDS'),
    engine: engineSettings(settings),
    logLevel: settings.oneOf('PIPIT_LOG_LEVEL', logLevels),
    tracing: readTracingSettings(environment),
    panel: panelConfig(settings),
  }
  settings.throwFaults()
  return config
}

/** Loads only the panel's origin, for commands that print links to the panel. */
export function loadPublicUrl(environment: Environment): string {
  const settings = new Settings(environment)
  const publicUrl = settings.url('PIPIT_PUBLIC_URL')
  const port = settings.integer('PIPIT_PORT')
  const scheme = tlsFiles(settings) === undefined ? 'http' : 'https'
  settings.throwFaults()
  return publicUrl ?? `${scheme}://127.0.0.1:${port}`
}

/** Loads only the database URL, for commands that need no other setting. */
export function loadDatabaseUrl(environment: Environment): string | undefined {
  return new Settings(environment).text('PIPIT_DATABASE_URL')
}

/** Loads only the data directory, for commands that need no other setting. */
export function loadDataDir(environment: Environment): string {
  const settings = new Settings(environment)
  const dataDir = dataDirectory(settings, environment)
  settings.throwFaults()
  return dataDir
}

/** Lists the variables that begin with `PIPIT_` but are not settings, mostly because of typing errors. */
export function unknownSettings(environment: Environment): string[] {
  const known = new Set<string>([
    ...settingNames,
    ...settingNames.flatMap((name) => earlierNameOf(name) ?? []),
    ...Object.entries(clientVariables).flat(),
  ])
  return Object.keys(environment).filter((name) => name.startsWith('PIPIT_') && !known.has(name))
}

function proxies(settings: Settings): IsTrustedProxy {
  const name = 'PIPIT_TRUSTED_PROXIES'
  try {
    return trustedProxies(settings.list(name))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const entry = JSON.stringify(error.message)
    settings.fault(name, `must list addresses like 127.0.0.1 or 10.0.0.0/8, not ${entry}`)
    return () => false
  }
}

function hostNames(settings: Settings): string[] {
  const names = settings.list('PIPIT_ALLOWED_HOSTS')
  const wrong = names.find((name) => !/^[\w-]+(\.[\w-]+)*$/.test(name))
  if (wrong !== undefined) {
    const rule = 'must list host names like chat.example.com, without port'
    settings.fault('PIPIT_ALLOWED_HOSTS', `${rule}, not ${JSON.stringify(wrong)}`)
  }
  return names.map((name) => name.toLowerCase())
}

/** Hosts of the API that include 127.0.0.1, the address of the metrics. */
const hostsOfMetrics = ['127.0.0.1', 'localhost', '0.0.0.0', '::']

function metricsPort(settings: Settings, host: string, apiPort: number): Config['metrics'] {
  const name = 'PIPIT_METRICS_PORT'
  const port = settings.integer(name)
  const fixed = settings.text(name) !== undefined
  if (port !== apiPort || port === 0 || !hostsOfMetrics.includes(host)) return { port, fixed }
  if (fixed) settings.fault(name, `must differ from PIPIT_PORT, which is ${port} too`)
  return { port: 0, fixed }
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

/**
 * Returns the default and the maximum of `max_tokens`. A raised maximum becomes the default: operators raise it for
 * models that think, for which 256 tokens are too few.
 */
function completionTokens(settings: Settings): Config['completionTokens'] {
  const { default: standard, maximum } = chatParameters.max_tokens
  const raised = settings.integer('PIPIT_MAX_TOKENS')
  return { default: raised ?? standard, max: raised ?? maximum }
}

/** Settings of the embedded and the scripted engine that upstream engines do not have. */
const ownEngineSettings = [
  'PIPIT_MODEL',
  'PIPIT_MODEL_SHA256',
  'PIPIT_CHAT_TEMPLATE',
  'PIPIT_KV_TYPE',
  'PIPIT_GPU',
  'PIPIT_THREADS',
  'PIPIT_SANDBOX',
  'PIPIT_CACHED_TOKENS',
  'PIPIT_SPECULATIVE_TOKENS',
  'PIPIT_SCRIPTED_TOKENS_PER_SECOND',
] as const

function engineSettings(settings: Settings): EngineSettings {
  const kind = settings.oneOf('PIPIT_ENGINE', ['embedded', 'scripted', 'upstream'])
  if (kind === 'upstream') {
    for (const name of ownEngineSettings)
      if (settings.text(name) !== undefined)
        settings.fault(name, 'has no effect with PIPIT_ENGINE=upstream')
    return readUpstreamSettings(settings)
  }
  refuseUpstreamSettings(settings)
  const embedded = embeddedSettings(settings)
  const tokensPerSecond = settings.integer('PIPIT_SCRIPTED_TOKENS_PER_SECOND')
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
    // The bundled file is always checked against its checksum; an operator's own file only on request.
    modelSha256:
      ownModel === undefined ? bundledModelSha256 : settings.sha256('PIPIT_MODEL_SHA256'),
    chatTemplatePath: chatTemplate === undefined ? undefined : resolve(chatTemplate),
    slots: settings.integer('PIPIT_SLOTS'),
    contextTokens: settings.integer('PIPIT_CONTEXT_TOKENS'),
    kvType: settings.oneOf('PIPIT_KV_TYPE', ['f16', 'q8_0']),
    gpu: settings.oneOf('PIPIT_GPU', ['auto', 'off', 'cuda', 'vulkan', 'metal']),
    // Leaves one core to HTTP: ggml's threads spin at a barrier, so a shared core stalls all of them.
    threads: settings.integer('PIPIT_THREADS') ?? Math.max(1, availableParallelism() - 1),
    cachedTokens: settings.integer('PIPIT_CACHED_TOKENS'),
    speculativeTokens: settings.integer('PIPIT_SPECULATIVE_TOKENS'),
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
