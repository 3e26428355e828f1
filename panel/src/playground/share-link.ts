import { defaultSettings, isSettingName, type Settings } from './settings.ts'

/** Some programs truncate longer links. */
const shareLinkCharsMax = 8_000
const secondPrefix = 'b.'
const comparing = 'compare'

/**
 * Writes the settings, without any messages, into the fragment of a link. Browsers do not send
 * fragments to a server, so they appear in no log.
 * @returns undefined when the settings are too long for a link
 */
export function toFragment(columns: readonly Settings[]): string | undefined {
  const [first = defaultSettings, second] = columns
  const names = new URLSearchParams(given(first))
  if (second !== undefined) {
    names.set(comparing, '1')
    for (const [name, value] of given(second)) names.set(`${secondPrefix}${name}`, value)
  }
  const fragment = names.toString()
  return fragment.length <= shareLinkCharsMax ? fragment : undefined
}

/** Reads settings from a fragment and ignores unknown names. @returns undefined when it has no settings */
export function fromFragment(fragment: string): Settings[] | undefined {
  if (fragment.length > shareLinkCharsMax) return undefined
  const first = { ...defaultSettings }
  const second = { ...defaultSettings }
  let known = 0
  const names = new URLSearchParams(fragment)
  for (const [name, value] of names) {
    const isSecond = name.startsWith(secondPrefix)
    const own = isSecond ? name.slice(secondPrefix.length) : name
    if (!isSettingName(own)) continue
    known++
    if (isSecond) second[own] = value
    else first[own] = value
  }
  const isComparison = names.has(comparing)
  if (known === 0 && !isComparison) return undefined
  return isComparison ? [first, second] : [first]
}

function given(settings: Settings): [string, string][] {
  return Object.entries(settings).filter(([, value]) => value !== '')
}
