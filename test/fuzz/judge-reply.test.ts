import { expect, test } from 'vitest'
import { faultOf } from './judge-reply.ts'
import type { Reply } from './send.ts'

const complete = (status: number, body: string, type = 'application/json'): Reply => ({
  state: 'complete',
  status,
  type,
  body,
})
const refusal = (code: string) => JSON.stringify({ error: { code } })

test.each<[string, Reply]>([
  ['a reply', complete(200, '{}')],
  ['a stream to its end', complete(200, 'data: {}\n\ndata: [DONE]\n\n', 'text/event-stream')],
  ['a refusal of the catalogue', complete(400, refusal('invalid_json'))],
])('%s is no fault', (_name, reply) => expect(faultOf(reply, 100)).toBeUndefined())

test.each<[string, Reply]>([
  ['a 5xx', complete(500, refusal('internal_error'))],
  ['a 503, since the service is not overloaded', complete(503, refusal('overloaded'))],
  ['a stream without its end', complete(200, 'data: {}\n\n', 'text/event-stream')],
  ['a refusal without a code', complete(417, '')],
  ['a code with another status', complete(404, refusal('invalid_json'))],
  ['an unknown code', complete(400, refusal('oops'))],
  ['a cut connection', { state: 'cut', received: 10 }],
  ['no reply', { state: 'late' }],
])('%s is a fault', (_name, reply) => expect(faultOf(reply, 100)).toBeDefined())
