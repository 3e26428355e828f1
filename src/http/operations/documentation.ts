import { createHash } from 'node:crypto'
import { version } from '../../version.ts'
import { renderDocsPage, stylesheet } from '../reference/docs-page.ts'
import { describeApi } from '../reference/openapi.ts'
import type { ApiRoute } from '../route.ts'

// The page needs its own style and nothing else: no script, no image, no other origin.
const styleHash = createHash('sha256').update(stylesheet).digest('base64')
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The description of these routes and its own, for programs and for people; made once. */
export function documentationRoutes(routes: readonly ApiRoute[]): ApiRoute[] {
  const own: ApiRoute[] = [
    {
      method: 'GET',
      url: '/openapi.json',
      auth: 'none',
      doc: {
        operationId: 'describeApi',
        summary: 'This document',
        replies: {
          200: { description: 'OpenAPI 3.1.', content: { 'application/json': { type: 'object' } } },
        },
        errors: [],
      },
      handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(document),
    },
    {
      method: 'GET',
      url: '/docs',
      auth: 'none',
      doc: {
        operationId: 'readDocs',
        summary: 'This document as a page',
        replies: {
          200: { description: 'HTML.', content: { 'text/html': { type: 'string' } } },
        },
        errors: [],
      },
      handler: (_request, reply) =>
        reply
          .headers({
            'content-security-policy': contentSecurityPolicy,
            'x-content-type-options': 'nosniff',
            'referrer-policy': 'no-referrer',
          })
          .type('text/html; charset=utf-8')
          .send(page),
    },
  ]
  const api = describeApi([...routes, ...own], version)
  const document = JSON.stringify(api)
  const page = renderDocsPage(api)
  return own
}
