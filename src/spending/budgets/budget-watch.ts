import { randomUUID } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import { queries, type Statement, toStatement } from '../../storage/statement.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { dayMs } from '../../time/durations.ts'
import { startOfMonth } from '../../usage/utc-periods.ts'
import { addDelivery, trimDeliveries } from '../alerts/alert-deliveries.ts'
import { budgetCheckMs } from '../alerts/alert-limits.ts'
import type { AlertSettings } from '../alerts/alert-settings.ts'
import type { AlertSender } from '../alerts/alert-sender.ts'
import { microsText, picosText } from '../money.ts'
import type { Prices } from '../prices/prices.ts'
import { type BudgetUse, percentOf, readBudgetUse } from './budget-use.ts'
import type { Budgets } from './budgets.ts'

type WatchOptions = {
  budgets: Budgets
  prices: Prices
  settings: AlertSettings
  sender: AlertSender
  logger: Logger
  now?: () => number
}

/** Time for which reached thresholds are stored. After two months, none of them can be reached again. */
const keptMs = 62 * dayMs

/**
 * Raises one alert for each account, UTC month and threshold, within a minute. The unique row of the threshold is
 * written together with the deliveries, so only one of several services over one database raises the alert.
 */
export class BudgetWatch {
  readonly #database: Database
  readonly #options: Required<WatchOptions>
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined

  constructor(database: Database, options: WatchOptions) {
    this.#database = database
    this.#options = { now: Date.now, ...options }
  }

  /** Checks the budgets now and every minute until `close`. */
  start(): void {
    this.#timer = setInterval(() => this.#checkAndLog(), budgetCheckMs)
    this.#timer.unref()
    this.#checkAndLog()
  }

  /**
   * Checks all budgets and raises the alerts that are due. A second call waits for the running check.
   * @throws ServiceError ledger_unavailable
   */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined))
    return this.#checking
  }

  /**
   * Returns all budgets with their use in this month.
   * @throws ServiceError ledger_unavailable
   */
  async use(): Promise<BudgetUse[]> {
    const { budgets, prices, now } = this.#options
    const [all, priceList] = await Promise.all([budgets.list(), prices.read()])
    return await readBudgetUse(this.#database, all, priceList, startOfMonth(now()))
  }

  /** Resolves once no check runs. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking?.catch(() => {})
  }

  async #check(): Promise<void> {
    const { budgets, prices, now } = this.#options
    const nowMs = now()
    const monthMs = startOfMonth(nowMs)
    const all = await budgets.list()
    if (all.length === 0) return
    const priceList = await prices.read()
    const use = (ms: number, of = all) => readBudgetUse(this.#database, of, priceList, ms)
    for (const one of await use(monthMs)) await this.#raise(one, monthMs, nowMs)
    // The last requests of a month may be settled after its end.
    if (nowMs - monthMs >= dayMs) return
    const before = startOfMonth(monthMs - 1)
    const older = all.filter(({ setMs }) => setMs < monthMs)
    for (const one of await use(before, older)) await this.#raise(one, before, nowMs)
  }

  async #raise(use: BudgetUse, monthMs: number, nowMs: number): Promise<void> {
    const percent = percentOf(use)
    const { accountId, thresholds } = use.budget
    const reached = thresholds.filter((threshold) => threshold <= percent)
    if (reached.length === 0) return
    const raised = await this.#database.read(
      queries
        .selectFrom('budget_alerts')
        .select('threshold')
        .where('account_id', '=', accountId)
        .where('month_ms', '=', monthMs),
    )
    const known = new Set(raised.map(({ threshold }) => threshold))
    for (const threshold of reached)
      if (!known.has(threshold)) await this.#raiseOne(use, { threshold, monthMs, nowMs })
  }

  async #raiseOne(use: BudgetUse, { threshold, monthMs, nowMs }: Reached): Promise<void> {
    const { settings, sender, logger } = this.#options
    const id = `msg_${randomUUID().replaceAll('-', '')}`
    const guard = insertReached(use, { threshold, monthMs, nowMs }, id)
    const body = bodyOf(use, { threshold, monthMs, nowMs })
    const channels = await settings.channels()
    const deliveries = channels.map((channel) => addDelivery({ alertId: id, channel, body }, nowMs))
    const steps = [...deliveries, trimDeliveries(), deleteOld(nowMs - keptMs)]
    if ((await this.#database.writeGuarded({ guard, steps, additions: [] })) === 0) return
    logger.warn('an account has reached a threshold of its budget', {
      accountId: use.budget.accountId,
      percent: threshold,
    })
    sender.wake()
  }

  #checkAndLog(): void {
    this.check().catch((error: unknown) =>
      this.#options.logger.warn('budgets could not be checked', { error }),
    )
  }
}

type Reached = { threshold: number; monthMs: number; nowMs: number }

function insertReached(
  { budget }: BudgetUse,
  { threshold, monthMs, nowMs }: Reached,
  id: string,
): Statement {
  const row = {
    account_id: budget.accountId,
    month_ms: monthMs,
    threshold,
    id,
    raised_ms: nowMs,
  }
  return toStatement(
    queries
      .insertInto('budget_alerts')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'month_ms', 'threshold']).doNothing(),
      ),
  )
}

function deleteOld(beforeMs: number): Statement {
  return toStatement(queries.deleteFrom('budget_alerts').where('month_ms', '<', beforeMs))
}

function bodyOf({ budget, used }: BudgetUse, { threshold, monthMs, nowMs }: Reached): string {
  const { accountId, accountName, kind, amount, currency } = budget
  const isMoney = kind === 'money'
  return JSON.stringify({
    type: 'budget.threshold_reached',
    timestamp: new Date(nowMs).toISOString(),
    data: {
      account_id: accountId,
      account_name: accountName,
      month: new Date(monthMs).toISOString().slice(0, 7),
      threshold_percent: threshold,
      unit: isMoney ? currency : 'tokens',
      budget: isMoney ? microsText(amount) : String(amount),
      used: isMoney ? picosText(used) : String(used),
    },
  })
}
