import { escape, prose, table } from './docs-html.ts'
import { membersOf, objectOf, objectsOf, textOf } from './json.ts'
import type { Json, JsonObject } from './openapi.ts'

/** Returns the table of an object's fields. */
export function renderFields(schema: JsonObject): string {
  return table(['Field', 'Type', 'Meaning'], fieldRows(schema, ''))
}

/** Returns a type for people: its name with a link, its values, or the names of JSON Schema. */
export function typeOf(schema: JsonObject): string {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = escape(reference.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema['const'] !== undefined) return code(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(code).join(' or ')
  const parts = objectsOf(schema['anyOf'] ?? schema['allOf'])
  if (parts.length > 0) return parts.map(typeOf).join(' or ')
  const { items } = schema
  return [schema['type'] ?? 'any']
    .flat()
    .map(textOf)
    .map((type) =>
      type === 'array' && items !== undefined ? `list of ${typeOf(objectOf(items))}` : escape(type),
    )
    .join(' or ')
}

function code(value: Json): string {
  return `<code>${escape(JSON.stringify(value))}</code>`
}

/** Objects without a name of their own are described field by field, as `choices[].index`. */
function fieldRows(schema: JsonObject, before: string): string[][] {
  const required = [schema['required'] ?? []].flat()
  return membersOf(schema['properties']).flatMap(([name, field]) => {
    const path = before + name
    const optional = required.includes(name) ? '' : ' <span class="soft">optional</span>'
    const row = [
      `<code>${escape(path)}</code>${optional}`,
      typeOf(field),
      prose(describeField(field)),
    ]
    return [row, ...innerRows(field, path)]
  })
}

function innerRows(field: JsonObject, path: string): string[][] {
  if (field['items'] !== undefined) return innerRows(objectOf(field['items']), `${path}[]`)
  const parts = objectsOf(field['anyOf'])
  return parts.length > 0
    ? parts.flatMap((part) => innerRows(part, path))
    : fieldRows(field, `${path}.`)
}

function describeField(field: JsonObject): string {
  const { minimum, maximum, minItems, maxItems, minLength, maxLength, default: value } = field
  return [
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' elements'),
    range(minLength, maxLength, ' characters'),
    value === undefined ? '' : `Default: \`${JSON.stringify(value)}\`.`,
    typeof field['description'] === 'string' ? field['description'] : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function range(low: Json | undefined, high: Json | undefined, unit: string): string {
  if (low === undefined && high === undefined) return ''
  if (low === undefined) return `At most ${textOf(high)}${unit}.`
  if (high === undefined) return `At least ${textOf(low)}${unit}.`
  return `${textOf(low)} to ${textOf(high)}${unit}.`
}
