import { Place } from '../../src/completions/admission/place.ts'
import { SharedBudget } from '../../src/completions/admission/shared-budget.ts'
import { CompletionSettlement } from '../../src/completions/completion-settlement.ts'
import { addUp } from '../../src/storage/additions.ts'
import { Database } from '../../src/storage/database.ts'
import { dayMs } from '../../src/time/durations.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { ConcurrencyCounter } from '../../src/usage/limits/concurrency-counter.ts'
import { PeriodCounter } from '../../src/usage/limits/period-counter.ts'
import { RateLimits } from '../../src/usage/limits/rate-limits.ts'
import { TokenBucket } from '../../src/usage/limits/token-bucket.ts'
import { RetriedWrites } from '../../src/usage/upkeep/retried-writes.ts'

type Undo = () => void

/**
 * Functions that break the service on purpose. Each returns a function that undoes it. The simulator must detect each
 * sabotage.
 */
export const sabotages: Readonly<Record<string, () => Undo>> = {
  'a settlement that is repeated counts again': () =>
    replace(
      Database.prototype,
      'writeGuarded',
      function (this: Database, { guard, steps, additions }, urgency) {
        return this.write([guard, ...steps, ...addUp(additions)], urgency)
      },
    ),
  'a reply is acknowledged before its entry is settled': () =>
    wrap(Ledger.prototype, 'settle', (settle) => async (...given) => {
      settle(...given).catch(() => {})
    }),
  'a stream begins before its entry is reserved': () =>
    wrap(Ledger.prototype, 'reserve', (reserve) => async (entry, claim) => {
      if (claim !== undefined) return await reserve(entry, claim)
      reserve(entry).catch(() => {})
    }),
  'a start leaves the entries of a crash open': () =>
    replace(Ledger.prototype, 'closeOrphans', async () => 0),
  'a settlement that fails is not repeated': () =>
    replace(RetriedWrites.prototype, 'add', () => {}),
  'a reply that fails keeps its idempotency key': () =>
    wrap(
      Ledger.prototype,
      'settle',
      (settle) => (entry, settlement, claimed) =>
        settle(entry, settlement, claimed?.reply === undefined ? undefined : claimed),
    ),
  'a place is released twice': () =>
    wrap(SharedBudget.prototype, 'giveBack', (giveBack) => (holder, amount) => {
      giveBack(holder, amount)
      giveBack(holder, amount)
    }),
  'a request without a body keeps its place': () =>
    replace(Place.prototype, 'leaveUnstarted', () => {}),
  'the unused part of a limit is not given back': () =>
    wrap(RateLimits.prototype, 'enter', (enter) => (caller, arrivedMs) => {
      const hold = enter(caller, arrivedMs)
      const end = hold.end.bind(hold)
      hold.end = () => end(Number.MAX_SAFE_INTEGER)
      return hold
    }),
  'a restart forgets the use of the limits': () =>
    wrap(
      RateLimits,
      'open',
      (open) => (_database, clock) => open({ read: async () => [] } as unknown as Database, clock),
    ),
  'a limit of requests per minute is not checked': () =>
    wrap(
      TokenBucket.prototype,
      'waitMs',
      // A request takes one; each amount of tokens that is taken is larger.
      (waitMs) => (limit, amount, atMs) => (amount === 1 ? 0 : waitMs(limit, amount, atMs)),
    ),
  'a limit of tokens per minute is not checked': () =>
    wrap(
      TokenBucket.prototype,
      'waitMs',
      (waitMs) => (limit, amount, atMs) => (amount === 1 ? waitMs(limit, amount, atMs) : 0),
    ),
  'a limit of parallel requests allows one more': () =>
    wrap(
      ConcurrencyCounter.prototype,
      'waitMs',
      (waitMs) => (limit, amount) => waitMs(limit + 1, amount),
    ),
  'a limit of tokens per month is not checked': () =>
    replace(PeriodCounter.prototype, 'waitMs', function (this: PeriodCounter, limit, amount, atMs) {
      const isMonth = this.resetMs(limit, atMs) > dayMs
      return isMonth || amount <= this.remaining(limit, atMs) ? 0 : Infinity
    }),
  'the limits of an account are not checked': () =>
    wrap(
      RateLimits.prototype,
      'enter',
      (enter) => (caller, arrivedMs) => enter({ ...caller, accountLimits: {} }, arrivedMs),
    ),
  'the tokens of the last moment are not counted': () =>
    wrap(
      CompletionSettlement.prototype,
      'endChoice',
      (endChoice) => (choice, end) =>
        endChoice(choice, { ...end, completionTokens: Math.min(end.completionTokens, 20) }),
    ),
  'a checkpoint counts more than was sampled': () =>
    wrap(
      Ledger.prototype,
      'checkpoint',
      (checkpoint) => (requestId, tokens) => checkpoint(requestId, tokens + 64),
    ),
}

type Methods<Owner> = {
  [
    Name in keyof Owner as Owner[Name] extends (...given: never[]) => unknown ? Name : never
  ]: Owner[Name]
}

function replace<Owner extends object, Name extends keyof Methods<Owner>>(
  owner: Owner,
  name: Name,
  method: Owner[Name],
): Undo {
  const before = owner[name]
  owner[name] = method
  return () => (owner[name] = before)
}

/** Replaces a method by one that may call the original. */
function wrap<Owner extends object, Name extends keyof Methods<Owner>>(
  owner: Owner,
  name: Name,
  newMethod: (before: Owner[Name]) => Owner[Name],
): Undo {
  const before = owner[name]
  // The original is bound when it is called, because all instances share the prototype.
  const method = function (this: Owner, ...given: unknown[]) {
    const bound = (before as (...given: unknown[]) => unknown).bind(this) as Owner[Name]
    return (newMethod(bound) as (...given: unknown[]) => unknown)(...given)
  }
  return replace(owner, name, method as Owner[Name])
}
