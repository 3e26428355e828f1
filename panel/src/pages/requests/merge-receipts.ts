import type { Receipt } from '../../../../src/protocol/receipt.ts'

type Merged = { receipts: readonly Receipt[] | undefined; newer: number }

/** Updates the shown receipts to their latest state, and counts the newer ones that are not shown. */
export function mergeReceipts(
  shown: readonly Receipt[] | undefined,
  latest: readonly Receipt[],
): Merged {
  if (shown === undefined) return { receipts: undefined, newer: 0 }
  // An empty log can show new requests without moving anything.
  if (shown.length === 0) return { receipts: latest, newer: 0 }
  const states = new Map(latest.map((receipt) => [receipt.id, receipt]))
  const ids = new Set(shown.map(({ id }) => id))
  // A request that waited for a slot appears below later ones, because the list is sorted by the time of arrival.
  const lastShown = latest.findLastIndex(({ id }) => ids.has(id))
  const above = lastShown === -1 ? latest : latest.slice(0, lastShown)
  return {
    receipts: shown.map((receipt) => states.get(receipt.id) ?? receipt),
    newer: above.filter(({ id }) => !ids.has(id)).length,
  }
}

/** Returns the ids of shown requests whose last known state is running, and which the latest ones do not include. */
export function missingRunning(
  shown: readonly Receipt[] | undefined,
  latest: readonly Receipt[] | undefined,
): string[] {
  if (shown === undefined || latest === undefined) return []
  const ids = new Set(latest.map(({ id }) => id))
  return shown
    .filter(({ id, status }) => status === 'in_progress' && !ids.has(id))
    .map(({ id }) => id)
}

/**
 * Replaces receipts by their states. Leaves out deleted ones, and ended ones if only running ones are shown.
 * @param states the state by id; undefined if the receipt no longer exists
 */
export function withStates(
  receipts: readonly Receipt[],
  states: ReadonlyMap<string, Receipt | undefined>,
  status: Receipt['status'] | undefined,
): Receipt[] {
  return receipts.flatMap((receipt) => {
    if (!states.has(receipt.id)) return receipt
    const state = states.get(receipt.id)
    return state === undefined || (status !== undefined && state.status !== status) ? [] : state
  })
}
