import { Type } from 'typebox'

/**
 * An optional member whose `null` means its default. A list of types instead of a union: a fault then names
 * one keyword.
 */
export const nullable = <T>(type: string, keywords: object = {}) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, 'null'], ...keywords }))
