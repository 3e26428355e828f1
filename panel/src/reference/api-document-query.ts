import { queryOptions } from '@tanstack/react-query'
import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import { ApiError } from '../api.ts'

const timeoutMs = 30_000

/** Queries the service's OpenAPI document, from which every page of the reference is made. */
export const apiDocumentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal }) => readDocument(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])),
  staleTime: Infinity,
})

async function readDocument(signal: AbortSignal): Promise<OpenApi> {
  const response = await fetch('/openapi.json', { signal }).catch(() => undefined)
  if (response?.ok !== true)
    throw new ApiError(
      0,
      'unreachable',
      'The reference could not be loaded. Check that the service is running, then try again.',
    )
  // The service writes the document from these types, so it is not validated.
  return (await response.json()) as OpenApi
}
