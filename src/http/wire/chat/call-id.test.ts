import { expect, test } from 'vitest'
import { callId } from './call-id.ts'

test('an id is the same again for the same call, and another for any other', () => {
  const id = callId('chatcmpl-1', 0, 0)
  expect(id).toBe(callId('chatcmpl-1', 0, 0))
  const others = [
    callId('chatcmpl-2', 0, 0),
    callId('chatcmpl-1', 1, 0),
    callId('chatcmpl-1', 0, 1),
  ]
  expect(new Set([id, ...others]).size).toBe(4)
})
