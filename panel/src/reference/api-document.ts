import type { Json, JsonObject, OpenApi, Operation } from '../../../src/http/reference/openapi.ts'
import { objectOf, textOf } from './json.ts'

export type ApiOperation = Operation & { method: string; path: string }

/** Returns the operations in the order of the document. */
export function operationsOf(api: OpenApi): ApiOperation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

export type ErrorCodeFacts = {
  code: string
  status: number
  type: string
  why: string
  fix: string
  reply: Json
}

/** Returns all error codes, sorted by status. */
export function errorCodesOf(api: OpenApi): ErrorCodeFacts[] {
  return Object.entries(api.components.examples)
    .map(([code, example]) => {
      const { 'x-status': status, summary, description, value = null } = objectOf(example)
      const { type } = objectOf(objectOf(value)['error'])
      return {
        code,
        status: Number(status),
        type: textOf(type),
        why: textOf(summary),
        fix: textOf(description),
        reply: value,
      }
    })
    .toSorted((a, b) => a.status - b.status)
}

/** A response that an operation can give, with examples by media type or error code. */
export type ResponseFacts = {
  status: string
  description: string
  headers: readonly string[]
  /** The body's schema by media type. */
  bodies: readonly { type: string; schema: JsonObject }[]
  examples: readonly { name: string; text: string }[]
}

/** Returns an operation's responses, sorted by status. An error response has an example for each code. */
export function responsesOf(api: OpenApi, operation: Operation): ResponseFacts[] {
  return Object.entries(operation.responses)
    .map(([status, described]) => {
      const name = nameOf(described['$ref'])
      const response = api.components.responses[name] ?? described
      const content = Object.entries(objectOf(response['content']))
      return {
        status,
        description: textOf(response['description']),
        headers: Object.keys(objectOf(response['headers'])),
        bodies: content.map(([type, body]) => ({ type, schema: bodySchema(objectOf(body)) })),
        examples: content.flatMap(([type, body]) => examplesOf(api, type, objectOf(body))),
      }
    })
    .toSorted((a, b) => Number(a.status) - Number(b.status))
}

/** Returns the example of a response whose body is this object, or undefined if there is none. */
export function exampleOfObject(api: OpenApi, name: string): string | undefined {
  const responses = operationsOf(api).flatMap((operation) => responsesOf(api, operation))
  for (const { bodies, examples } of responses) {
    const place = bodies.findIndex(({ schema }) => nameOf(schema['$ref']) === name)
    const example = place === -1 ? undefined : examples[place]
    if (example !== undefined) return example.text.trimEnd()
  }
  return undefined
}

function bodySchema(body: JsonObject): JsonObject {
  const schema = objectOf(body['x-event-schema'] ?? body['schema'])
  const [first] = Array.isArray(schema['allOf']) ? schema['allOf'] : [schema]
  return objectOf(first)
}

function examplesOf(api: OpenApi, type: string, body: JsonObject) {
  const { example, examples } = body
  if (example !== undefined) return [{ name: type, text: textOf(example) }]
  return Object.keys(objectOf(examples)).map((code) => ({
    name: code,
    text: textOf(objectOf(api.components.examples[code])['value']),
  }))
}

/** Returns the last segment of a `$ref`. */
export function nameOf(reference: Json | undefined): string {
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : ''
}
