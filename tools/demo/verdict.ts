/** Facts about a run of the demo, from its callers and from the ledger. */
type Facts = {
  readonly acknowledged: number
  /** Acknowledged replies that differ from the ledger. */
  readonly differing: number
  /** Entries of the ledger that stay reserved. */
  readonly open: number
  /** Tokens of the key with a limit per day, and its requests that were refused. */
  readonly day: { seen: number; ledger: number; limit: number; refused: number }
  /** Requests of the key with a limit per minute. */
  readonly minute: { served: number; max: number; refused: number }
  /** Statuses and errors that neither a kill nor a limit explains. */
  readonly unexpected: readonly string[]
}

/** Returns the checks of the demo. A limit that was not reached proves nothing, so its check fails. */
export function judge(facts: Facts): { text: string; isRight: boolean }[] {
  const { acknowledged, differing, open, day, minute, unexpected } = facts
  const reached = (refused: number) => (refused > 0 ? '' : '; the limit was not reached')
  return [
    {
      text: `${acknowledged} replies were received whole; ${differing} differ from the ledger`,
      isRight: acknowledged > 0 && differing === 0,
    },
    { text: `${open} entries are still open`, isRight: open === 0 },
    {
      text: `tokens per day: callers have ${day.seen}, the ledger ${day.ledger} of ${day.limit}${reached(day.refused)}`,
      isRight: Math.max(day.seen, day.ledger) <= day.limit && day.refused > 0,
    },
    {
      text: `requests per minute: ${minute.served} of at most ${minute.max}${reached(minute.refused)}`,
      isRight: minute.served <= minute.max && minute.refused > 0,
    },
    {
      text: `${unexpected.length} requests ended in another way${countsOf(unexpected)}`,
      isRight: unexpected.length === 0,
    },
  ]
}

function countsOf(endings: readonly string[]): string {
  if (endings.length === 0) return ''
  const counts = [...new Set(endings)].map(
    (ending) => `${endings.filter((other) => other === ending).length} × ${ending}`,
  )
  return `: ${counts.join(', ')}`
}
