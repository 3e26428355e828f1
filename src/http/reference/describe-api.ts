import type { TObject, TSchema } from 'typebox'
import type { DocumentedContract } from '../../protocol/operations/contract.ts'
import type { ApiOperation } from '../operation.ts'
import { DescribedErrors, errorsOf } from './described-errors.ts'
import { describedHeaders, headerReferences, headersOfLimits } from './described-headers.ts'
import { errorExamples } from './error-guide.ts'
import { namedSchemas, toJson } from './named-schemas.ts'
import type { Json, JsonObject, OpenApi, Operation } from './openapi.ts'
import { operationExamples, type OperationExamples } from './operation-examples.ts'

/** Returns the OpenAPI document of the operations, from the contracts that validate their requests. */
export function describeApi(operations: readonly ApiOperation[], version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  const errors = new DescribedErrors()
  for (const operation of operations) {
    const { method, path: pattern } = operation.contract
    const path = pattern.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, errors) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pipit',
      version,
      summary: 'Chat completions from one small language model.',
      description:
        'A parameter takes effect or is refused by name: the service drops, cuts and clamps no value. ' +
        'Unknown names are ignored, and the reply lists them in `x-ignored-parameters`.',
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
          description: '`Authorization: Bearer <API_KEY>`. `pipit keys create` creates a key.',
        },
      },
      responses: errors.responses,
      headers: describedHeaders(),
      examples: errorExamples(),
      schemas: namedSchemas(),
    },
  }
}

function describeOperation(operation: ApiOperation, errors: DescribedErrors): Operation {
  const { contract, access } = operation
  const { operationId, summary, description, body } = contract
  const isOpen = access.auth === 'none'
  const limits = isOpen ? [] : headersOfLimits
  const examples = operationExamples[operationId]
  const parameters = [
    ...describeParameters('path', contract.params, examples?.params),
    ...describeParameters('query', contract.query),
    ...describeParameters('header', contract.headers),
  ]
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    security: isOpen ? [] : [{ apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: describeBody(body, examples?.body) }),
    responses: {
      ...errors.describe(errorsOf(operation), limits),
      ...describeReplies(contract.replies, limits, examples?.replies),
    },
  }
}

function describeParameters(
  place: 'path' | 'query' | 'header',
  schema?: TObject,
  examples: Readonly<Record<string, string>> = {},
): JsonObject[] {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = '', ...rest }: { description?: string } = property
    const facts = { name, in: place, required: required.has(name), description }
    return { ...facts, schema: toJson(rest), ...exampleOf(examples[name]) }
  })
}

function describeBody(body: TObject, example?: Json): JsonObject {
  const described = { schema: toJson(body), ...exampleOf(example) }
  return { required: true, content: { 'application/json': described } }
}

function exampleOf(example: Json | undefined): JsonObject {
  return example === undefined ? {} : { example }
}

function describeReplies(
  replies: DocumentedContract['replies'],
  limits: readonly string[],
  examples: OperationExamples['replies'] = {},
): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, { description, headers = [], content }]) => [
      status,
      {
        description,
        headers: headerReferences([...limits, ...headers]),
        content: Object.fromEntries(
          Object.entries(content).map(([type, schema]) => [
            type,
            { ...describeContent(type, schema), ...exampleOf(examples[Number(status)]?.[type]) },
          ]),
        ),
      },
    ]),
  )
}

/** OpenAPI 3.1 cannot describe the events of a stream, so an extension holds their schema. */
function describeContent(mediaType: string, schema: TSchema): JsonObject {
  if (mediaType !== 'text/event-stream') return { schema: toJson(schema) }
  return {
    schema: {
      type: 'string',
      description:
        'Lines that begin with `data: `. Each holds one event in JSON; the last one of a complete reply holds `[DONE]`.',
    },
    'x-event-schema': toJson(schema),
  }
}
