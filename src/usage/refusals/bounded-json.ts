/**
 * Returns the members as JSON of at most `bytesMax` bytes in UTF-8. Members that do not fit are left out; earlier
 * members take precedence. Returns null if none fits.
 */
export function boundedJson(
  members: Readonly<Record<string, unknown>>,
  bytesMax: number,
): string | null {
  if (Object.keys(members).length === 0) return null
  const whole = JSON.stringify(members)
  // A character takes at most three bytes for each unit of UTF-16.
  if (3 * whole.length <= bytesMax || Buffer.byteLength(whole) <= bytesMax) return whole
  let left = bytesMax - '{}'.length
  const fitting = Object.entries(members).filter(([name, value]) => {
    // One of the two braces around this single member is counted as its comma.
    const bytes = Buffer.byteLength(JSON.stringify({ [name]: value })) - 1
    if (bytes > left) return false
    left -= bytes
    return true
  })
  return fitting.length === 0 ? null : JSON.stringify(Object.fromEntries(fitting))
}

/** Returns a JSON list of the first names that fit into `bytesMax` bytes; null for none. Names are ASCII. */
export function boundedNames(names: readonly string[], bytesMax: number): string | null {
  if (names.length === 0) return null
  let left = bytesMax - '[]'.length
  const fitting = names.filter((name) => (left -= JSON.stringify(name).length + 1) >= 0)
  return fitting.length === 0 ? null : JSON.stringify(fitting)
}
