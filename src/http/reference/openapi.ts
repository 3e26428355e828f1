import type { TObject } from 'typebox'
import { errorCatalogue, type ErrorCode } from '../../errors.ts'
import {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  Message,
  TextPart,
  Usage,
} from '../../protocol/chat-completion.ts'
import { ErrorReply } from '../../protocol/error-reply.ts'
import { InputTokens } from '../../protocol/input-tokens.ts'
import { Key, LimitStates } from '../../protocol/key.ts'
import { Model, ModelList } from '../../protocol/model.ts'
import { Receipt, ReceiptList } from '../../protocol/receipt.ts'
import type { DocumentedContract, ReplyContract } from '../../protocol/operations/contract.ts'
import type { ApiOperation } from '../operation.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }
export type OpenApi = {
  openapi: string
  info: JsonObject
  servers: JsonObject[]
  security: JsonObject[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: JsonObject
    headers: JsonObject
    responses: Record<string, JsonObject>
    schemas: Record<string, Json>
  }
}
export type Operation = {
  operationId: string
  summary: string
  description?: string
  security: JsonObject[]
  parameters?: JsonObject[]
  requestBody?: JsonObject
  responses: Record<string, JsonObject>
}

/** Those that have a name of their own in the document; whatever else they hold is inline. */
const named: Readonly<Record<string, object>> = {
  ChatCompletionRequest,
  Message,
  TextPart,
  ChatCompletion,
  ChatCompletionChunk,
  Usage,
  InputTokens,
  Key,
  LimitStates,
  Model,
  ModelList,
  Receipt,
  ReceiptList,
  ErrorReply,
}
const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

const errorsOfEveryRoute: ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
]
const errorsOfKeys: ErrorCode[] = ['missing_api_key', 'invalid_api_key']
const errorsOfScopes: ErrorCode[] = ['insufficient_permissions']
const errorsOfBodies: ErrorCode[] = [
  'invalid_json',
  'missing_required_parameter',
  'empty_array',
  'array_above_max_length',
  'string_above_max_length',
  'invalid_type',
  'invalid_value',
  'integer_above_max_value',
  'integer_below_min_value',
  'decimal_above_max_value',
  'decimal_below_min_value',
  'request_too_large',
  'unsupported_media_type',
]

const headers: Readonly<Record<string, string>> = {
  'x-request-id': 'Names this request, here and in the logs.',
  'x-processing-ms': 'From the request line to the headers of the reply.',
  'x-ignored-parameters': 'Names in the body that nobody here knows.',
  'idempotency-replayed': '`true` on the repeat of a finished reply.',
  'www-authenticate': '`Bearer`.',
  'retry-after': 'Whole seconds, 1–60, after which a repeat may help.',
  'retry-after-ms': 'The same in milliseconds.',
  'x-should-retry': '`false`: a repeat cannot help.',
  'x-ratelimit-limit-requests':
    'Of the tightest limit of requests. As all of these, where there is one.',
  'x-ratelimit-remaining-requests': 'What is left of it when the headers are sent.',
  'x-ratelimit-reset-requests': 'When all of it is there again, in seconds: `12.5s`.',
  'x-ratelimit-limit-tokens': 'Of the tightest limit of tokens.',
  'x-ratelimit-remaining-tokens': 'What is left of it when the headers are sent.',
  'x-ratelimit-reset-tokens': 'When all of it is there again, in seconds: `12.5s`.',
}
const headersOfEveryReply = ['x-request-id', 'x-processing-ms']
const headersOfLimits = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'))

/** OpenAPI 3.1 of what is served, from the schemas that validate. */
export function describeApi(operations: readonly ApiOperation[], version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  const failures = new Failures()
  for (const operation of operations) {
    const { method, path: pattern } = operation.contract
    const path = pattern.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, failures) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pipit',
      version,
      summary: 'Chat completions of one small language model.',
      description:
        'A parameter works or is refused by name; nothing is silently dropped, cut or clamped. ' +
        'Names that nobody knows are ignored, and the reply lists them in `x-ignored-parameters`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <API_KEY>`; `pipit keys create` makes one.',
        },
      },
      responses: failures.responses,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      schemas: Object.fromEntries(
        Object.entries(named).map(([name, schema]) => [name, toJson(schema, schema)]),
      ),
    },
  }
}

