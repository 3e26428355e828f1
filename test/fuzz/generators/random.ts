import { randomNumbers } from '../../support/random/random-numbers.ts'

/** Draws from one seed; the same seed gives the same draws. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomNumbers(seed)
  }

  /** Returns a whole number from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1))
  }

  /** Returns a whole number up to `max`, mostly a small one: every order of magnitude is equally likely. */
  magnitude(max: number): number {
    return Math.floor(Math.exp(this.#next() * Math.log(max + 1)))
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.integer(0, values.length - 1)]
    if (value === undefined && values.length === 0) throw new Error('nothing to pick from')
    return value as T
  }

  /** Calls one of the functions. */
  oneOf<T>(...choices: readonly (() => T)[]): T {
    return this.pick(choices)()
  }

  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(index))
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.list(length, () => this.integer(0, 255)))
  }
}
