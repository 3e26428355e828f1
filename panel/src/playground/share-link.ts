import { defaultSettings, isSettingName, type Settings } from './settings.ts'

/** Longer ones are cut by some programs that pass links on. */
export const shareLinkCharsMax = 8_000
const secondPrefix = 'b.'
const comparing = 'compare'

/**
 * The fragment of a link that holds these settings, and nothing that was said: what stands in a
 * fragment is not sent to the service, so it is in no log either.
 * @returns undefined when they are too long for a link
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

/** @returns undefined when there are no settings in it; what it does not know is left out */
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
