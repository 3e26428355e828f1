import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../accounts/caller.ts'
import { ServiceError } from '../../errors.ts'
import { authorizationBytesMax } from '../../limits.ts'

export type CheckKey = (rawKey: string) => Caller | undefined

/**
 * Parses the only form of credentials, `Authorization: Bearer <API_KEY>` (docs/interface.md §5). Removes the
 * raw key from the request, so that no later code can log or forward it.
 * Clients such as LiteLLM recognise the error by the first words of its message.
 * @throws ServiceError missing_api_key, invalid_api_key
 */
export function authenticate(request: IncomingMessage, checkKey: CheckKey): Caller {
  const headers = takeAuthorization(request)
  const [header] = headers
  if (header === undefined || header.trim() === '')
    throw new ServiceError(
      'missing_api_key',
      'Incorrect API key provided: there is none. Send the header `Authorization: Bearer <API_KEY>`.',
    )
  const rawKey = headers.length === 1 ? bearerCredential(header) : undefined
  const caller = rawKey === undefined ? undefined : checkKey(rawKey)
  if (caller === undefined)
    throw new ServiceError(
      'invalid_api_key',
      'Incorrect API key provided. Check that it is complete and not revoked.',
    )
  return caller
}

function bearerCredential(header: string): string | undefined {
  if (header.length > authorizationBytesMax) return undefined
  return /^bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1]
}

/** Removes every authorization header from the request and returns their values. */
function takeAuthorization(request: IncomingMessage): string[] {
  const { rawHeaders } = request
  const found: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length !== 'authorization'.length || name.toLowerCase() !== 'authorization') continue
    found.push(rawHeaders[i + 1] ?? '')
    rawHeaders[i + 1] = ''
  }
  delete request.headers.authorization
  return found
}
