import type { NumberRange } from '../number-range.ts'

const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
// Python's dates have no year 0.
const date =
  '(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  `|${leapYear}-02-29)`
const hours = '(?:[01][0-9]|2[0-3])'
const time = `${hours}:[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-]${hours}:[0-5][0-9])`
const label = '[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?'
const hostname = `(?:${label}\\.){0,4}${label}`

const email = `[A-Za-z0-9_+-]{1,32}(?:\\.[A-Za-z0-9_+-]{1,32}){0,2}@(?:${label}\\.){1,3}[a-z]{2,20}`

const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = `(?:${byte}\\.){3}${byte}`
const h16 = '[0-9a-fA-F]{1,4}'
const ipv6 = `(?:(?:${h16}:){7}${h16}|::(?:${h16}(?::${h16}){0,5})?|(?:${h16}:){1}(?::${h16}){1,6}|(?:${h16}:){2}(?::${h16}){1,5}|(?:${h16}:){3}(?::${h16}){1,4}|(?:${h16}:){4}(?::${h16}){1,3}|(?:${h16}:){5}(?::${h16}){1,2}|(?:${h16}:){1,7}:)`

const pathCharacter = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
const tail = `(?:\\?(?:${pathCharacter}|[/?])*)?(?:#(?:${pathCharacter}|[/?])*)?`
const path = `(?:/${pathCharacter}*)*`
// Labels of any length need few states, so that a string with a maximum length may have many characters.
const uriLabel = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const host = `(?:${uriLabel}\\.)*${uriLabel}(?::[0-9]{1,5})?`
const userinfo = "(?:[A-Za-z0-9._~!$&'()*+,;=:-]+@)?"
const hierarchy = `//${userinfo}${host}${path}`
const rootless = `${pathCharacter}(?:${pathCharacter}|/)*`
const uri = `(?:[A-Za-z][A-Za-z0-9+.-]*:(?:${hierarchy}|${rootless})|file://(?:/${pathCharacter}*)+)${tail}`
// No standard has the format url. Ajv's wants a top-level domain of letters, and a slash before a query.
const urlLabel = '[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*'
const url = `https?://(?:${urlLabel}\\.)+[A-Za-z]{2,}(?::[0-9]{2,5})?(?:(?:/${pathCharacter}*)+${tail})?`
const reference = `(?:${uri}|/(?:${pathCharacter}+${path})?${tail}|[A-Za-z0-9._~-]+${path}${tail})`

const days = '(?:[0-9]+D)'
const clock = '(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))'
const dayDate = `(?:[0-9]+Y(?:[0-9]+M${days}?)?|[0-9]+M${days}?|${days})`
const duration = `P(?:[0-9]+W|${dayDate}${clock}?|${clock})`

const base64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?'

const pointer = '(?:/(?:[^~/]|~[01])*)*'

/** Pattern of the format `regex`: regular expressions with at most one level of groups. */
const regexAtom =
  '(?:[A-Za-z0-9 _,:;@#%&=<>~"\'!-]|\\\\[dDwWsS.*+?()\\[\\]{}|^$/\\\\]|\\.|\\[\\^?(?:[A-Za-z0-9 _]|\\\\[dws.])+\\])'
const regexPart = `(?:${regexAtom}[*+?]?)*`
const regexAnchored = `\\^?${regexPart}(?:\\((?:\\?:)?${regexPart}(?:\\|${regexPart})*\\)[*+?]?${regexPart})*\\$?`

/**
 * Patterns of the supported formats. Each accepts a subset of its standard. For example, times have no leap seconds,
 * and e-mail addresses have usual characters and lengths. Any other format is an annotation and restricts nothing.
 */
const formats: ReadonlyMap<string, string> = new Map([
  ['date', `^${date}$`],
  ['time', `^${time}$`],
  ['date-time', `^${date}T${time}$`],
  ['duration', `^${duration}$`],
  ['uuid', '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'],
  ...[1, 3, 4, 5, 6, 7, 8].map((version): [string, string] => [
    `uuid${version}`,
    `^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
  ]),
  ['email', `^${email}$`],
  ['idn-email', `^${email}$`],
  ['hostname', `^${hostname}$`],
  ['ipv4', `^${ipv4}$`],
  ['ipv6', `^${ipv6}$`],
  ['idn-hostname', `^${hostname}$`],
  ['uri', `^${uri}$`],
  ['iri', `^${uri}$`],
  ['url', `^${url}$`],
  ['uri-reference', `^${reference}$`],
  ['iri-reference', `^${reference}$`],
  ['byte', `^${base64}$`],
  ['json-pointer', `^${pointer}$`],
  ['relative-json-pointer', `^(?:0|[1-9][0-9]*)(?:#|${pointer})$`],
  ['uri-template', '^(?:[A-Za-z0-9/._~:?=&-]|\\{[A-Za-z0-9_]+\\})*$'],
  ['regex', `^${regexAnchored}$`],
])

const labels = '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)*'
const shortEmail = `[A-Za-z0-9_+-]{1,30}(?:\\.[A-Za-z0-9_+-]{1,30})?@${labels}[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.[a-z]{2,10}`
const shortHostname = `${labels}[a-z0-9](?:[a-z0-9-]*[a-z0-9])?`

/**
 * Patterns beside limits of length, where each state of an automaton is copied for each length, so these have few. The
 * labels of a host have no maximum of their own here.
 */
const countedFormats: ReadonlyMap<string, string> = new Map([
  ['email', `^${shortEmail}$`],
  ['idn-email', `^${shortEmail}$`],
  ['hostname', `^${shortHostname}$`],
  ['idn-hostname', `^${shortHostname}$`],
])
/** Longest text of the other patterns of these formats. */
const uncountedCharsMax = 218
/** Largest minimum length for which the automata of the other patterns are copied. */
const uncountedMinMax = 20

/** Returns the pattern of a format in a string of these lengths; undefined for a format that is not supported. */
export function patternOfFormat(
  format: string,
  { minLength = 0, maxLength = Infinity }: { minLength?: unknown; maxLength?: unknown },
): string | undefined {
  const isCounted = Number(minLength) > uncountedMinMax || Number(maxLength) < uncountedCharsMax
  return (isCounted ? countedFormats.get(format) : undefined) ?? formats.get(format)
}

export type NumberFormat = NumberRange & { readonly isInteger: boolean }

function integers(least: number, most: number): NumberFormat {
  return {
    least: { value: least, isOpen: false },
    most: { value: most, isOpen: false },
    isInteger: true,
  }
}

/** Numeric formats. Generated numbers have so few digits that `double` needs no entry and `int64` needs no bounds. */
export const numberFormats: ReadonlyMap<string, NumberFormat> = new Map([
  ['int32', integers(-(2 ** 31), 2 ** 31 - 1)],
  ['uint32', integers(0, 2 ** 32 - 1)],
  ['int64', { isInteger: true }],
  ['uint64', { least: { value: 0, isOpen: false }, isInteger: true }],
  ['float', { ...integers(-3.4e38, 3.4e38), isInteger: false }],
])
