import { errorCatalogue } from '../../src/http/reply/error-response.ts'
import { requestBytesMax } from '../../src/limits.ts'
import type { Reply } from './send.ts'

const catalogue: Readonly<Record<string, { status: number }>> = errorCatalogue

/** Returns what is wrong with a reply to a hostile request; undefined for a 2xx, 3xx or a 4xx of the catalogue. */
export function faultOf(reply: Reply, requestBytes: number): string | undefined {
  if (reply.state === 'late') return 'no reply in time'
  if (reply.state === 'cut') {
    // The service refuses a body that is too large without reading it, and the reset may overtake the refusal.
    return requestBytes > requestBytesMax && reply.received === 0
      ? undefined
      : `cut after ${reply.received} bytes`
  }
  const { status, type, body } = reply
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  if (status >= 400) return refusalFault(status, body)
  if (type === 'text/event-stream' && !body.endsWith('data: [DONE]\n\n'))
    return `a stream without [DONE]: ${body.slice(-200)}`
  return undefined
}

function refusalFault(status: number, body: string): string | undefined {
  const code = codeOf(body)
  if (code === undefined) return `status ${status} without an error code: ${body.slice(0, 200)}`
  if (catalogue[code]?.status !== status) return `status ${status} with the code ${code}`
  return undefined
}

export function codeOf(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown } }
    return typeof error?.code === 'string' ? error.code : undefined
  } catch {
    return undefined
  }
}
