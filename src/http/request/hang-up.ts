import type { ServerResponse } from 'node:http'
import { Interruption } from '../../completions/interruption.ts'

/** Returns a controller that aborts when the client hangs up before the response is complete. */
export function abortOnHangUp(response: ServerResponse): AbortController {
  const control = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) control.abort(new Interruption('client_abort'))
  })
  return control
}
