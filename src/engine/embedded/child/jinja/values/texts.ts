/** Characters that Python's `strip` removes. */
// oxlint-disable-next-line no-control-regex
const space = /[\s\x1c-\x1f\x85]/

/* oxlint-disable no-control-regex */
const lineEnd = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/
const afterLine = /(?<=[\n\v\f\x1c-\x1e\x85\u2028\u2029]|\r(?!\n))/
/* oxlint-enable no-control-regex */

/** Removes white space, or the given characters, from the ends as Python does. */
export function strip(
  text: string,
  characters: string | undefined,
  side: 'start' | 'end' | 'both',
): string {
  const all = characters === undefined ? undefined : new Set(characters)
  const isRemoved = (each: string) =>
    all === undefined ? space.test(each) && each !== '\ufeff' : all.has(each)
  let [begin, end] = [0, text.length]
  if (side !== 'end') while (begin < end && isRemoved(text[begin] ?? '')) begin += 1
  if (side !== 'start') while (end > begin && isRemoved(text[end - 1] ?? '')) end -= 1
  return text.slice(begin, end)
}

/** Splits as Python's `split` (`start`) and `rsplit` (`end`) do. A negative `splitsMax` means no limit. */
export function splitText(
  text: string,
  separator: string | undefined,
  splitsMax: number,
  from: 'start' | 'end',
): string[] {
  const parts =
    separator === undefined ? strip(text, undefined, 'both').split(/\s+/) : text.split(separator)
  if (separator === undefined && parts.length === 1 && parts[0] === '') return []
  if (splitsMax < 0 || parts.length <= splitsMax) return parts
  if (separator === undefined) return splitAtSpace(text, splitsMax, from)
  return from === 'start'
    ? [...parts.slice(0, splitsMax), parts.slice(splitsMax).join(separator)]
    : [
        parts.slice(0, parts.length - splitsMax).join(separator),
        ...parts.slice(parts.length - splitsMax),
      ]
}

/** Splits at the ends of lines that Python's `splitlines` knows. */
export function splitLines(text: string, keepsEnds: boolean): string[] {
  const lines = text.split(keepsEnds ? afterLine : lineEnd)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Splits at white space, at most `splitsMax` times; white space in the rest stays as it is. */
function splitAtSpace(text: string, splitsMax: number, from: 'start' | 'end'): string[] {
  const parts: string[] = []
  let rest = strip(text, undefined, from)
  while (parts.length < splitsMax) {
    const gap = from === 'start' ? firstGap(rest) : lastGap(rest)
    if (gap === undefined) break
    const [before, after] = [rest.slice(0, gap.start), rest.slice(gap.end)]
    parts.push(from === 'start' ? before : after)
    rest = from === 'start' ? after : before
  }
  return from === 'start' ? [...parts, rest] : [rest, ...parts.reverse()]
}

type Gap = { start: number; end: number }

function firstGap(text: string): Gap | undefined {
  const match = /\s+/.exec(text)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}

/** Searches from the end. A regular expression would search from the start, in time that is not linear. */
function lastGap(text: string): Gap | undefined {
  let end = text.length
  while (end > 0 && !isSpace(text, end - 1)) end -= 1
  let start = end
  while (start > 0 && isSpace(text, start - 1)) start -= 1
  return end === 0 ? undefined : { start, end }
}

function isSpace(text: string, index: number): boolean {
  return /\s/.test(text.charAt(index))
}

/** Replaces as Python's `replace` does. A negative `count` means no limit. */
export function replaceText(text: string, old: string, by: string, count: number): string {
  if (count === 0) return text
  const parts = old === '' ? ['', ...Array.from(text), ''] : text.split(old)
  if (count < 0) return parts.join(by)
  const replaced = parts.slice(0, count + 1).join(by)
  return [replaced, ...parts.slice(count + 1)].join(old)
}

/** Writes each run of letters with its first one in upper case and the others in lower case, as Python's `title` does. */
export function titleCase(text: string): string {
  return text.replaceAll(/\p{L}+/gu, capitalize)
}

/** Writes the words between spaces, hyphens and opening brackets in the same way, as Jinja's filter `title` does. */
export function capitalizeWords(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .map(capitalize)
    .join('')
}

/** Returns the text with its first letter in upper case and the others in lower case. */
export function capitalize(text: string): string {
  const [first = '', ...rest] = text
  return first.toUpperCase() + rest.join('').toLowerCase()
}

/** Pads the text on both sides as Python's `center` does, which puts an odd space elsewhere than the format `^`. */
export function centered(text: string, width: number, fill = ' '): string {
  const missing = Math.max(width - Array.from(text).length, 0)
  const before = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(before) + text + fill.repeat(missing - before)
}

/** Pads the text with `fill` to `width` characters. `<`, `>` and `^` say where the text goes, as in Python's formats. */
export function padded(text: string, align: string, width: number, fill: string): string {
  const missing = Math.max(width - Array.from(text).length, 0)
  const before = align === '<' ? 0 : align === '>' ? missing : Math.floor(missing / 2)
  return fill.repeat(before) + text + fill.repeat(missing - before)
}
