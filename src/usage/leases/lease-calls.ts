import type { Row } from '../../storage/unit.ts'
import type { Lease, LeaseItem } from './lease.ts'

/** Maximum number of leases in one statement. */
const itemsMax = 500

type Asked = { lease: Lease; item: LeaseItem }

type CallOptions = {
  /** Renews leases in the database; returns one row of `item`, `amount`, `remaining`, `elsewhere` per lease. */
  send: (items: string) => Promise<readonly Row[]>
  leases: () => Iterable<Lease>
  /** Drops an idle lease. */
  forget: (lease: Lease) => void
  steadyMs: () => number
}

/** Idle leases are given up after this time. */
const idleMs = 60_000
/** Minimum time between two calls that no request waits for. */
const pauseMs = 50

/** Renews leases with one call at a time. Requests that come during a call share the next one. */
export class LeaseCalls {
  readonly #options: CallOptions
  #running: Promise<void> | undefined
  #next: PromiseWithResolvers<void> | undefined
  #calledMs = -Infinity

  constructor(options: CallOptions) {
    this.#options = options
  }

  /**
   * Makes sure that a call starts after this request, and resolves when that call has ended.
   * @throws ServiceError ledger_unavailable
   */
  request(): Promise<void> {
    this.#next ??= Promise.withResolvers<void>()
    const { promise } = this.#next
    this.#running ??= this.#run()
    return promise
  }

  /** Renews without waiting, unless a call started within the last `pauseMs`. Failures are ignored. */
  requestSoon(): void {
    if (this.#options.steadyMs() - this.#calledMs < pauseMs) return
    this.request().catch(() => {})
  }

  /** Resolves when no call is in flight. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      // Other requests of this turn of the event loop join the call, and those of the last call take what it has leased.
      // Otherwise this call would return that.
      await new Promise((resolve) => setImmediate(resolve))
      const next = this.#next
      this.#next = undefined
      try {
        await this.#call()
        next.resolve()
      } catch (error) {
        next.promise.catch(() => {})
        next.reject(error)
      }
    }
    this.#running = undefined
  }

  /** Renews all leases that are due. Leases that begin meanwhile are left to the next call. */
  async #call(): Promise<void> {
    this.#calledMs = this.#options.steadyMs()
    const left = new Set(this.#options.leases())
    for (;;) {
      const asked = this.#askFor(left)
      if (asked.length === 0) return
      await this.#renew(asked)
    }
  }

  /** Builds the items of the next statement, and removes their leases from `left`. */
  #askFor(left: Set<Lease>): Asked[] {
    const nowMs = this.#options.steadyMs()
    const asked: Asked[] = []
    for (const lease of this.#options.leases()) {
      if (asked.length >= itemsMax) break
      if (!left.delete(lease)) continue
      const forget = lease.isIdle(nowMs, idleMs)
      if (forget || lease.isDue) asked.push({ lease, item: lease.nextItem(forget) })
      if (forget) this.#options.forget(lease)
    }
    return asked
  }

  async #renew(asked: readonly Asked[]): Promise<void> {
    const rows = await this.#options.send(JSON.stringify(asked.map(toWire)))
    for (const { item: index, amount, remaining, elsewhere } of rows) {
      const answered = asked[Number(index)]
      if (answered === undefined) continue
      const { lease, item } = answered
      const grant = {
        granted: Number(amount),
        remaining: Number(remaining),
        elsewhere: Number(elsewhere),
      }
      lease.grant(grant, item, this.#options.steadyMs())
    }
  }
}

function toWire({ lease, item }: Asked, index: number) {
  const { subjectId, accountId, kind, beginMs } = lease.pool
  return {
    item: index,
    subject: subjectId,
    account: accountId,
    name: kind.name,
    window: kind.window,
    counts: kind.counts,
    begin: beginMs,
    limit: lease.limit,
    ...item,
  }
}
