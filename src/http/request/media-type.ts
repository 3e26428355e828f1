import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../errors.ts'

const lengthMax = 256
// RFC 9110 §5.6.2: the characters of a token.
const parameter = /^([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(\S.*)$/

/**
 * Checks that a body is JSON in UTF-8, and not compressed.
 * @throws ServiceError unsupported_media_type
 */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw unsupported(
      'Send the body without compression: the header `Content-Encoding` is not supported.',
    )
  if (!isJson(headers['content-type']))
    throw unsupported('Send the body as JSON with the header `Content-Type: application/json`.')
}

function isJson(contentType = ''): boolean {
  if (contentType.length > lengthMax) return false
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim())
  return type.toLowerCase() === 'application/json' && parameters.every(isAccepted)
}

/** Returns false for what is no parameter, and for a charset other than UTF-8. Others have no meaning for JSON. */
function isAccepted(text: string): boolean {
  if (text === '') return true
  const [, name, value = ''] = parameter.exec(text) ?? []
  return name !== undefined && (name.toLowerCase() !== 'charset' || /^"?utf-?8"?$/i.test(value))
}

function unsupported(message: string): ServiceError {
  return new ServiceError('unsupported_media_type', message)
}
