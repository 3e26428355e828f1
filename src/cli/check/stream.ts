import { at, must, show } from './rule.ts'
import type { Reply } from './target.ts'

export type Stream = {
  chunks: unknown[]
  /** The joined deltas of the first choice. */
  text: string
  lines: string[]
}

/** @throws Broken if the response is not a stream or a payload is not JSON */
export function readStream(reply: Reply): Stream {
  must(reply.status >= 200 && reply.status < 300, `status ${reply.status}, ${show(reply.text)}`)
  const lines = reply.text.split(/\r\n|\n|\r/)
  const chunks: unknown[] = []
  for (const line of lines) {
    if (!line.startsWith('data: ') || line === 'data: [DONE]') continue
    try {
      chunks.push(JSON.parse(line.slice(6)))
    } catch {
      must(false, `a payload is not JSON: ${show(line)}`)
    }
  }
  const fragments = chunks.map((chunk) => {
    const content = at(chunk, 'choices', 0, 'delta', 'content')
    return typeof content === 'string' ? content : ''
  })
  return { chunks, lines, text: fragments.join('') }
}
