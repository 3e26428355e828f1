import { isIPv6 } from 'node:net'
import { ServiceError } from '../errors.ts'
import {
  attemptsForgottenMs,
  attemptsOfAccountFree,
  attemptsOfNetworkFree,
  attemptsSubjectsMax,
  attemptWaitMaxMs,
} from '../limits.ts'

type Subject = { key: string; free: number }

/**
 * Slows down guessing of passwords and codes: after a few failed attempts, each further one must wait twice as long,
 * at most a minute.
 */
export class Attempts {
  readonly #now: () => number
  /** By network or account, least recent attempt first. */
  readonly #bySubject = new Map<string, { count: number; lastMs: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts an attempt before its outcome is known, so that parallel attempts are slowed down too.
   * @param account the account that the attempt is for, if it is known
   * @returns a function to call when the attempt succeeds
   * @throws ServiceError too_many_attempts
   */
  begin(address: string, account: string | undefined): () => void {
    const subjects: Subject[] = [{ key: networkOf(address), free: attemptsOfNetworkFree }]
    if (account !== undefined) subjects.push({ key: account, free: attemptsOfAccountFree })
    const waitMs = Math.max(...subjects.map((subject) => this.#waitMs(subject)))
    if (waitMs > 0)
      throw new ServiceError(
        'too_many_attempts',
        `Too many failed attempts. Try again in ${Math.ceil(waitMs / 1000)} s.`,
        { retryAfterMs: waitMs },
      )
    for (const { key } of subjects) this.#count(key)
    return () => {
      this.#giveBack(subjects)
      if (account !== undefined) this.#bySubject.delete(account)
    }
  }

  /** Takes back this attempt only: signing in to one account must not allow more guesses at others. */
  #giveBack(subjects: readonly Subject[]): void {
    for (const { key } of subjects) {
      const tried = this.#bySubject.get(key)
      if (tried !== undefined) this.#bySubject.set(key, { ...tried, count: tried.count - 1 })
    }
  }

  #waitMs({ key, free }: Subject): number {
    const tried = this.#bySubject.get(key)
    if (tried === undefined || tried.count < free) return 0
    const restMs = Math.min(attemptWaitMaxMs, 1000 * 2 ** Math.min(tried.count - free, 20))
    return Math.max(0, tried.lastMs + restMs - this.#now())
  }

  #count(key: string): void {
    const nowMs = this.#now()
    const before = this.#bySubject.get(key)
    const isOld = before === undefined || nowMs - before.lastMs > attemptsForgottenMs
    this.#bySubject.delete(key)
    this.#bySubject.set(key, { count: isOld ? 1 : before.count + 1, lastMs: nowMs })
    if (this.#bySubject.size <= attemptsSubjectsMax) return
    for (const leastRecent of this.#bySubject.keys()) {
      this.#bySubject.delete(leastRecent)
      break
    }
  }
}

/** Returns the IPv4 address, or the /64 network of an IPv6 address, which belongs to one customer. */
function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined || !isIPv6(bare)) return mapped ?? bare
  const [head = '', tail] = bare.split('::', 2)
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const groups = tail === undefined ? front : [...front, ...zeros, ...back]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
