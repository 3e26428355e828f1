import { Type, type Static, type TSchema } from 'typebox'

/** The TypeScript types of the simple types of JSON Schema. */
export type Scalars = { string: string; boolean: boolean; number: number; integer: number }

/** An optional member of a simple type whose `null` means its default. */
export const nullable = <Name extends keyof Scalars>(type: Name, keywords: object = {}) =>
  nullableAs<Scalars[Name]>(type, keywords)

/** The same for a list. */
export const nullableArray = <T extends TSchema>(items: T, keywords: object = {}) =>
  nullableAs<Static<T>[]>('array', { items, ...keywords })

/**
 * The same for a member whose TypeScript type the caller states. It is for several types, maps, any object and rows of
 * a table: there, the type does not follow from `type` alone. `keywords` must admit no value that is not a `T`. A list of
 * types instead of a union: a fault then names one keyword.
 */
export const nullableAs = <T>(type: string | readonly string[], keywords: object = {}) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, 'null'].flat(), ...keywords }))

/** The same for an object of a known form. */
export const nullableObject = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] }))

/** A member that is always there, and may be `null`. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
