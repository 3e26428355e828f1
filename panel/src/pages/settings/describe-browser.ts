/** The first that fits: most browsers also name others, for old sites' sake. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox on Linux", from the `User-Agent` that a session began with. */
export function describeBrowser(userAgent: string | null): string {
  const named = (known: readonly (readonly [mark: string, name: string])[]) =>
    known.find(([mark]) => userAgent?.includes(mark))?.[1]
  const browser = named(browsers) ?? 'Another program'
  const system = named(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
