import { schemaArrayItemsMax, schemaPropertiesMax } from '../../limits.ts'
import type { GrammarBuilder, State } from './grammar.ts'
import { join, refused } from './schemas/schema-errors.ts'
import type { SchemaLogic } from './schemas/schema-logic.ts'
import type { Alternative } from './schemas/schema-values.ts'

/** The members that an object may have, and how many of them. */
export type Members = {
  /** True for an object without listed names, which may have any name that the schema admits. */
  readonly isMap: boolean
  /** The listed names that are allowed, in the order of their declaration. */
  readonly names: readonly string[]
  readonly required: ReadonlySet<string>
  readonly min: number
  readonly max: number
}

/**
 * Reads the members of the objects that are valid against an alternative. Returns undefined if there are no such objects.
 * @throws SchemaRefused
 */
export function membersOf(
  object: Alternative,
  { budget }: Pick<GrammarBuilder, 'budget'>,
  logic: SchemaLogic,
): Members | undefined {
  const min = Math.max(0, ...object.map(({ minProperties }) => minProperties))
  const max = Math.min(Infinity, ...object.map(({ maxProperties }) => maxProperties))
  budget.spend(object.reduce((sum, f) => sum + f.properties.size + f.required.length, 0) / 2)
  const required = new Set(object.flatMap((facts) => facts.required))
  const listed = new Set([...object.flatMap((f) => [...f.properties.keys()]), ...required])
  if (min > max || required.size > max) return undefined
  if (listed.size > schemaPropertiesMax) {
    const path = object.find(({ properties }) => properties.size > 0)?.path ?? ''
    throw refused(join(path, 'properties'), `is supported with up to ${schemaPropertiesMax} names`)
  }
  const hasOthers = object.some((f) => f.additional !== undefined || f.patternProperties.length > 0)
  if (listed.size === 0 && (hasOthers || !object.some((facts) => facts.declares)))
    return { isMap: true, names: [], required, min, max }
  const forbidden = new Set(object.flatMap((facts) => facts.forbidden))
  const rules = object.flatMap(({ propertyNames }) => propertyNames ?? [])
  const names = [...listed].filter((name) => {
    budget.spend(1)
    return !forbidden.has(name) && rules.every((rule) => logic.admits(rule, name))
  })
  if (names.filter((name) => required.has(name)).length < required.size) return undefined
  if (min > names.length) {
    const path = object.find(({ minProperties }) => minProperties === min)?.path ?? ''
    throw refused(join(path, 'minProperties'), 'is supported up to the number of listed properties')
  }
  return { isMap: false, names, required, min, max }
}

/** The form in which the members of an object are written. */
type MemberForm = {
  /** Adds what comes between two members. Returns the state after it. */
  readonly separate: (from: State) => State
  /** Returns a function that adds a member with this name. */
  readonly member: (name: string) => (from: State, to: State) => void
}

/**
 * Adds the listed members in their order. The states before a member tell how many members were written, as far as
 * `min` or `max` depends on it. Returns the states after which the object may end.
 */
export function addMembers(
  grammar: GrammarBuilder,
  from: State,
  { names, required, min, max }: Members,
  { separate, member }: MemberForm,
): State[] {
  const isLimited = max < names.length
  const least = min > required.size ? min : 0
  const levels = isLimited ? max : Math.max(1, least)
  // States after the members so far. The index is the number of members that were written.
  let at: (State | undefined)[] = [from]
  for (const name of names) {
    const add = member(name)
    const before: State[] = []
    const next: State[] = []
    for (const [level, state] of at.entries()) {
      if (state === undefined || (isLimited && level === levels)) continue
      const more = (before[Math.min(level + 1, levels)] ??= grammar.state())
      grammar.skip(level === 0 ? state : separate(state), more)
    }
    for (const [level, state] of before.entries())
      if (state !== undefined) add(state, (next[level] = grammar.state()))
    if (!required.has(name)) {
      for (const [level, state] of at.entries()) {
        if (state === undefined) continue
        if (next[level] === undefined) next[level] = state
        else grammar.skip(state, next[level])
      }
    }
    at = next
  }
  return at.slice(least).filter((state) => state !== undefined)
}

/** Adds `min` to `max` parts. Returns the states after which no further part is needed. */
export function addSeries(
  grammar: GrammarBuilder,
  from: State,
  { min, max }: Pick<Members, 'min' | 'max'>,
  { separate, part }: Pick<MemberForm, 'separate'> & { part: (from: State, to: State) => void },
): State[] {
  const ends: State[] = []
  const steps = max === Infinity ? Math.max(min, 1) : Math.min(max, schemaArrayItemsMax)
  let at = from
  for (let count = 0; count < steps; count++) {
    if (count >= min) ends.push(at)
    const next = grammar.state()
    part(count === 0 ? at : separate(at), next)
    at = next
  }
  if (max === Infinity) part(separate(at), at)
  return steps >= min ? [...ends, at] : ends
}
