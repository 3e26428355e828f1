/**
 * Returns a function that returns the signal which ends the requests of this time: `stopping`, or the loss of the
 * present registration of the replica. It keeps the signal, because each combined one costs memory.
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
