import { contextTokensDefaultMax } from '../../limits.ts'
import { settingsTable } from '../../settings/settings-table.ts'

/** Programs whose dialect of the OpenAI API is known; `openai` is any other one, and every router. */
const upstreamFlavours = ['vllm', 'sglang', 'llama-server', 'ollama', 'openai'] as const
export type UpstreamFlavour = (typeof upstreamFlavours)[number]

/** Engines in other processes, which speak the OpenAI API. */
export type UpstreamSettings = {
  readonly kind: 'upstream'
  /** Without a slash at the end, and without `/v1`. */
  readonly urls: readonly string[]
  readonly flavour: UpstreamFlavour
  /** The name under which the engines serve the model. */
  readonly model: string
  readonly key: string | undefined
  /** Generations that run at a time, on all engines together. */
  readonly slots: number
  /** Prompt plus completion of one request; undefined: the engines say it, or `contextTokensDefaultMax`. */
  readonly contextTokens: number | undefined
}

const slots = settingsTable.PIPIT_SLOTS.upstream
const contextTokens = settingsTable.PIPIT_CONTEXT_TOKENS.upstream

const upstreamSettingNames = [
  'PIPIT_UPSTREAM_URLS',
  'PIPIT_UPSTREAM_FLAVOUR',
  'PIPIT_UPSTREAM_MODEL',
  'PIPIT_UPSTREAM_KEY',
] as const
type UpstreamSettingName = (typeof upstreamSettingNames)[number]

/** Reads settings and collects what is wrong with them. */
type SettingSource = {
  text(name: UpstreamSettingName): string | undefined
  list(name: 'PIPIT_UPSTREAM_URLS'): string[]
  oneOf(name: 'PIPIT_UPSTREAM_FLAVOUR', choices: readonly UpstreamFlavour[]): UpstreamFlavour
  integer(
    name: 'PIPIT_SLOTS' | 'PIPIT_CONTEXT_TOKENS',
    range: readonly [number, number],
  ): number | undefined
  fault(name: UpstreamSettingName, text: string): void
}

/** Reads the settings for PIPIT_ENGINE=upstream. */
export function readUpstreamSettings(source: SettingSource): UpstreamSettings {
  const model = source.text('PIPIT_UPSTREAM_MODEL')
  if (model === undefined)
    source.fault('PIPIT_UPSTREAM_MODEL', 'is missing: PIPIT_ENGINE=upstream needs it')
  return {
    kind: 'upstream',
    urls: readUrls(source),
    flavour: source.oneOf('PIPIT_UPSTREAM_FLAVOUR', upstreamFlavours),
    model: model ?? '',
    key: readKey(source),
    slots: source.integer('PIPIT_SLOTS', slots.range) ?? slots.default,
    contextTokens: source.integer('PIPIT_CONTEXT_TOKENS', contextTokens.range),
  }
}

/** Refuses settings of upstream engines where another engine is chosen, because they would have no effect. */
export function refuseUpstreamSettings(source: SettingSource): void {
  for (const name of upstreamSettingNames)
    if (source.text(name) !== undefined) source.fault(name, 'needs PIPIT_ENGINE=upstream')
}

/** Returns the context to assume until the engines have reported theirs. */
export function assumedContext({ contextTokens }: UpstreamSettings): number {
  return contextTokens ?? contextTokensDefaultMax
}

function readUrls(source: SettingSource): string[] {
  const name = 'PIPIT_UPSTREAM_URLS'
  const entries = source.list(name)
  if (entries.length === 0) source.fault(name, 'is missing: PIPIT_ENGINE=upstream needs it')
  const urls = entries.flatMap((entry) => {
    const url = baseUrl(entry)
    if (url === undefined)
      source.fault(
        name,
        'must list http or https URLs like http://10.0.0.5:8000, without a user, a query or a fragment',
      )
    return url ?? []
  })
  if (new Set(urls).size < urls.length) source.fault(name, 'lists a URL twice')
  return urls
}

function baseUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return undefined
  return url.origin + url.pathname.replace(/\/$/, '').replace(/\/v1$/, '')
}

/** The fault never contains the key. */
function readKey(source: SettingSource): string | undefined {
  const key = source.text('PIPIT_UPSTREAM_KEY')
  if (key !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(key))
    source.fault('PIPIT_UPSTREAM_KEY', 'must be printable ASCII without spaces')
  return key
}
