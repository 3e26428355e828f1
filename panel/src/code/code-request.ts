/** A request to show as sample code. */
export type CodeRequest = {
  /** The service's origin, without a path. */
  origin: string
  method: string
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** The response is an event stream, and the code prints its text. */
  streams?: boolean
  /** The operation needs no API key. */
  isOpen?: boolean
  /** If absent, the code reads PIPIT_API_KEY from the environment. */
  apiKey?: string | undefined
}

/** A chat completion to show as sample code. */
export type CompletionRequest = Pick<CodeRequest, 'origin' | 'apiKey'> & {
  body: Readonly<Record<string, unknown>>
}

/** Returns all headers except the one with the API key. */
export function headersOf({ body, headers = {} }: CodeRequest): [name: string, value: string][] {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return Object.entries({ ...type, ...headers })
}
