import type { Json, JsonObject } from './openapi.ts'

/** Returns the value if it is an object, else an empty one. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the objects of a list; none if it is no list. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the members that are objects, by name. */
export function membersOf(value: Json | undefined): [name: string, member: JsonObject][] {
  return Object.entries(objectOf(value)).map(([name, member]) => [name, objectOf(member)])
}

/** Returns a string as it is, and any other value as JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
