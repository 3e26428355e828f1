import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import { type Actor, recordAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import { ofCompiled, queries, toStatement } from '../../storage/statement.ts'
import { microsText, parseMicros } from '../money.ts'
import { type Price, PriceList } from './price-list.ts'

/** Maximum number of prices. Each applies from a UTC day on. */
export const pricesMax = 100
/** A price per million tokens is less than 10 to the power of this. */
const priceDigits = 6

/** Prices as an admin enters them. */
export type WantedPrice = {
  /** First UTC day on which the prices apply, such as `2026-11-23`. It may be in the past. */
  from: string
  currency: string
  prompt: string
  /** Price of prompt tokens found in the KV cache. Default: `prompt`. */
  cached?: string | undefined
  completion: string
}

/** Prices per million tokens, from which the cost of usage follows. There are none at first. */
export class Prices {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Returns all prices, the earliest first.
   * @throws ServiceError ledger_unavailable
   */
  async list(): Promise<Price[]> {
    const rows = await this.#database.readAside(
      queries.selectFrom('prices').selectAll().orderBy('from_ms').limit(pricesMax),
    )
    return rows.map((row) => ({
      fromMs: row.from_ms,
      currency: row.currency,
      promptMicros: row.prompt_micros,
      cachedMicros: row.cached_micros,
      completionMicros: row.completion_micros,
    }))
  }

  /** @throws ServiceError ledger_unavailable */
  async read(): Promise<PriceList> {
    return new PriceList(await this.list())
  }

  /**
   * Sets the prices from a day on, until the next day that has prices of its own. Replaces prices of the same day.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async set(wanted: WantedPrice, by: Actor, nowMs: number): Promise<void> {
    const price = parsePrice(wanted)
    const all = await this.list()
    const before = all.find(({ fromMs }) => fromMs === price.fromMs)
    const entry = {
      by,
      action: 'prices.set',
      accountId: null,
      target: { id: 'prices', name: dayText(price.fromMs) },
      ...(before !== undefined && { before: toFacts(before) }),
      after: toFacts(price),
    } as const
    const guard = ofCompiled(insertPrice(price).compile(queries))
    const steps = recordAudit(entry, nowMs)
    if ((await this.#database.writeGuarded({ guard, steps, additions: [] })) === 1) return
    // Read again, because another service may have set prices since.
    const others = (await this.list()).filter(({ fromMs }) => fromMs !== price.fromMs)
    const [other] = others
    throw other !== undefined && other.currency !== price.currency
      ? invalid(
          'currency',
          `The other prices are in ${other.currency}. Use the same currency, or remove them first.`,
        )
      : invalid('from', `There are ${pricesMax} prices, which is the maximum. Remove one first.`)
  }

  /**
   * Removes the prices of a day. The earlier prices then apply.
   * @throws ServiceError invalid_value, not_found, ledger_unavailable
   */
  async remove(from: string, by: Actor, nowMs: number): Promise<void> {
    const fromMs = parseDay(from)
    const before = (await this.list()).find((price) => price.fromMs === fromMs)
    const entry = {
      by,
      action: 'prices.remove',
      accountId: null,
      target: { id: 'prices', name: dayText(fromMs) },
      ...(before !== undefined && { before: toFacts(before) }),
    } as const
    const guard = toStatement(queries.deleteFrom('prices').where('from_ms', '=', fromMs))
    const steps = recordAudit(entry, nowMs)
    if ((await this.#database.writeGuarded({ guard, steps, additions: [] })) === 0)
      throw new ServiceError('not_found', 'No prices begin on this day.', { param: 'from' })
  }
}

/** Returns the UTC day of a time, such as `2026-11-23`. */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/**
 * Returns an insert that changes no row if there are too many prices, or if the others have another currency. Costs in
 * two currencies could not be added. On PostgreSQL, a trigger checks the currency against other services, too.
 */
function insertPrice(price: Price) {
  const { fromMs, currency, promptMicros, cachedMicros, completionMicros } = price
  return sql`
    insert into prices (from_ms, currency, prompt_micros, cached_micros, completion_micros)
    select ${fromMs}, ${currency}, ${promptMicros}, ${cachedMicros}, ${completionMicros}
    where not exists (select 1 from prices where from_ms <> ${fromMs} and currency <> ${currency})
      and (select count(*) from prices where from_ms <> ${fromMs}) < ${pricesMax}
    on conflict (from_ms) do update set currency = excluded.currency, prompt_micros = excluded.prompt_micros,
      cached_micros = excluded.cached_micros, completion_micros = excluded.completion_micros`
}

function parsePrice({ from, currency, prompt, cached, completion }: WantedPrice): Price {
  if (!/^[A-Z]{3}$/.test(currency))
    throw invalid('currency', 'Enter a currency code of three capital letters, such as EUR.')
  const promptMicros = parseMicros(prompt, 'prompt', priceDigits)
  return {
    fromMs: parseDay(from),
    currency,
    promptMicros,
    cachedMicros: cached === undefined ? promptMicros : parseMicros(cached, 'cached', priceDigits),
    completionMicros: parseMicros(completion, 'completion', priceDigits),
  }
}

function parseDay(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Date.parse reads the 31st of February as the 3rd of March.
  if (Number.isNaN(ms) || ms < 0 || dayText(ms) !== text)
    throw invalid('from', 'Enter a day such as 2026-11-23.')
  return ms
}

/** Returns a price as an admin enters it. */
export function priceTexts(price: Price): Record<keyof WantedPrice, string> {
  return { from: dayText(price.fromMs), ...toFacts(price) }
}

function toFacts({ currency, promptMicros, cachedMicros, completionMicros }: Price) {
  return {
    currency,
    prompt: microsText(promptMicros),
    cached: microsText(cachedMicros),
    completion: microsText(completionMicros),
  }
}

function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param })
}
