import type { ApiOperation } from './api-document.ts'
import type { GuideRequest } from './guide-requests.ts'
import { objectOf, textOf } from './json.ts'

/** Returns the example request from an operation's contract. */
export function exampleRequest(operation: ApiOperation): GuideRequest {
  const { method, path, parameters = [], requestBody, security } = operation
  const { example } = objectOf(objectOf(objectOf(requestBody)['content'])['application/json'])
  const values = new Map(parameters.map((one) => [textOf(one['name']), textOf(one['example'])]))
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? name),
    isOpen: security.length === 0,
    ...(example !== undefined && { body: example }),
  }
}
