import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { pageContracts } from '../protocol/operations/panel/pages.ts'
import { unknownUrl } from './error-handler.ts'
import type { Operation } from './operation.ts'

/** Replies 405 with `Allow` if another method has the path, else 404. Pages of the panel do not count. */
export function answerUnknownUrls(app: FastifyInstance, operations: readonly Operation[]): void {
  const pages = new Set<string>(pageContracts.map(({ path }) => path))
  const contracts = operations
    .map(({ contract }) => contract)
    .filter(({ path }) => !pages.has(path))
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = contracts
      .filter((contract) => matches(contract.path, path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    if (methods.length === 0) throw unknownUrl()
    reply.header('allow', methods.join(', '))
    throw new ServiceError(
      'method_not_supported',
      `This URL supports only ${methods.join(' and ')}.`,
    )
  })
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const actual = path.split('/')
  return (
    expected.length === actual.length &&
    expected.every((part, i) => part === actual[i] || (part.startsWith(':') && actual[i] !== ''))
  )
}
