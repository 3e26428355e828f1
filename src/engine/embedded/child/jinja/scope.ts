import type { Value } from './values/values.ts'

/** The variables that a part of a template can read; it sets only its own. */
export class Scope {
  readonly #own = new Map<string, Value>()
  readonly #outer: Scope | undefined

  constructor(outer?: Scope) {
    this.#outer = outer
  }

  get(name: string): Value {
    return this.#own.has(name) ? this.#own.get(name) : this.#outer?.get(name)
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value)
  }
}
