import { createHash } from 'node:crypto'
import { describeApi as describeApiContract, readDocs } from '../../protocol/operations/service.ts'
import { version } from '../../version.ts'
import { HttpReply } from '../reply/http-reply.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { renderDocsPage } from '../reference/docs-page.ts'
import { stylesheet } from '../reference/docs-style.ts'
import { describeApi } from '../reference/describe-api.ts'

// The page needs nothing but its own style: no script, no image, no other origin.
const styleHash = createHash('sha256').update(stylesheet).digest('base64')
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** Serves the description of the given operations and of its own two, as OpenAPI and as a page. */
export function documentationOperations(operations: readonly ApiOperation[]): ApiOperation[] {
  const open = { auth: 'none' } as const
  const own = [
    operation(describeApiContract, open)(() => document),
    operation(readDocs, open)(() => new HttpReply(200, page, pageHeaders)),
  ]
  const document = describeApi([...operations, ...own], version)
  const page = renderDocsPage(document)
  return own
}
