/**
 * Returns a function that returns the stop signal for requests that start now. The signal aborts with `stopping`, or
 * when the replica's current registration is lost. Requests share it, because each combined signal costs memory.
 */
export function stopSignals(
  stopping: AbortSignal,
  replica: { readonly lost: AbortSignal } | undefined,
): () => AbortSignal {
  if (replica === undefined) return () => stopping
  let lost: AbortSignal | undefined
  let combined = stopping
  return () => {
    if (lost !== replica.lost) {
      lost = replica.lost
      combined = AbortSignal.any([stopping, lost])
    }
    return combined
  }
}
