import type { IncomingMessage } from 'node:http'
import { Interruption } from '../../../completions/interruption.ts'
import { requestTimeout, ServiceError } from '../../../errors.ts'
import { hasTimedOut } from '../../timed-out.ts'

type BodyBounds = {
  bytesMax: number
  /** Counts the bytes of a body whose size the headers did not give. May throw to refuse the body. */
  onBytes: ((bytes: number) => void) | undefined
}

/**
 * Reads a whole body. If the body is refused, drops the bytes read so far. Returns the chunks as they arrived: many
 * large bodies may end together, and to join all of them at once would take tens of milliseconds.
 * @throws ServiceError request_too_large, request_timeout, or any error of `onBytes`; Interruption when the client hangs
 * up
 */
export function readBody(
  payload: IncomingMessage,
  { bytesMax, onBytes }: BodyBounds,
): Promise<{ chunks: Buffer[]; size: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (then: () => void) => {
      payload.off('data', onData)
      payload.off('end', onEnd)
      payload.off('error', onFault)
      payload.off('close', onFault)
      then()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      try {
        if (size > bytesMax) throw bodyTooLarge(bytesMax)
        onBytes?.(chunk.length)
      } catch (error) {
        settle(() => reject(error))
        return
      }
      chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve({ chunks, size }))
    const onFault = () =>
      settle(() =>
        reject(hasTimedOut(payload.socket) ? requestTimeout() : new Interruption('client_abort')),
      )
    payload.on('data', onData)
    payload.on('end', onEnd)
    payload.on('error', onFault)
    payload.on('close', onFault)
  })
}

export function bodyTooLarge(bytesMax: number): ServiceError {
  return new ServiceError(
    'request_too_large',
    `The body is larger than the maximum of ${bytesMax} bytes.`,
  )
}
