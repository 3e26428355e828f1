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
  const firstShown = latest.findIndex(({ id }) => ids.has(id))
  return {
    receipts: shown.map((receipt) => states.get(receipt.id) ?? receipt),
    newer: firstShown === -1 ? latest.length : firstShown,
  }
}
