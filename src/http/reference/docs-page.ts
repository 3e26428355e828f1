import { docsExamples, type DocsExample } from './docs-examples.ts'
import { stylesheet } from './docs-style.ts'
import type { Json, JsonObject, OpenApi, Operation } from './openapi.ts'

/** The whole reference as one page: static, without script, from the OpenAPI document alone. */
export function renderDocsPage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pipit API</title>
<style>${stylesheet}</style>
</head>
<body>
<main>
<h1>Pipit API <span class="soft">${escape(text(api.info['version']))}</span></h1>
<p>${prose(text(api.info['summary']))} ${prose(text(api.info['description']))}</p>
<p>This page is made from <a href="/openapi.json">openapi.json</a>, and that from the schemas that validate.</p>
<nav aria-label="Operations"><ul>
${operations.map(({ path, method, operation }) => `<li><a href="#${operation.operationId}"><code>${method.toUpperCase()} ${escape(path)}</code></a> ${prose(operation.summary)}</li>`).join('\n')}
</ul></nav>
<h2 id="examples">Examples</h2>
<p>They run as they stand where <code>PIPIT_URL</code> and <code>PIPIT_API_KEY</code> are set.</p>
${docsExamples.map(renderExample).join('\n')}
<h2 id="operations">Operations</h2>
${operations.map((one) => renderOperation(api, one)).join('\n')}
<h2 id="objects">Objects</h2>
${Object.entries(api.components.schemas)
  .map(
    ([name, schema]) =>
      `<h3 id="schema-${name}">${name}</h3>\n${renderFields(schema as JsonObject)}`,
  )
  .join('\n')}
</main>
</body>
</html>
`
}

function renderExample({ title, language, code }: DocsExample): string {
  return `<h3>${escape(title)}</h3>\n<pre tabindex="0"><code data-language="${language}">${escape(code)}</code></pre>`
}

type Place = { path: string; method: string; operation: Operation }

function renderOperation(api: OpenApi, { path, method, operation }: Place): string {
  const { operationId, summary, description, security, parameters, requestBody } = operation
  const key = security.length === 0 ? 'No key is needed.' : 'Needs an API key.'
  return `<section aria-labelledby="${operationId}">
<h3 id="${operationId}"><code>${method.toUpperCase()} ${escape(path)}</code></h3>
<p>${prose(summary)}. ${description === undefined ? '' : prose(description)} ${key}</p>
${requestBody === undefined ? '' : `<p>Body: ${typeOf(schemaOf(requestBody))}</p>`}
${
  parameters === undefined
    ? ''
    : table(
        ['Parameter', 'In', 'Type', 'Meaning'],
        parameters.map((one) => [
          `<code>${escape(text(one['name']))}</code>`,
          escape(text(one['in'])),
          typeOf(one['schema'] as JsonObject),
          prose(text(one['description'])),
        ]),
      )
}
${table(
  ['Status', 'Body', 'Meaning'],
  Object.entries(operation.responses).map(([status, described]) => {
    const name = text(described['$ref']).split('/').at(-1)
    const response = api.components.responses[name ?? ''] ?? described
    return [status, bodiesOf(response), prose(text(response['description']))]
  }),
)}
</section>`
}

function renderFields(schema: JsonObject): string {
  return table(['Field', 'Type', 'Meaning'], fieldRows(schema, ''))
}

/** Objects that have no name of their own are told field by field, as `choices[].index`. */
function fieldRows(schema: JsonObject, before: string): string[][] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>
  const required = (schema['required'] ?? []) as string[]
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = before + name
    const row = [
      `<code>${escape(path)}</code>${required.includes(name) ? '' : ' <span class="soft">optional</span>'}`,
      typeOf(field),
      prose(describeField(field)),
    ]
    return [row, ...innerRows(field, path)]
  })
}

function innerRows(field: JsonObject, path: string): string[][] {
  const items = field['items'] as JsonObject | undefined
  if (items !== undefined) return innerRows(items, `${path}[]`)
  if (Array.isArray(field['anyOf']))
    return field['anyOf'].flatMap((part) => innerRows(part as JsonObject, path))
  return fieldRows(field, `${path}.`)
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
  if (low === undefined) return `At most ${text(high)}${unit}.`
  if (high === undefined) return `At least ${text(low)}${unit}.`
  return `${text(low)} to ${text(high)}${unit}.`
}

function typeOf(schema: JsonObject | undefined): string {
  if (schema === undefined) return ''
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = escape(reference.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema['const'] !== undefined)
    return `<code>${escape(JSON.stringify(schema['const']))}</code>`
  if (Array.isArray(schema['enum']))
    return schema['enum']
      .map((value) => `<code>${escape(JSON.stringify(value))}</code>`)
      .join(' or ')
  const parts = schema['anyOf'] ?? schema['allOf']
  if (Array.isArray(parts)) return parts.map((part) => typeOf(part as JsonObject)).join(' or ')
  const types = [schema['type'] ?? 'any'].flat().map(text)
  const items = schema['items'] as JsonObject | undefined
  return types
    .map((type) =>
      type === 'array' && items !== undefined ? `list of ${typeOf(items)}` : escape(type),
    )
    .join(' or ')
}

function schemaOf(body: JsonObject): JsonObject | undefined {
  const content = body['content'] as Record<string, { schema: JsonObject }> | undefined
  return content?.['application/json']?.schema
}

function bodiesOf(response: JsonObject): string {
  const content = (response['content'] ?? {}) as Record<string, Record<string, JsonObject>>
  return Object.entries(content)
    .map(([type, body]) => {
      const schema = body['x-event-schema'] ?? body['schema']
      const [first] = (schema?.['allOf'] ?? []) as JsonObject[]
      return `<code>${escape(type)}</code> ${typeOf(first ?? schema)}`
    })
    .join('<br>')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')
  return `<div class="wide" tabindex="0"><table>
<thead><tr>${cells('th', head)}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody>
</table></div>`
}

/** Of what should be one. */
function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** Plain text with code in backquotes, as the descriptions have it. */
function prose(plain: string): string {
  return escape(plain).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escape(plain: string): string {
  return plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
