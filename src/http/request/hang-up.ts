import type { ServerResponse } from 'node:http'
import { Interruption } from '../../completions/interruption.ts'

/** Returns a controller that aborts when the client hangs up, or its key is revoked, before the response is complete. */
export function abortOnEnd(response: ServerResponse, revoked: AbortSignal): AbortController {
  const control = abortOnHangUp(response)
  const onRevoked = () => control.abort(new Interruption('revoked'))
  if (revoked.aborted) onRevoked()
  else {
    revoked.addEventListener('abort', onRevoked)
    response.once('close', () => revoked.removeEventListener('abort', onRevoked))
  }
  return control
}

/** Returns a controller that aborts when the client hangs up before the response is complete. */
export function abortOnHangUp(response: ServerResponse): AbortController {
  const control = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) control.abort(new Interruption('client_abort'))
  }
  // The client may have left between the end of its request and now.
  if (response.closed) onClose()
  else response.once('close', onClose)
  return control
}