function describeOperation(operation: ApiOperation, failures: Failures): Operation {
  const { contract, access } = operation
  const { operationId, summary, description, body } = contract
  const isOpen = access.auth === 'none'
  const limits = isOpen ? [] : headersOfLimits
  const parameters = [
    ...describeParameters('path', contract.params),
    ...describeParameters('query', contract.query),
    ...describeParameters('header', contract.headers),
  ]
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    security: isOpen ? [] : [{ apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJson(body) } },
          },
        }),
    responses: {
      ...failures.describe(errorsOf(operation), limits),
      ...describeReplies(contract.replies, limits),
    },
  }
}

function describeParameters(place: 'path' | 'query' | 'header', schema?: TObject): JsonObject[] {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = '', ...rest }: { description?: string } = property
    return { name, in: place, required: required.has(name), description, schema: toJson(rest) }
  })
}

function errorsOf({ access, contract }: ApiOperation): ErrorCode[] {
  const all = [
    ...errorsOfEveryRoute,
    ...(access.auth === 'none' ? [] : errorsOfKeys),
    ...(access.auth === 'none' || access.scope === 'any' ? [] : errorsOfScopes),
    ...(contract.body === undefined ? [] : errorsOfBodies),
    // A parameter that is longer than the router reads.
    ...(contract.path.includes(':') ? (['unknown_url'] as const) : []),
    ...contract.errors,
  ]
  return [...new Set(all)]
}

function describeReplies(
  replies: DocumentedContract['replies'],
  limits: readonly string[],
): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, reply]) => [
      status,
      {
        description: reply.description,
        headers: headerReferences([...headersOfEveryReply, ...limits, ...(reply.headers ?? [])]),
        content: describeContent(reply.content),
      },
    ]),
  )
}

function describeContent(content: ReplyContract['content']): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [type, describeBody(type, schema)]),
  )
}

/** OpenAPI 3.1 has no word for the events of a stream, so theirs stands in an extension. */
function describeBody(mediaType: string, schema: object): JsonObject {
  if (mediaType !== 'text/event-stream') return { schema: toJson(schema) }
  return {
    schema: {
      type: 'string',
      description:
        'Lines that begin with `data: `, each with one event in JSON, the last one with `[DONE]`.',
    },
    'x-event-schema': toJson(schema),
  }
}

/** The replies that are errors: those of one status and the same codes are described once. */
class Failures {
  readonly responses: Record<string, JsonObject> = {}

  describe(codes: readonly ErrorCode[], limits: readonly string[]): Record<string, JsonObject> {
    const statuses = Map.groupBy(codes, (code) => errorCatalogue[code].status)
    return Object.fromEntries(
      [...statuses].map(([status, ofStatus]) => [
        String(status),
        {
          $ref: `#/components/responses/${this.#nameOf(describeFailure(status, ofStatus, limits), status)}`,
        },
      ]),
    )
  }

  #nameOf(response: JsonObject, status: number): string {
    const text = JSON.stringify(response)
    for (let variant = 1; ; variant += 1) {
      const name = variant === 1 ? `Error${status}` : `Error${status}_${variant}`
      const known = this.responses[name]
      if (known === undefined) this.responses[name] = response
      if (known === undefined || JSON.stringify(known) === text) return name
    }
  }
}

function describeFailure(
  status: number,
  codes: readonly ErrorCode[],
  limits: readonly string[],
): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerReferences([...headersOfEveryReply, ...limits, ...headersOfErrors(status)]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorReply' },
            {
              type: 'object',
              properties: {
                error: { type: 'object', properties: { code: { enum: [...codes] } } },
              },
            },
          ],
        },
      },
    },
  }
}

function headersOfErrors(status: number): string[] {
  switch (status) {
    case 401:
      return ['www-authenticate']
    case 409:
    case 503:
      return ['retry-after', 'retry-after-ms']
    case 429:
      return ['retry-after', 'retry-after-ms', 'x-should-retry']
    default:
      return []
  }
}

function headerReferences(wanted: readonly string[]): JsonObject {
  return Object.fromEntries(wanted.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** A copy with a reference for whatever has a name, but `root` itself. */
function toJson(value: unknown, root?: object): Json {
  if (Array.isArray(value)) return value.map((item) => toJson(item))
  if (typeof value === 'object' && value !== null) {
    const name = value === root ? undefined : names.get(value)
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
    return Object.fromEntries(
      Object.entries(value)
        // TypeBox's own marks.
        .filter(([key]) => !key.startsWith('~'))
        .map(([key, item]) => [key, toJson(item)]),
    )
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return null
}
