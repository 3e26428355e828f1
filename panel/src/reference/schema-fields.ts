import type { Json, JsonObject } from '../../../src/http/reference/openapi.ts'
import { nameOf } from './api-document.ts'
import { objectOf, textOf } from './json.ts'

/** A piece of a type's description: an object that has a page, a literal value, or other text. */
type TypeWord =
  | { kind: 'object'; name: string }
  | { kind: 'value'; text: string }
  | { kind: 'text'; text: string }

export type Field = {
  name: string
  /** The dotted path from the object, without list indices. Also the anchor's id. */
  path: string
  type: TypeWord[]
  isRequired: boolean
  description: string
  /** Bounds and default, as sentences. */
  bounds: string[]
  fields: Field[]
}

/** Returns an object's fields. Nests the fields of inline objects; an object behind a `$ref` has a page of its own. */
export function fieldsOf(schema: JsonObject, before = ''): Field[] {
  const required = [schema['required'] ?? []].flat()
  return Object.entries(objectOf(schema['properties'])).map(([name, member]) => {
    const field = objectOf(member)
    const path = before + name
    return {
      name,
      path,
      type: typeOf(field),
      isRequired: required.includes(name),
      description: typeof field['description'] === 'string' ? field['description'] : '',
      bounds: boundsOf(field),
      fields: innerFields(field, `${path}.`),
    }
  })
}

/** Returns the fields and those nested in them. */
export function allFields(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...allFields(field.fields)])
}

function innerFields(field: JsonObject, before: string): Field[] {
  if (field['items'] !== undefined) return innerFields(objectOf(field['items']), before)
  const parts = partsOf(field)
  return parts.length > 0
    ? parts.flatMap((part) => innerFields(part, before))
    : fieldsOf(field, before)
}

/** Describes a type. A list's description begins with “list of”. */
export function typeOf(schema: JsonObject): TypeWord[] {
  const { const: value, enum: values, items, type = 'any' } = schema
  if (schema['$ref'] !== undefined) return [{ kind: 'object', name: nameOf(schema['$ref']) }]
  if (value !== undefined) return [{ kind: 'value', text: JSON.stringify(value) }]
  if (Array.isArray(values))
    return joined(values.map((one) => [{ kind: 'value', text: JSON.stringify(one) }]))
  const parts = partsOf(schema)
  if (parts.length > 0) return joined(parts.map(typeOf))
  return joined(
    [type].flat().map((name) => {
      const words: TypeWord[] = [{ kind: 'text', text: textOf(name) }]
      if (name !== 'array' || items === undefined) return words
      return [{ kind: 'text', text: 'list of ' }, ...typeOf(objectOf(items))]
    }),
  )
}

function joined(parts: TypeWord[][]): TypeWord[] {
  return parts.flatMap((words, i) =>
    i === 0 ? words : [{ kind: 'text', text: ' or ' } as const, ...words],
  )
}

function partsOf(schema: JsonObject): JsonObject[] {
  const parts = schema['anyOf'] ?? schema['allOf']
  return Array.isArray(parts) && schema['properties'] === undefined
    ? parts.map(objectOf).filter((part) => part['required'] === undefined || 'properties' in part)
    : []
}

function boundsOf(field: JsonObject): string[] {
  const { minimum, maximum, minItems, maxItems, minLength, maxLength, maxProperties } = field
  return [
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' elements'),
    range(undefined, maxProperties, ' members'),
    range(minLength, maxLength, ' characters'),
    field['default'] === undefined ? '' : `Default: \`${JSON.stringify(field['default'])}\`.`,
  ].filter((part) => part !== '')
}

function range(low: Json | undefined, high: Json | undefined, unit: string): string {
  if (low === undefined && high === undefined) return ''
  if (low === undefined) return `At most ${numberOf(high)}${unit}.`
  if (high === undefined) return `At least ${numberOf(low)}${unit}.`
  return `${numberOf(low)} to ${numberOf(high)}${unit}.`
}

function numberOf(value: Json | undefined): string {
  return Number(value).toLocaleString('en-US')
}
