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

const pagePatterns = pageContracts.map(({ path }) => path.split('/'))
/** Segments of a path that are read. No contract has as many, and a path with more of them is unknown. */
const segmentsMax = 20

/**
 * Redirects common aliases of panel pages, and page paths with a trailing slash, to the page. Any other path gets a 405
 * with `Allow` if another method serves it, or else a 404. Page paths never get a 405. Responds without waiting for the
 * body.
 */
export function answerUnknownUrls(app: FastifyInstance, operations: readonly Operation[]): void {
  const pages = new Set<string>([...pageContracts, ...docsContracts].map(({ path }) => path))
  const contracts = operations
    .map(({ contract: { method, path } }) => ({ method, path, pattern: path.split('/') }))
    .filter(({ path }) => !pages.has(path))
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done()
      return undefined
    }
    const [path = ''] = request.url.split('?', 1)
    const segments = path.split('/', segmentsMax + 1)
    const page = pageFor(path, segments)
    if (page !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
      reply.redirect(page + request.url.slice(path.length), 302)
      return undefined
    }
    const methods = contracts
      .filter(({ pattern }) => matches(pattern, segments))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    if (methods.length === 0) throw unknownUrl()
    reply.header('allow', methods.join(', '))
    throw new ServiceError(
      'method_not_supported',
      `This URL supports only ${methods.join(' and ')}.`,
    )
  })
}

/**
 * Returns the path of the panel page that `path` means, or undefined.
 * @param segments of `path`; a path with more than `segmentsMax` is cut after the next one
 */
function pageFor(path: string, segments: readonly string[]): string | undefined {
  const hasSlash = path.length > 1 && path.endsWith('/')
  const bare = hasSlash ? path.slice(0, -1) : path
  const named = Object.hasOwn(otherNames, bare) ? otherNames[bare] : undefined
  if (named !== undefined) return named
  if (!hasSlash || segments.length > segmentsMax) return undefined
  const ofBare = segments.slice(0, -1)
  return pagePatterns.some((pattern) => matches(pattern, ofBare)) ? bare : undefined
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => part === segments[i] || (part.startsWith(':') && segments[i] !== ''))
  )
}
