/** Browsers in order of precedence, because most user agents also name other browsers. */
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

/** Describes a `User-Agent` header: "Firefox on Linux". */
export function describeBrowser(userAgent: string | null): string {
  const named = (known: readonly (readonly [mark: string, name: string])[]) =>
    known.find(([mark]) => userAgent?.includes(mark))?.[1]
  const browser = named(browsers) ?? 'Unknown browser'
  const system = named(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
