import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ChatCompletionRequest } from '../../../../src/protocol/chat/chat-request.ts'
import type { InputTokens } from '../../../../src/protocol/chat/input-tokens.ts'
import { ApiError, callApi } from '../../api.ts'

const pauseMs = 500

export type Preview = {
  count: InputTokens | undefined
  /** The service's error for the schema. */
  schemaFault: string | undefined
  /** Any other error from the service. */
  fault: string | undefined
}

/** Counts the tokens of this request and validates it, half a second after the last change. */
export function usePreview(body: ChatCompletionRequest | undefined): Preview {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const [settled] = useDebouncedValue(text, pauseMs)
  const { data, error } = useQuery({
    queryKey: ['input-tokens', settled],
    queryFn: ({ signal }) =>
      callApi('POST /panel/api/chat/completions/input_tokens', {
        body: JSON.parse(settled ?? ''),
        signal,
      }),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  if (settled === undefined) return { count: undefined, schemaFault: undefined, fault: undefined }
  const isSchemaError =
    error instanceof ApiError && error.param?.startsWith('response_format') === true
  return {
    count: error === null ? data : undefined,
    schemaFault: isSchemaError ? error.message : undefined,
    fault: isSchemaError ? undefined : error?.message,
  }
}
