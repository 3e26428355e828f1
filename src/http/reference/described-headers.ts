import type { JsonObject } from './openapi.ts'

const descriptions: Readonly<Record<string, string>> = {
  'x-request-id': 'Identifies the request, here and in the logs.',
  'x-processing-ms': 'Milliseconds from the request line to the headers of the reply.',
  'x-ignored-parameters': 'Names in the body that the service does not know and has ignored.',
  'idempotency-replayed': '`true` if this is the stored reply of an earlier request.',
  'www-authenticate': '`Bearer`.',
  'retry-after': 'Whole seconds, 1 to 60, after which a retry may succeed.',
  'retry-after-ms': 'The same in milliseconds.',
  'x-should-retry': '`false`: a retry cannot succeed.',
  'x-drop-reason':
    'Why the queue refused the request: `no_place`, `place_share`, `body_bytes`, `logprob_bytes`, `predicted_wait`, `queue_timeout` or `deadline`.',
  'x-ratelimit-limit-requests':
    'The tightest limit on requests. Sent, like the next five headers, where such a limit exists.',
  'x-ratelimit-remaining-requests': 'Requests left when the headers are sent.',
  'x-ratelimit-reset-requests': 'Time until the limit is full again, in seconds: `12.5s`.',
  'x-ratelimit-limit-tokens': 'The tightest limit on tokens.',
  'x-ratelimit-remaining-tokens': 'Tokens left when the headers are sent.',
  'x-ratelimit-reset-tokens': 'Time until the limit is full again, in seconds: `12.5s`.',
}

const headersOfEveryReply = ['x-request-id', 'x-processing-ms']

/** Headers of a response to a request with an API key. */
export const headersOfLimits = Object.keys(descriptions).filter((name) =>
  name.startsWith('x-ratelimit-'),
)

/** Returns `components.headers` of the document. */
export function describedHeaders(): JsonObject {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
}

/** Returns references to the headers of every response and to those in `names`. */
export function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(
    [...headersOfEveryReply, ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}
