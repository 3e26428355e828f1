/** JSON types that a value can have. */
export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

const all: readonly ValueType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** Deepest nesting of schemas that is followed. Deeper schemas count as any type. */
const depthMax = 16

/**
 * Returns a function that gives the possible types of an argument by its name. `parameters` is the tool's schema as
 * JSON text.
 */
export function typesOfArguments(
  parameters: string | undefined,
): (name: string) => ReadonlySet<ValueType> {
  const root: unknown = parameters === undefined ? undefined : JSON.parse(parameters)
  const known = new Map<string, ReadonlySet<ValueType>>()
  return (name) => {
    const types = known.get(name) ?? typesOf(membersOf(root, name, root, 0), root, 0)
    known.set(name, types)
    return types
  }
}

/** Returns one schema that combines all schemas that apply to a member of the object. */
function membersOf(schema: unknown, name: string, root: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > depthMax) return true
  const { properties, additionalProperties: additional } = schema
  const own =
    isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additional
  const within = (branch: unknown): unknown => membersOf(branch, name, root, depth + 1)
  const parts = [own ?? true, within(referred(schema, root))]
  for (const branch of listOf(schema['allOf'])) parts.push(within(branch))
  for (const keyword of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[keyword])) parts.push({ anyOf: listOf(schema[keyword]).map(within) })
  return { allOf: parts }
}

function typesOf(schema: unknown, root: unknown, depth: number): ReadonlySet<ValueType> {
  if (!isObject(schema) || depth > depthMax) return new Set(all)
  let types = new Set(all)
  const restrict = (others: ReadonlySet<ValueType>): void => {
    types = new Set([...types].filter((type) => others.has(type)))
  }
  const within = (branch: unknown): ReadonlySet<ValueType> => typesOf(branch, root, depth + 1)
  if (schema['type'] !== undefined) restrict(listedTypes(schema['type'], schema['nullable']))
  if (Array.isArray(schema['enum'])) restrict(new Set(schema['enum'].map(typeOf)))
  if ('const' in schema) restrict(new Set([typeOf(schema['const'])]))
  if (schema['$ref'] !== undefined) restrict(within(referred(schema, root)))
  for (const branch of listOf(schema['allOf'])) restrict(within(branch))
  for (const keyword of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[keyword]))
      restrict(new Set(listOf(schema[keyword]).flatMap((branch) => [...within(branch)])))
  return types
}

function listedTypes(type: unknown, nullable: unknown): ReadonlySet<ValueType> {
  const names: unknown[] = Array.isArray(type) ? type : [type]
  if (nullable === true) names.push('null')
  return new Set(
    all.filter((each) => names.includes(each) || (each === 'number' && names.includes('integer'))),
  )
}

/** Returns the schema that a local `$ref` points to; undefined for any other reference. */
function referred(schema: Fields, root: unknown): unknown {
  const { $ref: reference } = schema
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  let found: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decodeName(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) || Array.isArray(found) ? Reflect.get(found, name) : undefined
  }
  return found
}

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function typeOf(value: unknown): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
