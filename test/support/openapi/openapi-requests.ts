import { fc } from '../random/test-seed.ts'
import type { JsonObject, OpenApi } from '../../../src/http/reference/openapi.ts'

/** Request of an operation: as the document describes it, slightly changed, or far off. */
export type GeneratedRequest = {
  path: string
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

/**
 * Generates requests, mostly with the first key. `given` are properties that an acceptable request
 * needs, such as the model's name.
 */
export function arbitraryRequests(
  api: OpenApi,
  [key, ...otherKeys]: readonly [string, ...string[]],
  given: fc.Arbitrary<object>,
): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const schemas = new Schemas(api)
  const requests = operations.map(({ path, method, operation }) => {
    const parameters = (operation.parameters ?? []) as Parameter[]
    const content = (operation.requestBody?.['content'] ?? {}) as Record<string, JsonObject>
    const schema = content['application/json']?.['schema'] as JsonObject | undefined
    const body =
      schema === undefined ? fc.constant(undefined) : bodies(schemas.arbitrary(schema), given)
    const weight = schema === undefined ? 1 : 6
    const arbitrary = fc
      .record({
        body,
        key: mostly(key, 'wrong', '', ...otherKeys),
        mediaType: mostly('application/json', 'text/plain', 'application/json; charset=utf-8'),
        values: fc.tuple(...parameters.map((parameter) => parameterValue(schemas, parameter))),
      })
      .map(({ body: text, key: own, mediaType, values }) =>
        assemble({ path, method, parameters, values, text, own, mediaType }),
      )
    return { arbitrary, weight }
  })
  return fc.oneof(...requests)
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: JsonObject }
type Parts = {
  path: string
  method: string
  parameters: Parameter[]
  values: (string | undefined)[]
  text: string | undefined
  own: string
  mediaType: string
}

function assemble({ path, method, parameters, values, text, own, mediaType }: Parts) {
  let url = path
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  if (own !== '') headers['authorization'] = `Bearer ${own}`
  if (text !== undefined) headers['content-type'] = mediaType
  for (const [index, parameter] of parameters.entries()) {
    const value = values[index]
    if (value === undefined) continue
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (parameter.in === 'query') query.append(parameter.name, value)
    else headers[parameter.name] = value
  }
  if (query.size > 0) url += `?${query.toString()}`
  return { path, method: method.toUpperCase(), url, headers, body: text }
}

const anyText = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed())

/** Generates a described value, or any text that a URL or a header can carry. */
function parameterValue(schemas: Schemas, parameter: Parameter): fc.Arbitrary<string | undefined> {
  const described = schemas.arbitrary(parameter.schema).map((value) => String(value))
  switch (parameter.in) {
    case 'path':
      // A URL has no empty segment, and clients resolve `.` and `..`.
      return fc
        .oneof(described, anyText, fc.constant('svc-o1-mini'))
        .filter((text) => !/^\.{0,2}$/.test(text))
        .map((text) => text.toWellFormed())
    case 'query':
      return fc.option(fc.oneof(described, anyText), { nil: undefined })
    case 'header':
      return fc.option(fc.oneof(fc.constant('again'), fc.stringMatching(/^[\x21-\x7e]{1,40}$/)), {
        freq: 2,
        nil: undefined,
      })
  }
}

/** Generates JSON that fits the schema, JSON with one or two changes, or broken JSON. */
function bodies(
  described: fc.Arbitrary<unknown>,
  given: fc.Arbitrary<object>,
): fc.Arbitrary<string> {
  const valid = fc
    .tuple(described, given)
    .map(([value, properties]) => ({ ...(value as object), ...properties }))
  const changed = fc
    .tuple(valid, fc.array(fc.tuple(fc.nat(), strangeValue), { minLength: 1, maxLength: 2 }))
    .map(([body, changes]) => {
      const copy = structuredClone(body)
      for (const [place, value] of changes) change(copy, place, value)
      return copy
    })
  const text = fc.oneof(
    { arbitrary: valid, weight: 5 },
    { arbitrary: changed, weight: 5 },
    { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
  )
  return fc.tuple(text, mostly(1, 0, 0.3, 0.9)).map(([value, share]) => {
    const json = JSON.stringify(value)
    return json.slice(0, json.length * share)
  })
}

function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { arbitrary: fc.constant(usual), weight: 15 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  )
}

const strangeValue = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, '', 0, -1, 1.5, 2049, 1e308, [], {}, [null]),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Replaces the n-th of all nested values of the body, or removes it. */
function change(body: object, place: number, value: unknown): void {
  const places: [object, string][] = []
  const walk = (holder: object): void => {
    for (const [name, held] of Object.entries(holder)) {
      places.push([holder, name])
      if (typeof held === 'object' && held !== null) walk(held)
    }
  }
  walk(body)
  const [holder, name] = places[place % Math.max(1, places.length)] ?? [body, 'unknown']
  if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, name)
  // The value is copied, since the next change may be inside it.
  else Reflect.set(holder, name, structuredClone(value))
}

/** Generates values that fit a JSON Schema, for the keywords that the document uses. */
class Schemas {
  readonly #api: OpenApi

  constructor(api: OpenApi) {
    this.#api = api
  }

  arbitrary(schema: JsonObject): fc.Arbitrary<unknown> {
    const reference = schema['$ref']
    if (typeof reference === 'string') {
      const named = this.#api.components.schemas[reference.split('/').at(-1) ?? '']
      return this.arbitrary(named as JsonObject)
    }
    if (schema['const'] !== undefined) return fc.constant(schema['const'])
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum'])
    const types = [schema['type'] ?? 'null'].flat().map(String)
    return fc.oneof(...types.map((type) => this.#ofType(type, schema)))
  }

  #ofType(type: string, schema: JsonObject): fc.Arbitrary<unknown> {
    const number = (name: string, otherwise: number) => Number(schema[name] ?? otherwise)
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({
          min: Math.max(number('minimum', 0), -(2 ** 31)),
          max: Math.min(number('maximum', 100), 2 ** 31 - 1),
        })
      case 'number':
        return fc.double({
          min: number('minimum', -100),
          max: number('maximum', 100),
          noNaN: true,
        })
      case 'string':
        return fc
          .string({
            unit: 'grapheme',
            minLength: number('minLength', 0),
            maxLength: Math.min(number('maxLength', 30), 30),
          })
          .filter((text) => text.length <= number('maxLength', 1000))
      case 'array':
        return fc.array(this.arbitrary((schema['items'] ?? {}) as JsonObject), {
          minLength: number('minItems', 0),
          maxLength: Math.min(number('maxItems', 4), 4),
        })
      default:
        return this.#object(schema)
    }
  }

  #object(schema: JsonObject): fc.Arbitrary<unknown> {
    const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>
    const others = schema['additionalProperties']
    if (Object.keys(properties).length === 0 && typeof others === 'object' && others !== null)
      return fc.dictionary(
        fc.nat({ max: 9000 }).map(String),
        this.arbitrary(others as JsonObject),
        { maxKeys: 3 },
      )
    const required = (schema['required'] ?? []) as string[]
    const values = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, this.arbitrary(property)]),
    )
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    // Only a few properties at a time, since some exclude one another.
    return fc
      .tuple(fc.record(values), fc.subarray(optional, { maxLength: Math.min(5, optional.length) }))
      .map(([all, chosen]) =>
        Object.fromEntries([...required, ...chosen].map((name) => [name, all[name]])),
      )
  }
}
