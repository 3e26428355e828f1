import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../errors.ts'
import {
  attemptsForgottenMs,
  attemptsOfAccountFree,
  attemptsOfNetworkFree,
  attemptsPerProofBit,
  attemptsSubjectsMax,
  attemptWaitMaxMs,
  codeWaitMaxMs,
  proofBitsMax,
  proofBitsMin,
} from './attempt-limits.ts'
import { networkOf } from '../../addresses.ts'
import type { Devices } from './devices.ts'
import type { Proofs } from './proofs.ts'

/** The header in which a client sends the solution of a challenge. */
const proofHeader = 'pipit-proof'

/** A subject whose attempts are counted: a network, an account or a remembered browser. */
type Subject = {
  key: string
  /**
   * Numbers of failed attempts from which the next one needs a proof of work (`workFrom`), or must wait (`waitFrom`).
   */
  workFrom: number
  waitFrom: number
  waitMaxMs: number
}

type Client = { ip: string; headers: IncomingHttpHeaders }
/** A guessable secret that an attempt tries: its kind, and the e-mail address of its account. */
type Target = { secret: 'password' | 'code'; email: string }
type AttemptsOptions = { now: () => number; devices: Devices; proofs: Proofs }

/**
 * Slows down guessing without locking out the owner of an account. A browser in which the owner has signed in has its
 * own counter. All other clients share one counter per account. After some failures, each of their password attempts
 * needs a proof of work, which the panel's page computes on its own.
 */
export class Attempts {
  readonly #options: AttemptsOptions
  /** Failed attempts by the subject's key, least recent attempt first. */
  readonly #bySubject = new Map<string, { count: number; lastMs: number }>()

  constructor(options: AttemptsOptions) {
    this.#options = options
  }

  /**
   * Counts an attempt before its outcome is known, so that parallel attempts are slowed down too.
   * @param target undefined for a secret too long to be guessed: then only the network's attempts are counted
   * @returns a function to call when the attempt succeeds
   * @throws ServiceError too_many_attempts
   */
  begin(client: Client, target?: Target): () => void {
    const device = target && this.#options.devices.find(client.headers.cookie, target.email)
    const subjects =
      target !== undefined && device !== undefined
        ? [deviceSubject(target, device)]
        : strangerSubjects(client.ip, target)
    this.#refuseToWait(subjects, target)
    this.#demandProof(subjects, client, target)
    for (const { key } of subjects) this.#count(key)
    return () => {
      for (const { key } of subjects) this.#takeBack(key)
      if (target !== undefined && device !== undefined)
        this.#bySubject.delete(deviceSubject(target, device).key)
    }
  }

  /** Takes back an attempt without a target that an earlier request of the client began. */
  takeBackEarlier({ ip }: Client): void {
    for (const { key } of strangerSubjects(ip, undefined)) this.#takeBack(key)
  }

  /** @throws ServiceError too_many_attempts */
  #refuseToWait(subjects: readonly Subject[], target?: Target): void {
    const waitMs = Math.max(...subjects.map((subject) => this.#waitMs(subject)))
    if (waitMs === 0) return
    const instead = target?.secret === 'code' ? ', or sign in again and use a backup code' : ''
    throw new ServiceError(
      'too_many_attempts',
      `Too many failed attempts. Try again in ${Math.ceil(waitMs / 1000)} s${instead}.`,
      { retryAfterMs: waitMs },
    )
  }

  /** @throws ServiceError too_many_attempts, with a challenge */
  #demandProof(subjects: readonly Subject[], { headers }: Client, target?: Target): void {
    const bits = Math.max(...subjects.map((subject) => this.#proofBits(subject)))
    if (bits === 0) return
    const { proofs } = this.#options
    const purpose = target === undefined ? '' : `${target.secret} ${target.email}`
    const proof = headers[proofHeader]
    if (typeof proof === 'string' && proofs.accept(proof, purpose, bits)) return
    throw new ServiceError(
      'too_many_attempts',
      'Too many failed attempts. Reload the page and try again.',
      { challenge: proofs.challenge(bits, purpose) },
    )
  }

  /** Uncounts this attempt only: a success must not allow more guesses. */
  #takeBack(key: string): void {
    const tried = this.#bySubject.get(key)
    if (tried !== undefined) this.#bySubject.set(key, { ...tried, count: tried.count - 1 })
  }

  #waitMs({ key, waitFrom, waitMaxMs }: Subject): number {
    const tried = this.#bySubject.get(key)
    if (tried === undefined || tried.count < waitFrom) return 0
    const restMs = Math.min(waitMaxMs, 1000 * 2 ** Math.min(tried.count - waitFrom, 20))
    return Math.max(0, tried.lastMs + restMs - this.#options.now())
  }

  #proofBits({ key, workFrom }: Subject): number {
    const tried = this.#bySubject.get(key)
    if (tried === undefined || tried.count < workFrom || this.#isForgotten(tried)) return 0
    const steps = Math.floor((tried.count - workFrom) / attemptsPerProofBit)
    return Math.min(proofBitsMax, proofBitsMin + steps)
  }

  #isForgotten({ lastMs }: { lastMs: number }): boolean {
    return this.#options.now() - lastMs > attemptsForgottenMs
  }

  #count(key: string): void {
    const before = this.#bySubject.get(key)
    const isOld = before === undefined || this.#isForgotten(before)
    this.#bySubject.delete(key)
    const lastMs = this.#options.now()
    this.#bySubject.set(key, { count: isOld ? 1 : before.count + 1, lastMs })
    if (this.#bySubject.size <= attemptsSubjectsMax) return
    for (const leastRecent of this.#bySubject.keys()) {
      this.#bySubject.delete(leastRecent)
      break
    }
  }
}

function deviceSubject({ secret }: Target, device: string): Subject {
  return {
    key: `${secret} device ${device}`,
    workFrom: Infinity,
    waitFrom: attemptsOfAccountFree,
    waitMaxMs: waitMaxMsOf(secret),
  }
}

/**
 * Returns the counters for an unknown browser. A proof of work is enough to protect passwords. A code has only six
 * digits, so attempts at it must wait; meanwhile the owner can sign in with a backup code, a passkey or a remembered
 * browser.
 */
function strangerSubjects(ip: string, target: Target | undefined): Subject[] {
  const network = {
    key: `network ${networkOf(ip)}`,
    workFrom: attemptsOfNetworkFree,
    // A wait would refuse everyone at this network for as long as one client there goes on guessing.
    waitFrom: Infinity,
    waitMaxMs: 0,
  }
  if (target === undefined) return [network]
  const isCode = target.secret === 'code'
  const account = {
    key: `${target.secret} account ${target.email}`,
    workFrom: isCode ? Infinity : attemptsOfAccountFree,
    waitFrom: isCode ? attemptsOfAccountFree : Infinity,
    waitMaxMs: waitMaxMsOf(target.secret),
  }
  return [network, account]
}

function waitMaxMsOf(secret: Target['secret']): number {
  return secret === 'code' ? codeWaitMaxMs : attemptWaitMaxMs
}
