import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, OpenApi } from '../../../src/http/reference/openapi.ts'
import type { GeneratedRequest } from './openapi-requests.ts'

type Described = { headers?: JsonObject; content: Record<string, Record<string, JsonObject>> }

/** Finds the parts of a response that the OpenAPI document does not describe: status, headers, content type, body. */
export class ReplyCheck {
  readonly #api: OpenApi
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(api: OpenApi) {
    this.#api = api
    // The schemas are closed, so that an undescribed field is a fault.
    const schemas = closed(api.components.schemas) as Record<string, object>
    this.#ajv.addSchema({ $id: 'api', components: { schemas } })
  }

  async faults({ path, method }: GeneratedRequest, response: Response): Promise<string[]> {
    const text = await response.text()
    const operation = this.#api.paths[path]?.[method.toLowerCase()]
    const described = this.#resolve(operation?.responses[String(response.status)])
    if (described === undefined) return [`status ${response.status}: ${text.slice(0, 200)}`]
    const names = new Set(Object.keys(described.headers ?? {}))
    const strange = [...response.headers.keys()].filter(
      (name) => /^(x-|retry|www-|idempotency)/.test(name) && !names.has(name) && !ofPages.has(name),
    )
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const body = described.content[type]
    const faults = strange.map((name) => `header ${name}`)
    if (body === undefined) return [...faults, `content-type ${type}`]
    switch (type) {
      case 'application/json':
        return [...faults, ...this.#bodyFaults(body['schema'], JSON.parse(text))]
      case 'text/event-stream':
        return [...faults, ...this.#streamFaults(body['x-event-schema'], text)]
      default:
        return faults
    }
  }

  #resolve(response: JsonObject | undefined): Described | undefined {
    const reference = response?.['$ref']
    if (typeof reference !== 'string') return response as Described | undefined
    const name = reference.split('/').at(-1) ?? ''
    return this.#api.components.responses[name] as unknown as Described | undefined
  }

  #streamFaults(schema: JsonObject | undefined, text: string): string[] {
    const lines = text.split('\n').filter((line) => line !== '')
    const events = lines.slice(0, -1).map((line) => line.replace(/^data: /, ''))
    const faults = events.flatMap((event) => this.#bodyFaults(schema, JSON.parse(event)))
    return lines.at(-1) === 'data: [DONE]' ? faults : [...faults, 'a stream without [DONE]']
  }

  #bodyFaults(schema: JsonObject | undefined, body: unknown): string[] {
    const absolute = JSON.parse(JSON.stringify(schema ?? false).replaceAll('"#/', '"api#/'))
    if (this.#ajv.validate(absolute, body)) return []
    return (this.#ajv.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)} in ${JSON.stringify(body).slice(0, 200)}`,
    )
  }
}

const ofPages = new Set(['x-content-type-options', 'x-accel-buffering', 'x-frame-options'])

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  )
  return 'properties' in copy && 'type' in copy ? { additionalProperties: false, ...copy } : copy
}
