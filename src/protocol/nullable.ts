import { Type, type Static, type TSchema } from 'typebox'

/** TypeScript types of JSON Schema's simple types. */
export type Scalars = { string: string; boolean: boolean; number: number; integer: number }

/** Declares an optional member of a simple type; `null` means its default. */
export const nullable = <Name extends keyof Scalars>(type: Name, keywords: object = {}) =>
  nullableAs<Scalars[Name]>(type, keywords)

/** Declares an optional list; `null` means its default. */
export const nullableArray = <T extends TSchema>(items: T, keywords: object = {}) =>
  nullableAs<Static<T>[]>('array', { items, ...keywords })

/**
 * Declares an optional member whose TypeScript type the caller states; `null` means its default. Use it where `type`
 * alone does not give the TypeScript type: several types, maps, arbitrary objects and rows of a table. `keywords` must
 * admit no value that is not a `T`. The schema lists types instead of using a union, so that a validation error names
 * only one keyword.
 */
export const nullableAs = <T>(type: string | readonly string[], keywords: object = {}) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, 'null'].flat(), ...keywords }))

/** Declares an optional object with a schema; `null` means its default. */
export const nullableObject = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] }))

/** Declares a required member that may be `null`. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
