import { isObject, parseJson } from '../json-text.ts'

export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'enum'] as const
type FieldType = (typeof fieldTypes)[number]
/** A required property of an object. `options` are the texts of an enum. */
export type Field = Readonly<{ name: string; type: FieldType; options: readonly string[] }>

/** The form shows at most this many fields. Larger schemas can be edited only as JSON. */
export const fieldsMax = 20

/**
 * Reads a schema of an object whose properties are all required and of a simple type.
 * @returns undefined for any other schema, which a form cannot show
 */
export function readSimpleSchema(text: string): readonly Field[] | undefined {
  const parsed = parseJson(text)
  if ('fault' in parsed || !isObject(parsed.value)) return undefined
  const { type, properties, required, additionalProperties = false, ...others } = parsed.value
  if (type !== 'object' || !isObject(properties) || additionalProperties !== false) return undefined
  const names = Object.keys(properties)
  const isWhole =
    Array.isArray(required) &&
    required.length === names.length &&
    names.every((name) => required.includes(name))
  if (!isWhole || Object.keys(others).length > 0 || names.length > fieldsMax) return undefined
  const fields = Object.entries(properties).flatMap(([name, value]) => readField(name, value) ?? [])
  return fields.length === names.length ? fields : undefined
}

/** Returns whether a name is a whole number. Objects put properties with such names first, and so move the field. */
export function isWholeNumber(name: string): boolean {
  return /^(0|[1-9]\d*)$/.test(name)
}

/** Writes the fields as a JSON schema. */
export function writeSimpleSchema(fields: readonly Field[]): string {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type, options }) => [
        name,
        type === 'enum' ? { enum: options } : { type },
      ]),
    ),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  }
  return JSON.stringify(schema, null, 2)
}

function readField(name: string, value: unknown): Field | undefined {
  if (!isObject(value)) return undefined
  const [key, ...others] = Object.keys(value)
  if (others.length > 0) return undefined
  const options: unknown = value['enum']
  if (key === 'enum' && Array.isArray(options)) {
    const texts = options.filter((option) => typeof option === 'string')
    return texts.length === options.length ? { name, type: 'enum', options: texts } : undefined
  }
  const type = fieldTypes.find((known) => known !== 'enum' && known === value['type'])
  return type === undefined ? undefined : { name, type, options: [] }
}

const text = (name: string): Field => ({ name, type: 'string', options: [] })
const oneOf = (name: string, ...options: string[]): Field => ({ name, type: 'enum', options })

/** Schemas to start with. */
export const schemaTemplates: readonly { name: string; fields: readonly Field[] }[] = [
  { name: 'Answer', fields: [text('answer')] },
  { name: 'Sentiment', fields: [oneOf('sentiment', 'positive', 'negative', 'neutral')] },
  { name: 'Contact', fields: [text('name'), text('email'), text('city')] },
  {
    name: 'Ticket',
    fields: [
      text('title'),
      oneOf('priority', 'low', 'normal', 'high'),
      { name: 'is_bug', type: 'boolean', options: [] },
    ],
  },
]
