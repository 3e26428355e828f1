import type { Json, JsonObject } from '../../../src/http/reference/openapi.ts'
import { writeJson } from '../code/literal.ts'

/** Returns the value if it is an object, else an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

/** Returns a string unchanged, an empty string for undefined, and any other value as JSON. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : writeJson(value)
}
