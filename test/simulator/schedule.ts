import type { Limits } from '../../src/key-limits.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'

/** A client's request, what it does with the reply, and how often it tries again. */
export type RequestEvent = {
  type: 'request'
  atMs: number
  key: number
  stream: boolean
  choices: number
  maxTokens: number
  /** Words of the message. A message that exceeds the context is refused. */
  promptWords: number
  /** Tokens after which the model ends its reply. */
  replyTokens: number
  /** Time from the headers of the request to the end of its body. */
  bodyMs: number
  reader: 'fast' | 'slow' | 'stuck'
  /** Time after which the client closes the connection; undefined if it never does. */
  hangUpMs: number | undefined
  /** Number of the `Idempotency-Key`. Most requests with the same number have the same body. */
  once: number | undefined
  /** Attempts after the first one, each with the same body and `Idempotency-Key`. */
  retries: number
  /** True if the tokens of the reply are long, so that unread ones take memory. */
  isWide: boolean
}

/** Behaviour of the disk for a while; `unconfirmed` commits a batch and then reports an error. */
export type StoreMode = 'slow' | 'stuck' | 'failing' | 'unconfirmed' | 'full'

type FaultEvent =
  | { type: 'store'; atMs: number; mode: StoreMode; forMs: number }
  /** A failed flush: the service must be started again. */
  | { type: 'store-fatal'; atMs: number; downMs: number }
  | { type: 'engine-crash'; atMs: number; restartMs: number }
  /** The engine generates nothing for a while, long enough for deadlines to pass. */
  | { type: 'engine-pause'; atMs: number; forMs: number }
  | { type: 'revoke'; atMs: number; key: number }
  /** Moves the wall clock. */
  | { type: 'clock-jump'; atMs: number; byMs: number }
  | { type: 'kill'; atMs: number; downMs: number }
  /** Kills the service at one of the next commits: before the commit, or between the commit and its acknowledgement. */
  | { type: 'kill-at-commit'; atMs: number; batches: number; committed: boolean; downMs: number }
  /** Stops the service; running replies have `graceMs` to end. */
  | { type: 'stop'; atMs: number; graceMs: number; downMs: number }
  /** Many refused requests: more than the number that get a receipt. */
  | { type: 'refusals'; atMs: number; key: number; count: number }

export type SimulatedEvent = RequestEvent | FaultEvent

export type SimulatedKey = { accountId: string; keyId: string; limits: Limits }

/** Everything that happens to the service. The same schedule always runs the same way. */
export type Schedule = {
  seed: number
  /** Time of the wall clock at the start. */
  wallMs: number
  slots: number
  /** Requests that may wait for a slot. */
  queueMax: number
  /** Time for one token. */
  tokenMs: number
  /** Time for one token of the prompt. */
  prefillMs: number
  /** Time between an abort and the end of its generation. */
  abortMs: number
  /** Time of one commit. */
  commitMs: number
  keys: readonly SimulatedKey[]
  accountLimits: Readonly<Record<string, Limits>>
  events: readonly SimulatedEvent[]
}

export const contextTokens = 200
const arrivalsMs = 60_000

type Draw = ReturnType<typeof drawing>

/** Generates the schedule of a seed. Events are independent: any of them can be left out. */
export function newSchedule(seed: number): Schedule {
  const draw = drawing(seed)
  const accounts = draw.whole(1, 3)
  const keys = Array.from({ length: draw.whole(1, 4) }, (_, index) => ({
    accountId: `acct_${index % accounts}`,
    keyId: `key_${index}`,
    limits: draw.chance(0.5) ? newLimits(draw) : {},
  }))
  const accountLimits = Object.fromEntries(
    keys.map(({ accountId }) => [accountId, draw.chance(0.2) ? newLimits(draw) : {}]),
  )
  const requests = draw.whole(2, draw.chance(0.2) ? 40 : 14)
  const faults = draw.chance(0.15) ? 0 : draw.whole(1, 6)
  const events = [
    ...Array.from({ length: requests }, () => newRequest(draw, keys.length, seed)),
    ...Array.from({ length: faults }, () => newFault(draw, keys.length)),
  ]
  return {
    seed,
    // Half a minute before the end of a month, or in the middle of a day.
    wallMs: draw.chance(0.3) ? Date.UTC(2026, 11, 1) - 30_000 : Date.UTC(2026, 10, 12, 12),
    slots: draw.whole(1, 4),
    queueMax: draw.pick([1, 3, 8, 64]),
    tokenMs: draw.pick([1, 10, 40, 150]),
    prefillMs: draw.pick([0, 1, 20]),
    abortMs: draw.pick([1, 25, 200]),
    commitMs: draw.pick([1, 5, 60]),
    keys,
    accountLimits,
    events: events.toSorted((a, b) => a.atMs - b.atMs),
  }
}

