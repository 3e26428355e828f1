import type { TSchema } from 'typebox'
import { ignoredParametersNamedMax } from '../../limits.ts'
import { ChatCompletionRequest } from './chat-request.ts'
import { refusedParameters } from './refused-parameters.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Returns the first unsupported parameter whose value would change the reply, and what to do instead. The service never
 * drops such a parameter silently.
 */
export function findUnsupported(body: Members): { name: string; instead: string } | undefined {
  for (const name of Object.keys(body))
    if (!isNeutral(name, body[name]))
      return { name, instead: refusedParameters[name]?.instead ?? '' }
  for (const [holder, member, name] of refusedMembers)
    if (!isNeutral(name, memberOf(body[holder], member)))
      return { name, instead: refusedParameters[name]?.instead ?? '' }
  return undefined
}

function isNeutral(name: string, value: unknown): boolean {
  const refused = refusedByName.get(name)
  if (refused === undefined || isAbsent(value)) return true
  return refused.neutral.some((neutral) => isSame(neutral, value))
}

const refusedByName = new Map(Object.entries(refusedParameters))

/** Refused members of parameters, each as [parameter, member, path]. */
const refusedMembers = Object.keys(refusedParameters).flatMap(
  (path): [string, string, string][] => {
    const [holder, member] = path.split('.')
    return holder === undefined || member === undefined ? [] : [[holder, member, path]]
  },
)

/**
 * Returns the paths of members in the body that the schema does not have, such as `messages[0].name`. Members of list
 * items are named once for the whole list. Returns at most `ignoredParametersNamedMax` paths. These members are
 * ignored, and a response header lists them.
 */
export function findUnknown(body: Members, schema: TSchema = ChatCompletionRequest): string[] {
  const found = new Map<string, string>()
  collectUnknown(body, schema, undefined, found)
  return [...found.values()]
}

/** Path to a member or a list item, as a linked list. Only the path of an unknown member is turned into text. */
type Place = { readonly holder: Place | undefined; readonly step: string | number }

function collectUnknown(
  value: object,
  { properties, items }: Described,
  holder: Place | undefined,
  found: Map<string, string>,
): void {
  if (Array.isArray(value)) {
    if (items === undefined) return
    for (const [step, item] of value.entries())
      if (typeof item === 'object' && item !== null)
        collectUnknown(item, items, { holder, step }, found)
    return
  }
  if (properties === undefined) return
  for (const step of Object.keys(value)) {
    if (found.size >= ignoredParametersNamedMax) return
    const member: unknown = Reflect.get(value, step)
    const known = Object.hasOwn(properties, step) ? properties[step] : undefined
    if (known === undefined) addUnknown(member, { holder, step }, found)
    else if (typeof member === 'object' && member !== null)
      collectUnknown(member, known, { holder, step }, found)
  }
}

function addUnknown(member: unknown, place: Place, found: Map<string, string>): void {
  if (member === null) return
  const pattern = textOf(place, () => '[]')
  if (Object.hasOwn(refusedParameters, pattern) || found.has(pattern)) return
  found.set(
    pattern,
    textOf(place, (index) => `[${index}]`),
  )
}

function textOf({ holder, step }: Place, ofIndex: (index: number) => string): string {
  const before = holder === undefined ? '' : textOf(holder, ofIndex)
  if (typeof step === 'number') return before + ofIndex(step)
  return before === '' ? step : `${before}.${step}`
}

/** A schema that may describe the members of an object (`properties`) or the items of a list (`items`). */
type Described = TSchema & {
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
}

const keptNames = [
  'user',
  'metadata',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
] as const satisfies (keyof ChatCompletionRequest)[]

/** Parameters that are accepted because they cannot change the reply. */
export const neutralParameters: readonly string[] = keptNames

/** Returns the accepted parameters that have no effect. The receipt keeps them as they were sent. */
export function keptParameters(body: ChatCompletionRequest): Record<string, unknown> {
  const given = keptNames.filter((name) => body[name] != null)
  return Object.fromEntries(given.map((name) => [name, body[name]]))
}

function memberOf(holder: unknown, member: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, member) : undefined
}

function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/** Compares a neutral value, which may be a short list or an empty object, with the request's value. */
function isSame(neutral: unknown, value: unknown): boolean {
  if (typeof neutral !== 'object') return neutral === value
  return typeof value === 'object' && JSON.stringify(neutral) === JSON.stringify(value)
}
