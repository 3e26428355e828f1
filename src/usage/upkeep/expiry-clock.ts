import { clockJumpMs } from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import { queries, template } from '../../storage/statement.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { dayMs } from '../../time/durations.ts'

type ExpiryClockOptions = {
  logger: Logger
  /** The wall clock, which may be set wrong and corrected. */
  now?: () => number
  /** A clock that never jumps. */
  steadyMs?: () => number
}

/**
 * Clock by which receipts and stored replies expire. It follows the wall clock, but runs at most twice as fast as real
 * time. So a wall clock that jumps ahead never deletes many days at once, and after a long downtime the deletion
 * catches up slowly. The time is saved across restarts. A start moves it ahead by at most `clockJumpMs`.
 */
export class ExpiryClock {
  readonly #database: Database
  readonly #logger: Logger
  readonly #now: () => number
  readonly #steadyMs: () => number
  #ms: number
  #readMs: number
  #isBehind = false

  private constructor(database: Database, options: Required<ExpiryClockOptions>, ms: number) {
    this.#database = database
    this.#logger = options.logger
    this.#now = options.now
    this.#steadyMs = options.steadyMs
    this.#ms = ms
    this.#readMs = options.steadyMs()
  }

  /** @throws ServiceError ledger_unavailable */
  static async open(database: Database, options: ExpiryClockOptions): Promise<ExpiryClock> {
    const { now = Date.now, steadyMs = () => performance.now(), logger } = options
    const nowMs = now()
    const knownMs = (await readLastKnown(database)) ?? nowMs
    const ms = nowMs - knownMs > clockJumpMs ? knownMs : Math.max(nowMs, knownMs)
    const clock = new ExpiryClock(database, { logger, now, steadyMs }, ms)
    await clock.save()
    return clock
  }

  /** Returns the time in whole milliseconds. It is never later than the wall clock. */
  nowMs(): number {
    const wallMs = this.#now()
    const steadyMs = this.#steadyMs()
    const elapsedMs = steadyMs - this.#readMs
    this.#readMs = steadyMs
    this.#ms = Math.max(this.#ms, Math.min(wallMs, this.#ms + 2 * elapsedMs))
    this.#report(wallMs - this.#ms)
    return Math.floor(Math.min(wallMs, this.#ms))
  }

  /** @throws ServiceError ledger_unavailable */
  async save(): Promise<void> {
    this.nowMs()
    await this.#database.write([keepTime({ atMs: Math.floor(this.#ms) })])
  }

  #report(behindMs: number): void {
    const isBehind = behindMs > clockJumpMs
    if (isBehind && !this.#isBehind)
      this.#logger.warn(
        `the clock is ahead of the last run by ${Math.round(behindMs / dayMs)} days: check it. ` +
          'Until it is caught up, receipts are deleted slowly',
      )
    this.#isBehind = isBehind
  }
}

/** Returns the saved time, or the time of the newest entry if none was saved yet. */
async function readLastKnown(database: Database): Promise<number | undefined> {
  const [saved] = await database.read(
    queries.selectFrom('service_times').select('at_ms').where('name', '=', 'expiry'),
  )
  if (saved !== undefined) return saved.at_ms
  const [newest] = await database.read(
    queries.selectFrom('usage').select('created_ms').orderBy('created_ms', 'desc').limit(1),
  )
  return newest?.created_ms
}

const keepTime = template<{ atMs: number }>((value) =>
  queries
    .insertInto('service_times')
    .values({ name: 'expiry', at_ms: value('atMs') })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at_ms: value('atMs') })),
)
