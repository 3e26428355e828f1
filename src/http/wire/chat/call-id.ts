import { hash } from 'node:crypto'

/** Derives a tool call's id from the completion's id, so that a replayed reply has the same call ids. */
export function callId(completionId: string, choice: number, call: number): string {
  return `call_${hash('sha256', `${completionId} ${choice} ${call}`, 'hex').slice(0, 24)}`
}
