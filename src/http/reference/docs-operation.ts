import { renderFields, typeOf } from './docs-fields.ts'
import { escape, prose, table } from './docs-html.ts'
import { membersOf, objectOf, objectsOf, textOf } from './json.ts'
import type { JsonObject, OpenApi, Operation } from './openapi.ts'

/** An operation with its method and path. */
export type PlacedOperation = { path: string; method: string; operation: Operation }

/** Returns the section of one operation. */
export function renderOperation(
  api: OpenApi,
  { path, method, operation }: PlacedOperation,
): string {
  const { operationId, summary, description = '', security, requestBody } = operation
  const key = security.length === 0 ? 'No key is needed.' : 'Needs an API key.'
  return `<section aria-labelledby="${operationId}">
<h3 id="${operationId}"><code>${method.toUpperCase()} ${escape(path)}</code></h3>
<p>${prose(summary)}. ${prose(description)} ${key}</p>
${requestBody === undefined ? '' : `<p>Body: ${typeOf(schemaOf(requestBody))}</p>`}
${renderParameters(operation.parameters ?? [])}
${renderResponses(api, operation.responses)}
</section>`
}

/** Returns the section of one named object. */
export function renderObject(name: string, schema: JsonObject): string {
  return `<h3 id="schema-${name}">${name}</h3>\n${renderFields(schema)}`
}

function renderParameters(parameters: readonly JsonObject[]): string {
  return table(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map((one) => [
      `<code>${escape(textOf(one['name']))}</code>`,
      escape(textOf(one['in'])),
      typeOf(objectOf(one['schema'])),
      prose(textOf(one['description'])),
    ]),
  )
}

function renderResponses(api: OpenApi, responses: Record<string, JsonObject>): string {
  return table(
    ['Status', 'Body', 'Meaning'],
    Object.entries(responses).map(([status, described]) => {
      const name = textOf(described['$ref']).split('/').at(-1) ?? ''
      const response = api.components.responses[name] ?? described
      return [status, bodiesOf(response), prose(textOf(response['description']))]
    }),
  )
}

function schemaOf(body: JsonObject): JsonObject {
  return objectOf(objectOf(objectOf(body['content'])['application/json'])['schema'])
}

function bodiesOf(response: JsonObject): string {
  return membersOf(response['content'])
    .map(([type, body]) => {
      const schema = objectOf(body['x-event-schema'] ?? body['schema'])
      const [first = schema] = objectsOf(schema['allOf'])
      return `<code>${escape(type)}</code> ${typeOf(first)}`
    })
    .join('<br>')
}
