import { homedir, availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { StartError } from './errors.ts'
import {
  cachedTokensMax,
  contextTokensCeiling,
  contextTokensMin,
  guessedTokensDefault,
  guessedTokensMax,
  receiptDaysDefault,
  receiptDaysMax,
  slotsMax,
  threadsMax,
} from './limits.ts'
import { packageRoot } from './paths.ts'

export type Config = Readonly<{
  host: string
  port: number
  /** Loopback only. `fixed` false: another free port will do when this one is taken. */
  metrics: Readonly<{ port: number; fixed: boolean }>
  dataDir: string
  receiptDays: number
  engine: 'embedded' | 'scripted'
  modelPath: string
  /** The bundled file is pinned; a file of the operator's own is not. */
  modelSha256: string | undefined
  /** Undefined, as the next: chosen from the memory that there is. */
  slots: number | undefined
  /** Prompt plus completion of one request. */
  contextTokens: number | undefined
  kvType: 'f16' | 'q8_0'
  gpu: (typeof gpuChoices)[number]
  threads: number
  /** Of conversations that lost their slot; undefined: a quarter of what the slots hold. */
  cachedTokens: number | undefined
  /** The longest guess at what comes next. */
  guessedTokens: number
  /** Of the scripted engine; 0 is as fast as possible. */
  scriptedTokensPerSecond: number
  logLevel: LogLevel
  panel: PanelConfig
}>

export type PanelConfig = Readonly<{
  /** Where browsers reach the service, when that is not the address that it listens on. */
  publicUrl: string | undefined
  signUp: SignUpMode
  /** Who else may say who somebody is. */
  oidc: OidcConfig | undefined
}>

/** Who may make an account of their own once there is a first user. */
export const signUpModes = ['closed', 'invite', 'open'] as const
export type SignUpMode = (typeof signUpModes)[number]

export type OidcConfig = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
  name: string
}>

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const gpuChoices = ['auto', 'off', 'cuda', 'vulkan', 'metal'] as const

export const settingNames = [
  'PIPIT_HOST',
  'PIPIT_PORT',
  'PIPIT_METRICS_PORT',
  'PIPIT_DATA_DIR',
  'PIPIT_RECEIPT_DAYS',
  'PIPIT_ENGINE',
  'PIPIT_MODEL',
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

const bundledModel = {
  path: join(packageRoot, 'model/svc-o1-mini.gguf'),
  sha256: 'c2b0af7085c391c192144a464149dbccf5dc425a37adc71f79258a6535e5e677',
}

/** @throws StartError naming every faulty setting at once */
export function loadConfig(environment: Environment): Config {
  const settings = new Settings(environment)
  const ownModel = settings.text('PIPIT_MODEL')
  const metricsPort = settings.integer('PIPIT_METRICS_PORT', 0, 65_535)
  const config: Config = {
    host: settings.text('PIPIT_HOST') ?? '127.0.0.1',
    port: settings.integer('PIPIT_PORT', 0, 65_535) ?? 8080,
    metrics: { port: metricsPort ?? 9464, fixed: metricsPort !== undefined },
    dataDir: dataDirectory(settings, environment),
    receiptDays: settings.integer('PIPIT_RECEIPT_DAYS', 1, receiptDaysMax) ?? receiptDaysDefault,
    engine: settings.oneOf('PIPIT_ENGINE', ['embedded', 'scripted']) ?? 'embedded',
    modelPath: ownModel === undefined ? bundledModel.path : resolve(ownModel),
    modelSha256: ownModel === undefined ? bundledModel.sha256 : undefined,
    slots: settings.integer('PIPIT_SLOTS', 1, slotsMax),
    contextTokens: settings.integer('PIPIT_CONTEXT_TOKENS', contextTokensMin, contextTokensCeiling),
    kvType: settings.oneOf('PIPIT_KV_TYPE', ['f16', 'q8_0']) ?? 'f16',
    gpu: settings.oneOf('PIPIT_GPU', gpuChoices) ?? 'auto',
    threads: settings.integer('PIPIT_THREADS', 1, threadsMax) ?? threadsDefault(),
    cachedTokens: settings.integer('PIPIT_CACHED_TOKENS', 0, cachedTokensMax),
    guessedTokens:
      settings.integer('PIPIT_GUESSED_TOKENS', 0, guessedTokensMax) ?? guessedTokensDefault,
    scriptedTokensPerSecond: settings.integer('PIPIT_SCRIPTED_TOKENS_PER_SECOND', 0, 1e6) ?? 0,
    logLevel: settings.oneOf('PIPIT_LOG_LEVEL', logLevels) ?? 'info',
    panel: panelConfig(settings),
  }
  settings.throwFaults()
  return config
}

/** For commands that print links. */
export function loadPublicUrl(environment: Environment): string {
  const settings = new Settings(environment)
  const publicUrl = settings.url('PIPIT_PUBLIC_URL')
  const port = settings.integer('PIPIT_PORT', 0, 65_535) ?? 8080
  settings.throwFaults()
  return publicUrl ?? `http://127.0.0.1:${port}`
}

/** For commands that need the data directory and nothing else. */
export function loadDataDir(environment: Environment): string {
  const settings = new Settings(environment)
  const dataDir = dataDirectory(settings, environment)
  settings.throwFaults()
  return dataDir
}

/** Names that look like settings of ours but are none: most often a typing mistake. */
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

  /** Empty counts as unset: compose files and unit files write `NAME=`. */
  text(name: SettingName): string | undefined {
    return this.#environment[name]?.trim() || undefined
  }

  integer(name: SettingName, min: number, max: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    // Kubernetes sets PIPIT_PORT=tcp://… for a service that is named pipit.
    const hint = text.startsWith('tcp://') ? ' (set enableServiceLinks: false on the pod)' : ''
    this.fault(
      name,
      `must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}${hint}`,
    )
    return undefined
  }

  /** Of an origin alone, as browsers name it. */
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

  fault(name: SettingName, what: string): void {
    this.#faults.push(`${name} ${what}`)
  }

  throwFaults(): void {
    if (this.#faults.length > 0) throw new StartError(`${this.#faults.join('; ')}.`)
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
      settings.fault('PIPIT_OIDC_ISSUER', 'is missing beside the other PIPIT_OIDC_… settings')
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

/**
 * ggml's threads spin at a barrier: sharing a core with one of them stalls all. So the HTTP process
 * is left a core of its own.
 */
function threadsDefault(): number {
  return Math.max(1, availableParallelism() - 1)
}
