import { expect, test } from 'vitest'
import { idempotencyReplyBytesMax } from '../../limits.ts'
import { parseInOrder } from '../../json-order.ts'
import { newClaim, ReplyRecorder } from './idempotency.ts'

const head = { id: 'chatcmpl-1', created: 1, model: 'svc-o1-mini', fingerprint: 'fp_1' }
const usage = { promptTokens: 9, cachedTokens: 0, completionTokens: 8192 }

/** Records four choices that arrive token by token. */
function record(tokens: number, token: string): string | undefined {
  const recorder = new ReplyRecorder(head)
  for (let at = 0; at < tokens; at++)
    for (let index = 0; index < 4; index++) recorder.add({ type: 'delta', index, text: token })
  for (let index = 0; index < 4; index++) recorder.add({ type: 'finish', index, reason: 'stop' })
  return recorder.toReply(usage)
}

test('a reply of many short deltas is kept if its joined text is short enough', () => {
  const reply = record(2048, ' abc')
  expect(reply?.length).toBeLessThan(idempotencyReplyBytesMax)
  expect(JSON.parse(reply ?? '')).toMatchObject({
    events: [
      { type: 'delta', index: 0, text: ' abc'.repeat(2048) },
      ...[1, 2, 3].map((index) => ({ type: 'delta', index })),
      ...[0, 1, 2, 3].map((index) => ({ type: 'finish', index })),
      { type: 'usage' },
    ],
  })
})

test('a reply whose text is too long is not kept', () => {
  expect(record(2048, ' abcdefghi')).toBeUndefined()
})

const fingerprintOf = (body: string) =>
  newClaim('acct', 'route', 'key', parseInOrder(body) as object).fingerprint

test('the order of the fields of a request does not matter, and that of a schema does', () => {
  const first = fingerprintOf('{"n":1,"guided_json":{"properties":{"b":{},"a":{},"1":{}}}}')
  const equal = fingerprintOf('{"guided_json":{"properties":{"b":{},"a":{},"1":{}}}, "n": 1}')
  const other = fingerprintOf('{"n":1,"guided_json":{"properties":{"a":{},"b":{},"1":{}}}}')
  const moved = fingerprintOf('{"n":1,"guided_json":{"properties":{"1":{},"b":{},"a":{}}}}')
  expect(equal).toBe(first)
  expect(new Set([first, other, moved]).size).toBe(3)
})
