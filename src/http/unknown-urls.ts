import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { docsContracts, pageContracts } from '../protocol/operations/panel/pages.ts'
import { unknownUrl } from './reply/error-handler.ts'
import type { Operation } from './operation.ts'

/** Paths that people type, and the panel pages they mean. */
const otherNames: Readonly<Record<string, string>> = {
  '/panel': '/',
  '/login': '/sign-in',
  '/signin': '/sign-in',
  '/signup': '/sign-up',
}

/**
 * Redirects common aliases of panel pages, and page paths with a trailing slash, to the page. Any other path gets a 405
 * with `Allow` if another method serves it, or else a 404. Page paths never get a 405. Responds without waiting for the
 * body.
 */
export function answerUnknownUrls(app: FastifyInstance, operations: readonly Operation[]): void {
  const pages = new Set<string>([...pageContracts, ...docsContracts].map(({ path }) => path))
  const contracts = operations
    .map(({ contract }) => contract)
    .filter(({ path }) => !pages.has(path))
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done()
      return undefined
    }
    const [path = ''] = request.url.split('?', 1)
    const page = pageFor(path)
    if (page !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
      reply.redirect(page + request.url.slice(path.length), 302)
      return undefined
    }
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

/** Returns the path of the panel page that `path` means, or undefined. */
function pageFor(path: string): string | undefined {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const named = Object.hasOwn(otherNames, bare) ? otherNames[bare] : undefined
  if (named !== undefined) return named
  return bare !== path && pageContracts.some((page) => matches(page.path, bare)) ? bare : undefined
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const actual = path.split('/')
  return (
    expected.length === actual.length &&
    expected.every((part, i) => part === actual[i] || (part.startsWith(':') && actual[i] !== ''))
  )
}
