import { ServiceError } from '../../errors.ts'
import { type Actor, recordAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import { queries, toStatement } from '../../storage/statement.ts'
import { microsText, parseMicros } from '../money.ts'
import type { Prices } from '../prices/prices.ts'

/** Maximum number of accounts with a budget. */
const budgetsMax = 1000
/** Maximum number of percentages at which one budget raises an alert. */
const thresholdsMax = 10
const thresholdMax = 200
const tokensMax = 1_000_000_000_000
/** A money budget is less than 10 to the power of this. */
const moneyDigits = 9

/** The amount that an account is expected to use in a UTC month. Its thresholds raise alerts. */
export type Budget = {
  accountId: string
  accountName: string
  kind: 'tokens' | 'money'
  /** Tokens, or millionths of the currency. */
  amount: number
  /** ISO 4217 code; undefined for tokens. */
  currency: string | undefined
  /** Percentages, ascending. */
  thresholds: readonly number[]
  setMs: number
}

/** A budget as an admin enters it. A money budget uses the currency of the prices. */
type WantedBudget = {
  accountId: string
  kind: 'tokens' | 'money'
  amount: string
  thresholds: readonly number[]
}

/** Budgets raise alerts. They never refuse a request: the limits of keys and accounts do that. */
export class Budgets {
  readonly #database: Database
  readonly #prices: Prices

  constructor(database: Database, prices: Prices) {
    this.#database = database
    this.#prices = prices
  }

  /**
   * Returns all budgets, sorted by the names of their accounts.
   * @throws ServiceError ledger_unavailable
   */
  async list(): Promise<Budget[]> {
    // Each service runs this short query every minute, so it does not start the thread for long reads.
    const rows = await this.#database.read(
      queries
        .selectFrom('budgets')
        .innerJoin('accounts', 'accounts.id', 'budgets.account_id')
        .selectAll('budgets')
        .select('accounts.name')
        .orderBy('accounts.name')
        .orderBy('accounts.id')
        .limit(budgetsMax),
    )
    return rows.map((row) => ({
      accountId: row.account_id,
      accountName: row.name,
      kind: row.kind,
      amount: row.amount,
      currency: row.currency ?? undefined,
      thresholds: row.thresholds.split(' ').map(Number),
      setMs: row.set_ms,
    }))
  }

  /**
   * Sets the budget of an account. Thresholds that were already reached this month raise no second alert.
   * @throws ServiceError invalid_value, not_found, ledger_unavailable
   */
  async set(wanted: WantedBudget, by: Actor, nowMs: number): Promise<void> {
    const { accountId, kind } = wanted
    const currency = kind === 'money' ? await this.#currency() : undefined
    const amount = parseAmount(wanted)
    const thresholds = parseThresholds(wanted.thresholds).join(' ')
    const all = await this.list()
    const before = all.find((budget) => budget.accountId === accountId)
    if (before === undefined && all.length >= budgetsMax)
      throw invalid('account_id', `At most ${budgetsMax} accounts can have a budget.`)
    const [account] = await this.#database.read(
      queries.selectFrom('accounts').select('name').where('id', '=', accountId),
    )
    if (account === undefined)
      throw new ServiceError('not_found', 'There is no such account.', { param: 'account_id' })
    const values = { kind, amount, currency: currency ?? null, thresholds, set_ms: nowMs }
    await this.#database.write([
      toStatement(
        queries
          .insertInto('budgets')
          .values({ account_id: accountId, ...values })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values)),
      ),
      ...recordAudit(
        {
          by,
          action: 'budget.set',
          accountId,
          target: { id: accountId, name: account.name },
          ...(before !== undefined && { before: toFacts(before) }),
          after: { budget: amountText({ kind, amount, currency }), thresholds },
        },
        nowMs,
      ),
    ])
  }

  /** @throws ServiceError not_found, ledger_unavailable */
  async remove(accountId: string, by: Actor, nowMs: number): Promise<void> {
    const before = (await this.list()).find((budget) => budget.accountId === accountId)
    const guard = toStatement(queries.deleteFrom('budgets').where('account_id', '=', accountId))
    const steps = recordAudit(
      {
        by,
        action: 'budget.remove',
        accountId,
        target: { id: accountId, name: before?.accountName ?? '' },
        ...(before !== undefined && { before: toFacts(before) }),
      },
      nowMs,
    )
    if ((await this.#database.writeGuarded({ guard, steps, additions: [] })) === 0)
      throw new ServiceError('not_found', 'This account has no budget.', { param: 'account_id' })
  }

  async #currency(): Promise<string> {
    const { currency } = await this.#prices.read()
    if (currency !== undefined) return currency
    throw invalid('kind', 'Set prices first: a budget of money needs the cost of tokens.')
  }
}

/** Returns the amount of a budget as text, such as `1000 tokens` or `20.5 EUR`. */
function amountText({
  kind,
  amount,
  currency,
}: Pick<Budget, 'kind' | 'amount' | 'currency'>): string {
  return kind === 'tokens' ? `${amount} tokens` : `${microsText(amount)} ${currency ?? ''}`
}

function toFacts(budget: Budget) {
  return { budget: amountText(budget), thresholds: budget.thresholds.join(' ') }
}

function parseAmount({ kind, amount: text }: WantedBudget): number {
  if (kind === 'money') {
    const micros = parseMicros(text, 'amount', moneyDigits)
    if (micros > 0) return micros
    throw invalid('amount', 'Enter an amount above 0.')
  }
  const tokens = /^\d{1,13}$/.test(text.trim()) ? Number(text) : 0
  if (tokens >= 1 && tokens <= tokensMax) return tokens
  throw invalid('amount', `Enter a whole number of tokens from 1 to ${tokensMax}.`)
}

function parseThresholds(wanted: readonly number[]): number[] {
  const thresholds = [...new Set(wanted)].toSorted((a, b) => a - b)
  const isWrong = thresholds.some((one) => !Number.isInteger(one) || one < 1 || one > thresholdMax)
  if (!isWrong && thresholds.length >= 1 && thresholds.length <= thresholdsMax) return thresholds
  throw invalid(
    'thresholds',
    `Enter 1 to ${thresholdsMax} whole percentages from 1 to ${thresholdMax}, such as 50, 80, 100.`,
  )
}

function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param })
}
