import { Type, type Static, type TSchema } from 'typebox'

/**
 * An optional member whose `null` means its default. A list of types instead of a union: a fault then names
 * one keyword.
 */
export const nullable = <T>(type: string | readonly string[], keywords: object = {}) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, 'null'].flat(), ...keywords }))

/** The same for an object of a known form. */
export const nullableObject = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] }))

/** A member that is always there, and may be `null`. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
