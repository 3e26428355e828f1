import { type Unit, withTexts } from '../unit.ts'

const knownMax = 500

/**
 * Shortens the SQL texts of units on their way to another thread: a text is sent once and its number after that. The
 * texts are longer than the values, and the other thread would copy and hash them for each request.
 */
export class SentTexts {
  readonly #numbers = new Map<string, string>()

  shorten(unit: Unit): Unit {
    return withTexts(unit, (sql) => {
      const known = this.#numbers.get(sql)
      if (known === undefined && this.#numbers.size < knownMax)
        this.#numbers.set(sql, String(this.#numbers.size))
      return known ?? sql
    })
  }
}

/** Restores the texts of units that arrive in the order in which they were shortened. */
export class ReceivedTexts {
  readonly #texts = new Map<string, string>()

  restore(unit: Unit): Unit {
    return withTexts(unit, (sql) => {
      const known = this.#texts.get(sql)
      if (known === undefined && this.#texts.size < knownMax)
        this.#texts.set(String(this.#texts.size), sql)
      return known ?? sql
    })
  }
}
