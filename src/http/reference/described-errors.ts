import { type ErrorCode, invalidBodyCodes } from '../../errors.ts'
import { errorCatalogue } from '../reply/error-response.ts'
import type { ApiOperation } from '../operation.ts'
import { headerReferences } from './described-headers.ts'
import type { JsonObject } from './openapi.ts'

const errorsOfEveryOperation: ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
]
const errorsOfKeys: ErrorCode[] = ['missing_api_key', 'invalid_api_key']
const errorsOfScopes: ErrorCode[] = ['insufficient_permissions']
const errorsOfBodies: ErrorCode[] = [
  ...invalidBodyCodes,
  'request_too_large',
  'unsupported_media_type',
]
/** The router refuses a path parameter that is too long. */
const errorsOfParams: ErrorCode[] = ['unknown_url']

/** Returns every error that a request to the operation can get. */
export function errorsOf({ access, contract }: ApiOperation): ErrorCode[] {
  const all = [
    ...errorsOfEveryOperation,
    ...(access.auth === 'none' ? [] : errorsOfKeys),
    ...(access.auth === 'none' || access.scope === 'any' ? [] : errorsOfScopes),
    ...(contract.body === undefined ? [] : errorsOfBodies),
    ...(contract.params === undefined ? [] : errorsOfParams),
    ...contract.errors,
  ]
  return [...new Set(all)]
}

/** Collects the error responses. Merges those with the same status and the same codes. */
export class DescribedErrors {
  readonly responses: Record<string, JsonObject> = {}

  /** Returns references to the described responses, one for each HTTP status among the codes. */
  describe(codes: readonly ErrorCode[], limits: readonly string[]): Record<string, JsonObject> {
    const statuses = Map.groupBy(codes, (code) => errorCatalogue[code].status)
    return Object.fromEntries(
      [...statuses].map(([status, ofStatus]) => {
        const name = this.#nameOf(describeError(status, ofStatus, limits), status)
        return [String(status), { $ref: `#/components/responses/${name}` }]
      }),
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

function describeError(
  status: number,
  codes: readonly ErrorCode[],
  limits: readonly string[],
): JsonObject {
  const properties = { code: { enum: [...codes] } }
  const ofCodes = { type: 'object', properties: { error: { type: 'object', properties } } }
  const schema = { allOf: [{ $ref: '#/components/schemas/ErrorReply' }, ofCodes] }
  const examples = Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  )
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerReferences([...limits, ...headersOfStatus(status)]),
    content: { 'application/json': { schema, examples } },
  }
}

function headersOfStatus(status: number): string[] {
  switch (status) {
    case 401:
      return ['www-authenticate']
    case 409:
      return ['retry-after', 'retry-after-ms']
    case 429:
      return ['retry-after', 'retry-after-ms', 'x-should-retry', 'x-drop-reason']
    case 503:
      return ['retry-after', 'retry-after-ms', 'x-drop-reason']
    default:
      return []
  }
}
