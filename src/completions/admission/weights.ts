import { wrongSetting } from '../../errors.ts'
import { weightMax, weightMin, weightsMax } from '../../limits.ts'
import type { Holder } from './shared-budget.ts'

/** The weights of PIPIT_WEIGHTS: a member with weight 2 gets twice the tokens of one with weight 1. */
export class Weights {
  readonly #byName: ReadonlyMap<string, number>

  constructor(byName: ReadonlyMap<string, number> = new Map()) {
    this.#byName = byName
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0
  }

  ofAccount({ accountId, accountName }: Holder): number {
    return this.#of(accountId, accountName)
  }

  ofKey({ keyId, name }: Holder): number {
    return this.#of(keyId, name)
  }

  /** Returns the weight of the id, else of the name, else 1. */
  #of(id: string, name: string | undefined): number {
    const ofName = name === undefined ? undefined : this.#byName.get(name)
    return this.#byName.get(id) ?? ofName ?? 1
  }
}

/**
 * Reads PIPIT_WEIGHTS: `NAME=WEIGHT` entries with commas between them. A name is the id or the name of an account or of
 * an API key.
 * @throws StartError
 */
export function parseWeights(text: string | undefined): Weights {
  const entries = (text ?? '').split(',').filter((entry) => entry.trim() !== '')
  if (entries.length > weightsMax)
    throw wrongSetting(`PIPIT_WEIGHTS has ${entries.length} entries; at most ${weightsMax} fit.`)
  const byName = new Map<string, number>()
  for (const entry of entries) {
    const end = entry.lastIndexOf('=')
    const name = entry.slice(0, Math.max(0, end)).trim()
    const number = entry.slice(end + 1).trim()
    const weight = /^\d+(\.\d+)?$/.test(number) ? Number(number) : 0
    if (name === '' || weight < weightMin || weight > weightMax)
      throw wrongSetting(
        `PIPIT_WEIGHTS must be like batch=0.5,key_1a2b=4, with weights from ${weightMin} to ${weightMax}, not ${JSON.stringify(entry.trim())}.`,
      )
    if (byName.has(name))
      throw wrongSetting(`PIPIT_WEIGHTS names ${JSON.stringify(name)} twice. Keep one entry.`)
    byName.set(name, weight)
  }
  return new Weights(byName)
}
