import type { Duplex } from 'node:stream'

const timedOut = new WeakSet<Duplex>()

/** Notes that a connection got 408, because a request did not arrive in time. */
export function noteTimeout(socket: Duplex): void {
  timedOut.add(socket)
}

export function hasTimedOut(socket: Duplex): boolean {
  return timedOut.has(socket)
}
