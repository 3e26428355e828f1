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
  onceClosed(response, onClose)
  return control
}

/** Calls `listener` when the response has been sent or its connection is closed; at once if it is closed already. */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  // The client may have left between the end of its request and now.
  if (response.closed) listener()
  else response.once('close', listener)
}
