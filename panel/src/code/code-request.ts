/** A request to write as code. */
export type CodeRequest = {
  /** The service's origin, without a path. */
  origin: string
  method: string
  path: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** The reply is an event stream, of which the code prints the text. */
  streams?: boolean
  /** The operation needs no key. */
  isOpen?: boolean
  /** If absent, the code reads PIPIT_API_KEY from the environment. */
  apiKey?: string | undefined
}

/** A chat completion to write as code. */
export type CompletionRequest = Pick<CodeRequest, 'origin' | 'apiKey'> & {
  body: Readonly<Record<string, unknown>>
}

/** Returns the headers besides that of the key. */
export function headersOf({ body, headers = {} }: CodeRequest): [name: string, value: string][] {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return Object.entries({ ...type, ...headers })
}
