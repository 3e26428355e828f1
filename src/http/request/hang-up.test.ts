import { getEventListeners } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { abortOnEnd } from './hang-up.ts'

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

test('a request is aborted when its key is revoked or its client hangs up, and listens no longer after its end', () => {
  const key = new AbortController()
  const [left, running] = [newResponse(), newResponse()]
  const leftControl = abortOnEnd(left, key.signal)
  const control = abortOnEnd(running, key.signal)
  left.emit('close')
  expect(leftControl.signal.reason).toMatchObject({ reason: 'client_abort' })
  expect(getEventListeners(key.signal, 'abort')).toHaveLength(1)
  key.abort()
  expect(control.signal.reason).toMatchObject({ reason: 'revoked' })
  expect(abortOnEnd(newResponse(), key.signal).signal.reason).toMatchObject({ reason: 'revoked' })
})
