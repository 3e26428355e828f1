import type { CodeRequest } from '../code/code-request.ts'

/** Maximum number of response characters that the page shows. */
const shownCharsMax = 100_000
const timeoutMs = 600_000

export type SentReply = {
  status: number
  requestId: string | null
  /** Milliseconds from the click to the last byte. */
  ms: number
  text: string
}

/**
 * Sends the request with the API key, and never with the session cookie.
 * @param onText called with the text received so far, at most `shownCharsMax` characters
 * @throws DOMException if it is cancelled, TypeError if the service cannot be reached
 */
export async function sendRequest(
  request: Omit<CodeRequest, 'origin' | 'body'> & { body?: string | undefined },
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<SentReply> {
  const startedMs = performance.now()
  const { method, path, body, headers = {}, apiKey } = request
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const text = await readText(response, onText)
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    ms: Math.round(performance.now() - startedMs),
    text: indent(text),
  }
}

async function readText(response: Response, onText: (text: string) => void): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    if (text.length < shownCharsMax) text = (text + value).slice(0, shownCharsMax)
    onText(text)
  }
  return text
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
