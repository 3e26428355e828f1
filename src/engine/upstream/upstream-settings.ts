import { contextTokensDefaultMax } from '../../limits.ts'
import { settingsTable } from '../../settings/settings-table.ts'

/** Servers whose dialect of the OpenAI API is known. `openai` stands for any other server and for routers. */
const upstreamFlavours = ['vllm', 'sglang', 'llama-server', 'ollama', 'openai'] as const
export type UpstreamFlavour = (typeof upstreamFlavours)[number]

/** Settings of upstream engines, which are reached over the OpenAI API. */
export type UpstreamSettings = {
  readonly kind: 'upstream'
  /** Base URLs without a trailing slash and without `/v1`. */
  readonly urls: readonly string[]
  readonly flavour: UpstreamFlavour
  /** Model name that the upstreams expect. */
  readonly model: string
  readonly key: string | undefined
  /** Most concurrent generations on all upstreams together. */
  readonly slots: number
  /**
   * Most tokens of one request, prompt plus completion. Undefined means the context that the upstreams report, or
   * `contextTokensDefaultMax` if they report none.
   */
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

/** Reads settings and collects their errors. */
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

/** Refuses upstream settings if another engine is selected, because they would have no effect. */
export function refuseUpstreamSettings(source: SettingSource): void {
  for (const name of upstreamSettingNames)
    if (source.text(name) !== undefined) source.fault(name, 'needs PIPIT_ENGINE=upstream')
}

/** Returns the context to assume until the upstreams have reported theirs. */
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

/** Reads the API key, and never puts it into an error text. */
function readKey(source: SettingSource): string | undefined {
  const key = source.text('PIPIT_UPSTREAM_KEY')
  if (key !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(key))
    source.fault('PIPIT_UPSTREAM_KEY', 'must be printable ASCII without spaces')
  return key
}
