import type { Sabotage } from '../sabotage.ts'

const leases = 'test/storage/postgres/leases.test.ts'
const short = 'test/faults/replicas/replicas.test.ts'
const long = 'test/faults/replicas/replicas.long.test.ts'
const checkReplicas = 'test/faults/replicas/check-limits.long.test.ts'
const checkAlone = 'test/api/cli/check-limits.long.test.ts'

export const replicas: readonly Sabotage[] = [
  {
    id: 'F34',
    breaks: 'A pool grants what other replicas have leased.',
    file: 'src/storage/postgres/replica-tables.ts',
    find: 'v_left := v_limit - v_state.spent - v_pool.leased;',
    replace: "v_left := (v_item->>'limit')::bigint - v_state.spent;",
    test: { file: leases, title: 'no order of requests, crashes, pauses' },
  },
  {
    id: 'F34',
    breaks: 'A replica spends again what running requests hold.',
    file: 'src/usage/leases/lease.ts',
    find: 'return this.#amount - this.#held - this.#pending',
    replace: 'return this.#amount - this.#pending',
    test: { file: leases, title: 'no order of requests, crashes, pauses' },
  },
  {
    id: 'F34',
    breaks: 'The requests of a dead replica count only for what the ledger knows of them.',
    file: 'src/usage/replicas/close-replica.ts',
    find: '...(isShared ? [chargeOrphans(requestIds)] : []),',
    replace: '',
    test: { file: leases, title: 'what a killed replica may have sent' },
  },
  {
    id: 'F34',
    breaks: 'A replica keeps free tokens that are too few for its next request.',
    file: 'src/usage/leases/lease.ts',
    find: 'const returned = isShort ? Math.max(0, this.free) : this.#surplus()',
    replace: 'const returned = 0',
    test: { file: leases, title: 'the last tokens of a limit' },
  },
  {
    id: 'F34',
    breaks: 'A pool grants what is spent.',
    file: 'src/storage/postgres/replica-tables.ts',
    find: 'p_pool.spent := p_pool.spent + v_recorded;',
    replace: 'p_pool.spent := p_pool.spent;',
    test: { file: short, title: 'a limit holds over two replicas' },
  },
  {
    id: 'F22',
    breaks: 'A reservation does not claim its idempotency key.',
    file: 'src/usage/ledger.ts',
    find: `claim === undefined
          ? await this.#database.write([reserved])`,
    replace: `claim === undefined || requestId !== ''
          ? await this.#database.write([reserved])`,
    test: { file: short, title: 'one Idempotency-Key on two replicas' },
  },
  {
    id: 'F33',
    breaks: 'Changes are followed by notices only.',
    file: 'src/storage/postgres/changes.ts',
    find: 'listener.#timer = setInterval(() => void listener.#check(), checkMs)',
    replace: '',
    test: { file: short, title: 'a key that is revoked is refused by every replica' },
  },
  {
    id: 'F39',
    breaks: 'No replica closes a dead one.',
    file: 'src/usage/replicas/replica.ts',
    find: 'if (nowMs < this.#judgesFromMs) return',
    replace: 'if (nowMs >= 0) return',
    test: { file: long, title: 'the open request of a killed replica' },
  },
  {
    id: 'F31',
    breaks: 'A connection that only reads is kept.',
    file: 'src/storage/postgres/batch-writer.ts',
    find: 'if (isReadOnly(fault)) throw error',
    replace: '',
    test: {
      file: 'test/storage/postgres/outage.test.ts',
      title: 'a connection that becomes read-only',
    },
  },
  {
    id: 'F29',
    breaks: 'A settlement that failed is not repeated.',
    file: 'src/usage/ledger.ts',
    find: 'if (error instanceof ServiceError) this.#retries.add(requestId, unit, isWithdrawal)',
    replace: '',
    test: { file: long, title: 'after kill -9 of PostgreSQL' },
  },
]

/** `pipit check --limits` must notice each of these. */
export const checkLimits: readonly Sabotage[] = [
  {
    id: 'F34',
    breaks: 'Each replica counts the limits alone.',
    file: 'src/main.ts',
    find: 'if (replica === undefined) return await RateLimits.open(database)',
    replace: 'if (replica !== null) return await RateLimits.open(database)',
    test: { file: checkReplicas, title: 'an attack on three replicas passes no limit on tokens' },
  },
  {
    id: 'F34',
    breaks: 'Tokens are charged after the reply instead of before it.',
    file: 'src/usage/limits/rate-limits.ts',
    find: `for (const share of this.#shares) share.take('tokens', tokens, at)
    this.#tokens = tokens`,
    replace: `setTimeout(() => {
      for (const share of this.#shares) share.take('tokens', tokens, at)
    }, 5000)
    this.#tokens = tokens`,
    test: { file: checkAlone, title: 'this service lets no token and no parallel request' },
  },
]
