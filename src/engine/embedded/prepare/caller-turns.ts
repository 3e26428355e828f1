import type { PendingPrepare } from './pending-prepare.ts'

/**
 * Conversations that wait, in the order in which they are sent: the accounts that wait take turns, and so do the API keys
 * of an account. The conversations of one key stay in their order of arrival.
 */
export class CallerTurns {
  readonly #accounts = new Rotation<Rotation<Map<number, PendingPrepare>>>()

  add(prepare: PendingPrepare): void {
    const { accountId, keyId } = prepare.caller
    const keys = this.#accounts.getOrAdd(accountId, () => new Rotation())
    keys.getOrAdd(keyId, () => new Map()).set(prepare.id, prepare)
  }

  /** Returns the conversation whose turn it is. It stays until it is taken or removed. */
  next(): PendingPrepare | undefined {
    const [prepare] = this.#accounts.next()?.next()?.values() ?? []
    return prepare
  }

  /** Removes a conversation because it has had its turn. */
  take(prepare: PendingPrepare): void {
    const { accountId, keyId } = prepare.caller
    this.#accounts.get(accountId)?.noteTurn(keyId)
    this.#accounts.noteTurn(accountId)
    this.remove(prepare)
  }

  /** Removes a conversation, if it waits, without a turn. */
  remove({ id, caller }: PendingPrepare): void {
    const keys = this.#accounts.get(caller.accountId)
    const waiting = keys?.get(caller.keyId)
    if (keys === undefined || waiting?.delete(id) !== true) return
    if (waiting.size === 0) keys.delete(caller.keyId)
    if (keys.size === 0) this.#accounts.delete(caller.accountId)
  }

  clear(): void {
    this.#accounts.clear()
  }
}

/** Members that take turns. A new one goes behind all others, and so does the one that has had a turn. */
class Rotation<Member> extends Map<string, Member> {
  /** Goes to the end only when the next turn begins, and so behind the members that have come meanwhile. */
  #served: string | undefined

  getOrAdd(id: string, create: () => Member): Member {
    const known = this.get(id)
    if (known !== undefined) return known
    const member = create()
    this.set(id, member)
    return member
  }

  noteTurn(id: string): void {
    this.#served = id
  }

  /** Returns the member whose turn it is. */
  next(): Member | undefined {
    const served = this.#served === undefined ? undefined : this.get(this.#served)
    if (this.#served !== undefined && served !== undefined) {
      this.delete(this.#served)
      this.set(this.#served, served)
    }
    this.#served = undefined
    const [member] = this.values()
    return member
  }
}
