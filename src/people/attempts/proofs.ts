import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { proofBitsSlack, proofLifetimeMs, proofPuzzles, proofsUsedMax } from './attempt-limits.ts'

/**
 * Issues puzzles that cost computing time, so that attempts from unknown browsers get slower without being refused. The
 * panel solves them in `panel/src/proof-of-work.ts`.
 */
export class Proofs {
  readonly #now: () => number
  readonly #key: Buffer
  /** Challenges solved for this service, earliest first, which may not be used again. */
  readonly #used = new Set<string>()

  /**
   * Services that share a secret accept each other's challenges, because a load balancer may send the challenge and its
   * solution to different ones. So `now` is the wall clock, which they share.
   */
  constructor({ secret, now }: { secret: string; now: () => number }) {
    this.#now = now
    this.#key = createHmac('sha256', secret).update('pipit proofs').digest()
  }

  /** Returns a challenge for one attempt. It is not stored. */
  challenge(bits: number, purpose: string): string {
    const facts = `${bits}.${this.#now() + proofLifetimeMs}.${randomBytes(12).toString('hex')}`
    return `${facts}.${this.#sign(facts, purpose)}`
  }

  /**
   * Returns true if the challenge was issued for this purpose, is solved and has not expired. It may be up to
   * `proofBitsSlack` bits easier than wanted. Each challenge is accepted only once.
   */
  accept(proof: string, purpose: string, bitsWanted: number): boolean {
    const [bits = '', expiresMs = '', nonce = '', signature = '', solutions = ''] = proof.split('.')
    const facts = `${bits}.${expiresMs}.${nonce}`
    const challenge = `${facts}.${signature}`
    if (!equal(signature, this.#sign(facts, purpose)) || this.#used.has(challenge)) return false
    if (Number(expiresMs) < this.#now() || Number(bits) < bitsWanted - proofBitsSlack) return false
    if (!isSolved(challenge, Number(bits), solutions)) return false
    this.#use(challenge)
    return true
  }

  #use(challenge: string): void {
    this.#used.add(challenge)
    if (this.#used.size <= proofsUsedMax) return
    for (const earliest of this.#used) {
      this.#used.delete(earliest)
      break
    }
  }

  #sign(facts: string, purpose: string): string {
    return createHmac('sha256', this.#key).update(`${facts}.${purpose}`).digest('base64url')
  }
}

/**
 * Checks the solution of each puzzle, which is a number. The digest of the challenge, the index of the puzzle and this
 * number are hashed together; their SHA-256 must begin with `bits` zero bits.
 */
function isSolved(challenge: string, bits: number, solutions: string): boolean {
  const numbers = solutions.split('-')
  if (numbers.length !== proofPuzzles || !numbers.every((text) => /^\d{1,10}$/.test(text)))
    return false
  const digest = createHash('sha256').update(challenge).digest()
  return numbers.every((number, place) => {
    const message = Buffer.alloc(40)
    digest.copy(message)
    message.writeUInt32BE(place, 32)
    message.writeUInt32BE(Number(number) >>> 0, 36)
    return Math.clz32(createHash('sha256').update(message).digest().readUInt32BE()) >= bits
  })
}

function equal(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