function newLimits(draw: Draw): Limits {
  return {
    ...(draw.chance(0.5) && { parallelRequests: draw.whole(1, 3) }),
    ...(draw.chance(0.3) && { requestsPerMinute: draw.whole(2, 10) }),
    ...(draw.chance(0.3) && { tokensPerMinute: draw.whole(100, 600) }),
    ...(draw.chance(0.4) && { tokensPerDay: draw.whole(100, 1200) }),
    ...(draw.chance(0.2) && { tokensPerMonth: draw.whole(200, 2000) }),
  }
}

function newRequest(draw: Draw, keys: number, seed: number): RequestEvent {
  const once = draw.chance(0.4) ? draw.whole(0, 3) : undefined
  // Requests with the same Idempotency-Key are equal, except for one in ten, which must be refused.
  const of = once === undefined || draw.chance(0.1) ? draw : drawing(seed * 31 + once)
  return {
    type: 'request',
    key: of.whole(0, keys - 1),
    stream: of.chance(0.6),
    choices: of.chance(0.2) ? of.whole(2, 4) : 1,
    maxTokens: of.whole(1, 100),
    promptWords: of.chance(0.05) ? contextTokens : of.whole(1, 40),
    replyTokens: of.chance(0.1) ? 140 : of.whole(1, 60),
    atMs: Math.floor(draw.chance(0.4) ? draw.whole(0, 12) * 5000 : draw.whole(0, arrivalsMs)),
    bodyMs: draw.chance(0.2) ? draw.whole(1, 2000) : 0,
    reader: draw.pick(['fast', 'fast', 'fast', 'slow', 'stuck']),
    hangUpMs: draw.chance(0.2) ? draw.whole(0, draw.chance(0.5) ? 300 : 8000) : undefined,
    once,
    retries: once === undefined ? 0 : draw.whole(0, 3),
    // The service does not keep a very long reply, so a retry may run it again. Wide replies get no `Idempotency-Key`.
    isWide: once === undefined && draw.chance(0.15),
  }
}

function newFault(draw: Draw, keys: number): FaultEvent {
  const atMs = draw.whole(0, arrivalsMs)
  const downMs = draw.whole(10, 5000)
  const kinds: (() => FaultEvent)[] = [
    () => ({
      type: 'store',
      atMs,
      mode: draw.pick(['slow', 'stuck', 'failing', 'unconfirmed', 'full']),
      forMs: draw.whole(10, draw.chance(0.3) ? 40_000 : 3000),
    }),
    () => ({ type: 'store-fatal', atMs, downMs }),
    () => ({ type: 'engine-crash', atMs, restartMs: draw.whole(10, 40_000) }),
    () => ({ type: 'engine-pause', atMs, forMs: draw.pick([500, 20_000, 100_000, 800_000]) }),
    () => ({ type: 'revoke', atMs, key: draw.whole(0, keys - 1) }),
    () => ({ type: 'clock-jump', atMs, byMs: draw.whole(-6, 6) * 3_600_000 + draw.whole(0, 999) }),
    () => ({ type: 'kill', atMs, downMs }),
    () => ({
      type: 'kill-at-commit',
      atMs,
      batches: draw.whole(0, 6),
      committed: draw.chance(0.5),
      downMs,
    }),
    () => ({ type: 'stop', atMs, graceMs: draw.pick([0, 500, 30_000]), downMs }),
    () => ({ type: 'refusals', atMs, key: draw.whole(0, keys - 1), count: draw.whole(20, 60) }),
  ]
  const weights = [5, 1, 3, 1, 1, 2, 3, 3, 2, 0.3]
  return draw.weighted(kinds, weights)()
}

function drawing(seed: number) {
  const next = randomNumbers(Math.imul(seed, 0x9e3779b1))
  // Skips the first number, because it is similar for neighbouring seeds.
  next()
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    chance: (share: number) => next() < share,
    pick: <T>(values: readonly [T, ...T[]]): T => values[whole(0, values.length - 1)] ?? values[0],
    weighted: <T>(values: readonly T[], weights: readonly number[]): T => {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      const index = weights.findIndex((weight) => (left -= weight) < 0)
      const value = values[index] ?? values[0]
      if (value === undefined) throw new Error('there is nothing to choose from')
      return value
    },
  }
}
