import { ServiceError } from '../../errors.ts'

// RFC 9110 §8.3: parameters are name=token or name="quoted". Only UTF-8 is accepted as charset. No two runs of blanks may
// meet: a regular expression would try every way to divide the blanks between them.
const jsonMediaType =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?)*$/i

/** @throws ServiceError unsupported_media_type */
export function assertJsonMediaType(contentType: string | undefined): void {
  if (contentType === undefined || contentType.length > 256 || !jsonMediaType.test(contentType))
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as JSON with the header `Content-Type: application/json`.',
    )
}
