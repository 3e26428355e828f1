import { ServiceError } from '../../../errors.ts'
import { parseInOrder } from '../../../json-order.ts'
import { jsonDepthMax, jsonMembersMax, jsonPartsMax } from '../../../limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes the bytes of a body, and checks the limits of its JSON without parsing it.
 * @throws ServiceError invalid_json
 */
export function decodeBody(bytes: Buffer): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalidJson()
  }
  assertPlain(text)
  return text
}

/**
 * Parses a body as a JSON object. `entriesInOrder` in json-order.ts returns its members in the order in which they were
 * sent. Unlike the errors of JSON.parse, the errors never quote the body.
 * @param text of `decodeBody`
 * @throws ServiceError invalid_json
 */
export function parseBody(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseWithoutProto(text)
  } catch (error) {
    throw error instanceof ServiceError ? error : invalidJson()
  }
  if (!isJsonObject(value))
    throw new ServiceError('invalid_json', 'The body must be a JSON object.')
  return value
}

/**
 * Parses JSON within the limits of a body. Remembers the order of members, as `parseInOrder` does.
 * @throws ServiceError invalid_json, with a text about the body; SyntaxError
 */
export function parsePlain(text: string): unknown {
  assertPlain(text)
  return parseWithoutProto(text)
}

/** Members, names and values of JSON. Those of several texts are counted together by passing the same counts. */
export class JsonCounts {
  members = 0
  parts = 0
  commas = 0
}

/**
 * Parses JSON like `parsePlain`, but counts it together with other texts, and does not remember the order of members.
 * @param counts of the texts parsed before; those of `text` are added
 * @throws ServiceError invalid_json, with a text about the body; SyntaxError
 */
export function parseCounted(text: string, counts: JsonCounts): unknown {
  assertPlain(text, counts)
  const value: unknown = JSON.parse(text)
  assertNoProtoIn(text, value)
  return value
}

function parseWithoutProto(text: string): unknown {
  const value = parseInOrder(text)
  assertNoProtoIn(text, value)
  return value
}

function assertNoProtoIn(text: string, value: unknown): void {
  if (text.includes('__proto__') || escapedProtoLetter.test(text)) assertNoProto(value)
}

function invalidJson(): ServiceError {
  return new ServiceError('invalid_json', 'The body is not valid JSON (in UTF-8).')
}

/** Matches a letter of `__proto__` written as an escape. */
const escapedProtoLetter = /\\u00(?:5f|6f|7[024])/i

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Refuses deep nesting: JSON.parse can read it, but code that walks or copies the value may overflow the stack. Refuses
 * too many members, strings, arrays, objects and other values: JSON.parse takes twenty times as long for them as for one
 * long string, and the garbage collector adds the same time again. Numbers, booleans and nulls have no mark of their
 * own, so commas are counted: there are fewer commas than values.
 */
function assertPlain(text: string, counts = new JsonCounts()): void {
  let depth = 0
  let { members, parts, commas } = counts
  let inString = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c /* \ */) i += 1
      else if (code === 0x22 /* " */) inString = false
    } else if (code === 0x22) {
      inString = true
      parts += 1
    } else if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      depth += 1
      parts += 1
      if (depth > jsonDepthMax)
        throw new ServiceError(
          'invalid_json',
          `The body is nested deeper than ${jsonDepthMax} levels.`,
        )
    } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) depth -= 1
    else if (code === 0x3a /* : */) members += 1
    else if (code === 0x2c /* , */) commas += 1
  }
  Object.assign(counts, { members, parts, commas })
  if (members > jsonMembersMax)
    throw new ServiceError('invalid_json', `The body has more than ${jsonMembersMax} members.`)
  if (parts > jsonPartsMax || commas >= jsonPartsMax)
    throw new ServiceError(
      'invalid_json',
      `The body has more than ${jsonPartsMax} names and values.`,
    )
}

/** Refuses a `__proto__` member, which is harmless only as long as no code assigns it. */
function assertNoProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__'))
    throw new ServiceError('invalid_json', 'The body has a member named `__proto__`.')
  for (const member of Object.values(value)) assertNoProto(member)
}
