/** Prices that apply from the start of a UTC day, in millionths of the currency per million tokens. */
export type Price = {
  fromMs: number
  /** ISO 4217 code. */
  currency: string
  promptMicros: number
  cachedMicros: number
  completionMicros: number
}

/** Token counts to price. The cached tokens are part of the prompt tokens. */
export type PricedTokens = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

/** All prices. Tokens cost the price that was valid on their UTC day; tokens before the first price cost nothing. */
export class PriceList {
  readonly #prices: readonly Price[]

  /** @param prices in ascending order of their days */
  constructor(prices: readonly Price[]) {
    this.#prices = prices
  }

  /** The currency of all prices; undefined if there are none. */
  get currency(): string | undefined {
    return this.#prices[0]?.currency
  }

  /** Returns the days after `fromMs` and before `toMs` on which the prices change, ascending. */
  changesBetween(fromMs: number, toMs: number): number[] {
    return this.#prices.map((price) => price.fromMs).filter((ms) => ms > fromMs && ms < toMs)
  }

  /**
   * Returns the cost of tokens at one time, in 10^-12 of the currency; undefined if no price was valid at that time.
   */
  cost(atMs: number, tokens: PricedTokens): bigint | undefined {
    const price = this.#prices.findLast(({ fromMs }) => fromMs <= atMs)
    if (price === undefined) return undefined
    const { promptTokens, cachedTokens, completionTokens } = tokens
    return (
      BigInt(promptTokens - cachedTokens) * BigInt(price.promptMicros) +
      BigInt(cachedTokens) * BigInt(price.cachedMicros) +
      BigInt(completionTokens) * BigInt(price.completionMicros)
    )
  }
}

/** Adds up costs. Returns undefined if all of them are undefined. */
export function addCosts(costs: readonly (bigint | undefined)[]): bigint | undefined {
  const known = costs.filter((cost) => cost !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0n)
}
