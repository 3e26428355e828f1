import { homedir, availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { EmbeddedSettings, EngineSettings } from './engine/engine-settings.ts'
import { StartError } from './errors.ts'
import {
  cachedTokensMax,
  contextTokensCeiling,
  contextTokensDefaultMax,
  contextTokensMin,
  graceSecondsDefault,
  graceSecondsMax,
  receiptDaysDefault,
  receiptDaysMax,
  slotsDefault,
  slotsMax,
  speculativeTokensDefault,
  speculativeTokensMax,
  threadsMax,
} from './limits.ts'
import { bundledModelPath } from './paths.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Served on loopback only. If not `fixed`, any free port replaces a port that is in use. */
  metrics: Readonly<{ port: number; fixed: boolean }>
  dataDir: string
  receiptDays: number
  /** Time that running replies get to end when the service stops. */
  graceMs: number
  engine: EngineSettings
  logLevel: LogLevel
  panel: PanelConfig
}>

export type PanelConfig = Readonly<{
  /** Origin under which browsers reach the service. Undefined: the address that it listens on. */
  publicUrl: string | undefined
  signUp: SignUpMode
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
type LogLevel = (typeof logLevels)[number]

const settingNames = [
  'PIPIT_HOST',
  'PIPIT_PORT',
  'PIPIT_METRICS_PORT',
  'PIPIT_DATA_DIR',
  'PIPIT_RECEIPT_DAYS',
  'PIPIT_GRACE_SECONDS',
  'PIPIT_ENGINE',
  'PIPIT_MODEL',
  'PIPIT_MODEL_SHA256',
  'PIPIT_SLOTS',
  'PIPIT_CONTEXT_TOKENS',
  'PIPIT_KV_TYPE',
  'PIPIT_GPU',
  'PIPIT_THREADS',
  'PIPIT_CACHED_TOKENS',
  'PIPIT_GUESSED_TOKENS',
  'PIPIT_SCRIPTED_TOKENS_PER_SECOND',
  'PIPIT_LOG_LEVEL',
  'PIPIT_PUBLIC_URL',
  'PIPIT_SIGN_UP',
  'PIPIT_OIDC_ISSUER',
  'PIPIT_OIDC_CLIENT_ID',
  'PIPIT_OIDC_CLIENT_SECRET',
  'PIPIT_OIDC_NAME',
] as const
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
    metrics: { port: metricsPort ?? 9464, fixed: metricsPort !== undefined },
    dataDir: dataDirectory(settings, environment),
    receiptDays: settings.integer('PIPIT_RECEIPT_DAYS', 1, receiptDaysMax) ?? receiptDaysDefault,
    graceMs:
      1000 * (settings.integer('PIPIT_GRACE_SECONDS', 0, graceSecondsMax) ?? graceSecondsDefault),
    engine: engineSettings(settings),
    logLevel: settings.oneOf('PIPIT_LOG_LEVEL', logLevels) ?? 'info',
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
  settings.throwFaults()
  return publicUrl ?? `http://127.0.0.1:${port}`
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
  const known: readonly string[] = settingNames
  return Object.keys(environment).filter(
    (name) => name.startsWith('PIPIT_') && !known.includes(name),
  )
}

class Settings {
  readonly #environment: Environment
  readonly #faults: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Treats an empty value as unset: compose files and unit files write `NAME=`. */
  text(name: SettingName): string | undefined {
    return this.#environment[name]?.trim() || undefined
  }

  integer(name: SettingName, min: number, max: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    // Kubernetes sets PIPIT_PORT=tcp://… when a service is named pipit.
    const hint = text.startsWith('tcp://') ? ' (set enableServiceLinks: false on the pod)' : ''
    this.fault(
      name,
      `must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}${hint}`,
    )
    return undefined
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
    this.fault(
      name,
      `must be like https://pipit.example.com, without a path, not ${JSON.stringify(text)}`,
    )
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

function engineSettings(settings: Settings): EngineSettings {
  const kind = settings.oneOf('PIPIT_ENGINE', ['embedded', 'scripted']) ?? 'embedded'
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
  return {
    kind: 'embedded',
    modelPath: ownModel === undefined ? bundledModelPath : resolve(ownModel),
    // The bundled file is always pinned; a file of the operator's own only on request.
    modelSha256:
      ownModel === undefined ? bundledModelSha256 : settings.sha256('PIPIT_MODEL_SHA256'),
    slots: settings.integer('PIPIT_SLOTS', 1, slotsMax),
    contextTokens: settings.integer('PIPIT_CONTEXT_TOKENS', contextTokensMin, contextTokensCeiling),
    kvType: settings.oneOf('PIPIT_KV_TYPE', ['f16', 'q8_0']) ?? 'f16',
    gpu: settings.oneOf('PIPIT_GPU', ['auto', 'off', 'cuda', 'vulkan', 'metal']) ?? 'auto',
    threads: settings.integer('PIPIT_THREADS', 1, threadsMax) ?? threadsDefault(),
    cachedTokens: settings.integer('PIPIT_CACHED_TOKENS', 0, cachedTokensMax),
    speculativeTokens:
      settings.integer('PIPIT_GUESSED_TOKENS', 0, speculativeTokensMax) ?? speculativeTokensDefault,
    availableBytes: undefined,
    arithmetic: undefined,
  }
}

function panelConfig(settings: Settings): PanelConfig {
  return {
    publicUrl: settings.url('PIPIT_PUBLIC_URL'),
    signUp: settings.oneOf('PIPIT_SIGN_UP', signUpModes) ?? 'closed',
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

/** Leaves one core to the HTTP process: ggml's threads spin at a barrier, so a shared core stalls all of them. */
function threadsDefault(): number {
  return Math.max(1, availableParallelism() - 1)
}
