import { strict as assert } from 'node:assert'
import type { Caller } from '../../accounts/caller.ts'

/** API key and account that hold a part of a shared budget. Their names serve only to look up weights. */
export type Holder = Pick<Caller, 'accountId' | 'keyId'> &
  Partial<Pick<Caller, 'name' | 'accountName'>>

export type BudgetLevel = 'service' | 'account' | 'API key'

/** Maximum amounts that the whole service, one account and one API key may hold. */
type BudgetMaximums = Readonly<Record<BudgetLevel, number>>

/** Counts how much of a budget each caller holds, so that no key or account can take all of it. */
export class SharedBudget {
  readonly maximums: BudgetMaximums
  #held = 0
  readonly #heldOfAccount = new Map<string, number>()
  readonly #heldOfKey = new Map<string, number>()

  constructor(maximums: BudgetMaximums) {
    this.maximums = maximums
  }

  get held(): number {
    return this.#held
  }

  /**
   * Takes `amount`, or nothing if a maximum would be exceeded.
   * @returns the level that has no room left; undefined when the amount was taken
   */
  take(holder: Holder, amount: number): BudgetLevel | undefined {
    const { maximums } = this
    const { accountId } = holder
    const key = keyOf(holder)
    const ofAccount = (this.#heldOfAccount.get(accountId) ?? 0) + amount
    const ofKey = (this.#heldOfKey.get(key) ?? 0) + amount
    if (this.#held + amount > maximums.service) return 'service'
    if (ofAccount > maximums.account) return 'account'
    if (ofKey > maximums['API key']) return 'API key'
    this.#held += amount
    this.#heldOfKey.set(key, ofKey)
    this.#heldOfAccount.set(accountId, ofAccount)
    return undefined
  }

  giveBack(holder: Holder, amount: number): void {
    if (amount === 0) return
    this.#held -= amount
    assert(this.#held >= 0, 'more was given back than taken')
    lower(this.#heldOfKey, keyOf(holder), amount)
    lower(this.#heldOfAccount, holder.accountId, amount)
  }
}

/** Includes the account, because the playground has the same key id in every account. */
function keyOf({ accountId, keyId }: Holder): string {
  return `${accountId} ${keyId}`
}

function lower(held: Map<string, number>, id: string, amount: number): void {
  const left = (held.get(id) ?? 0) - amount
  if (left > 0) held.set(id, left)
  else held.delete(id)
}
