import { describeApi as describeApiContract, readDocs } from '../../protocol/operations/service.ts'
import { version } from '../../version.ts'
import { describeApi } from '../reference/describe-api.ts'
import { PreparedJson } from '../reply/http-response.ts'
import type { ResultOf } from '../reply/respond.ts'
import { type ApiOperation, operation, type RequestFacts } from '../operation.ts'

/** Serves the API reference as OpenAPI and as HTML pages. It covers the given operations and the two returned ones. */
export function documentationOperations(
  operations: readonly ApiOperation[],
  page: (request: RequestFacts) => ResultOf<typeof readDocs>,
): ApiOperation[] {
  const open = { auth: 'none' } as const
  const own = [
    operation(describeApiContract, open)(() => json),
    operation(readDocs, open)(({ request }) => page(request)),
  ]
  const document = describeApi([...operations, ...own], version)
  const json = new PreparedJson(document)
  return own
}
