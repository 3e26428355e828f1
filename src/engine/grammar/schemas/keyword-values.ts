import { schemaStringsMax } from '../../../limits.ts'
import { entriesInOrder } from '../../../json-order.ts'
import { type Located, type Type, types } from './facts.ts'
import { invalid, join, refused } from './schema-errors.ts'

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readTypes(value: unknown, path: string): ReadonlySet<Type> {
  const names = Array.isArray(value) ? value : [value]
  const known = names.map((name) => types.find((type) => type === name))
  const read = known.filter((type) => type !== undefined)
  if (read.length === 0 || read.length < names.length)
    throw invalid(path, `the types are ${types.join(', ')}`)
  return new Set(read)
}

export function readNumber(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalid(path, 'it must be a number')
  return value
}

export function readCount(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw invalid(path, 'it must be a whole number of 0 or more')
  return value
}

export function readNames(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw invalid(path, 'it must be a list of names')
  return value
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw invalid(path, 'it must be true or false')
  return value
}

export function readEnum(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, 'it must be an array')
  if (value.length > schemaStringsMax)
    throw refused(path, `has more than ${schemaStringsMax} values`)
  return value.map((member) => readConst(member, path))
}

/** Refuses a value with a number that `JSON.parse` has rounded, since the caller's program may keep it exactly. */
export function readConst(value: unknown, path: string): unknown {
  const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (isRounded)
    throw refused(path, `has a number beyond ±${Number.MAX_SAFE_INTEGER}, which would be rounded`)
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) readConst(member, path)
  return value
}

export function readSchema(value: unknown, path: string): Located {
  if (!isObject(value) && typeof value !== 'boolean')
    throw invalid(path, 'a schema must be an object or a boolean')
  return { schema: value, path }
}

export function readSchemas(value: unknown, path: string): readonly Located[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(path, 'it must be a list of schemas')
  return value.map((schema, index) => readSchema(schema, join(path, index)))
}

/** Reads schemas by name, in the order of the JSON text. */
export function readProperties(value: unknown, path: string): ReadonlyMap<string, Located> {
  if (!isObject(value)) throw invalid(path, 'it must be an object')
  return new Map(
    entriesInOrder(value).map(([name, schema]) => [name, readSchema(schema, join(path, name))]),
  )
}

/** Serialises JSON with sorted members, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
