import { fc, testSeed } from '../../support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { useDatabases } from '../../support/databases.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import type { Limits } from '../../../src/key-limits.ts'
import type { Database } from '../../../src/storage/database.ts'
import { queries, type Statement, toStatement } from '../../../src/storage/statement.ts'
import { unavailable } from '../../../src/storage/storage-fault.ts'
import type { Limited } from '../../../src/usage/limits/rate-limiter.ts'
import { LeasedLimits } from '../../../src/usage/leases/leased-limits.ts'
import { closeReplica } from '../../../src/usage/replicas/close-replica.ts'
import { Replica } from '../../../src/usage/replicas/replica.ts'
import { recordFinding } from '../../support/reliability.ts'
import { LeaseWorld, type Step, worldLimits } from '../../support/replicas/lease-world.ts'

const databases = useDatabases()
const runs = Number(process.env['LEASE_RUNS'] ?? 8)

const replica = fc.nat(2)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('begin' as const),
      replica,
      tokens: fc.integer({ min: 1, max: 120 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      replica,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('tick' as const),
      replica,
      isReplyLost: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      ms: fc.integer({ min: 1, max: 2000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('pause' as const),
      replica,
      ms: fc.constantFrom(500, 3000, 9000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('kill' as const), replica }) },
)

test('no order of requests, crashes, pauses and lost replies of three replicas passes a limit (F34)', async () => {
  const database = await databases.open()
  let refused = 0
  let granted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 45 }), async (steps) => {
      const world = await LeaseWorld.open(database, 3)
      for (const one of steps) await world.apply(one)
      await world.settle()
      refused += world.refused
      granted += world.dayTokens
    }),
    { numRuns: runs, endOnFailure: true },
  )
  expect(granted).toBeGreaterThan(0)
  const text = `${runs} schedules of three replicas on a fake clock over a real PostgreSQL, TEST_SEED=${testSeed}`
  recordFinding('F34', `${text}: no limit was passed; ${refused} requests were refused.`)
})

test('the last tokens of a limit can be used from any replica (F34)', async () => {
  const world = await LeaseWorld.open(await databases.open(), 3)
  for (let turn = 0; turn < 60 && world.dayTokens < worldLimits.tokensPerDay; turn++) {
    await world.apply({ type: 'begin', replica: turn % 3, tokens: 25 })
    await world.apply({ type: 'end', replica: turn % 3, share: 1 })
    await world.apply({ type: 'pass', ms: 3000 })
    await world.settle()
  }
  expect(world.dayTokens).toBe(worldLimits.tokensPerDay)
})

test('what a killed replica may have sent counts against its limits in full (F34)', async () => {
  const world = await LeaseWorld.open(await databases.open(), 3)
  for (let count = 0; count < 3; count++)
    await world.apply({ type: 'begin', replica: 0, tokens: 120 })
  await world.apply({ type: 'kill', replica: 0 })
  expect(world.dayTokens).toBe(360)
  for (let second = 0; second < 10; second++) await world.apply({ type: 'pass', ms: 1000 })
  // `apply` fails as soon as more than the limit is used.
  for (let turn = 0; turn < 40; turn++) {
    await world.apply({ type: 'begin', replica: turn, tokens: 25 })
    await world.apply({ type: 'end', replica: turn, share: 1 })
    await world.apply({ type: 'pass', ms: 4000 })
    await world.apply({ type: 'tick', replica: turn, isReplyLost: false })
  }
  expect(world.dayTokens).toBeGreaterThan(0.9 * worldLimits.tokensPerDay)
})

type Options = Partial<ConstructorParameters<typeof LeasedLimits>[1]>

async function openReplica(
  database: Database,
  calls: Pick<Database, 'writeReturning'> = database,
  options: Options = {},
) {
  const settings = { address: 'test', version: '1.2.3', logger: silentLogger }
  const replica = await Replica.register(database, settings)
  return new LeasedLimits(calls, { replica, isOpen: () => false, ...options })
}

/** A database that tells when it is about to renew leases, and when it has renewed them. */
function watched(database: Database, watch: { before?: () => void; after?: () => void }) {
  return {
    writeReturning: async (statement: Statement) => {
      watch.before?.()
      const rows = await database.writeReturning(statement)
      watch.after?.()
      return rows
    },
  }
}

const caller = (limits: Limits, keyId = 'key_1') => ({
  keyId,
  accountId: 'acct_1',
  limits,
  accountLimits: {},
})

test('a request of a key with several limits leases all of them, and returns none while it waits for another', async () => {
  const database = await databases.open()
  let calls = 0
  const limits = await openReplica(database, watched(database, { before: () => calls++ }))
  const first = await limits.enter(caller({ tokensPerDay: 1000 }), Date.now())
  await first.reserve(100)
  first.end(0)
  const both = caller({ tokensPerMinute: 1000, tokensPerDay: 1000 })
  const second = await limits.enter(both, Date.now())
  calls = 0
  await second.reserve(80)
  expect(calls).toBe(1)
  second.end(0)
})

test('a request takes the place that a slow call has leased for it, although another one waits by then (F29)', async () => {
  const database = await databases.open()
  let nowMs = 0
  const key = caller({ parallelRequests: 4 })
  const entering: Promise<object>[] = []
  const enter = () => entering.push(Promise.resolve(limits.enter(key, Date.now())))
  // The second request comes during the call for the first one, which takes longer than a request waits for others.
  const watch = {
    before: () => entering.length < 2 && enter(),
    after: () => (nowMs += 1000),
  }
  const limits = await openReplica(database, watched(database, watch), { steadyMs: () => nowMs })
  enter()
  await expect.poll(() => entering.length).toBe(2)
  const settled = await Promise.allSettled(entering)
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

test('tokens beyond the reservation count against the limit of every replica', async () => {
  const database = await databases.open()
  const here = await openReplica(database)
  const there = await openReplica(database)
  const key = caller({ tokensPerMinute: 1000 })
  const hold = await here.enter(key, Date.now())
  await hold.reserve(100)
  hold.end(9000)
  await here.tick()
  await there.look([key])
  for (const limits of [here, there])
    // The limit refills by 17 tokens a second.
    expect(limits.state(key).key.tokensPerMinute?.remaining).toBeLessThan(500)
  await expect((async () => (await there.enter(key, Date.now())).reserve(900))()).rejects.toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded' }),
  )
})

test('a request may be tried again if leasing takes too long while its daily limit has enough left', async () => {
  const database = await databases.open()
  let steadyMs = 0
  const slow = watched(database, { after: () => (steadyMs += 2500) })
  const limits = await openReplica(database, slow, { steadyMs: () => steadyMs })
  const key = caller({ tokensPerDay: 4500 })
  const holds = [await limits.enter(key, Date.now()), await limits.enter(key, Date.now())]
  const results = await Promise.allSettled(holds.map(async (hold) => hold.reserve(2000)))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = results.find((result) => result.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'rate_limit_exceeded', retryAfterMs: 250 })
})

test.each([
  ['a place', { parallelRequests: 1 }, 1],
  ['the rest of a day', { tokensPerDay: 1000 }, 600],
])('a request waits for %s that another replica is about to return', async (_, wanted, tokens) => {
  const database = await databases.open()
  const here = await openReplica(database)
  const there = await openReplica(database, database, { delay: () => here.tick() })
  const key = caller(wanted)
  const first = await here.enter(key, Date.now())
  await first.reserve(tokens)
  first.end(1)
  const second = await there.enter(key, Date.now())
  await second.reserve(tokens)
  second.end(1)
})

test('a request whose place runs at another replica is refused soon', async () => {
  const database = await databases.open()
  const here = await openReplica(database)
  let steadyMs = 0
  const there = await openReplica(database, database, {
    steadyMs: () => steadyMs,
    delay: async (ms) => {
      steadyMs += ms
      await here.tick()
    },
  })
  const key = caller({ parallelRequests: 1 })
  const first = await here.enter(key, Date.now())
  await expect((async () => there.enter(key, Date.now()))()).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
    retryAfterMs: 1000,
  })
  expect(steadyMs).toBeGreaterThan(300)
  expect(steadyMs).toBeLessThan(500)
  first.end(0)
})

test('a replica that knows an earlier limit pays no debt of another one (F34)', async () => {
  const database = await databases.open()
  await database.write([
    toStatement(queries.insertInto('accounts').values({ id: 'acct_1', name: 'a', created_ms: 1 })),
    toStatement(
      queries.insertInto('api_keys').values({
        id: 'key_1',
        account_id: 'acct_1',
        name: 'k',
        digest: 'd',
        created_ms: 1,
        tokens_per_minute: 100_000,
      }),
    ),
  ])
  let steadyMs = 0
  const there = await openReplica(database, database, { steadyMs: () => steadyMs })
  const before = await there.enter(caller({ tokensPerMinute: 1000 }), Date.now())
  await before.reserve(10)
  before.end(0)
  const here = await openReplica(database)
  const key = caller({ tokensPerMinute: 100_000 })
  const spend = async (tokens: number) => {
    const hold = await here.enter(key, Date.now())
    await hold.reserve(tokens)
    hold.end(tokens)
    await here.tick()
  }
  await spend(90_000)
  for (let second = 0; second < 62; second++) {
    steadyMs += 1000
    await there.tick()
  }
  await there.look([caller({ tokensPerMinute: 1000 }, 'key_2')])
  await spend(1)
  // The limit refills by 1,667 tokens a second.
  expect(here.state(key).key.tokensPerMinute?.remaining).toBeLessThan(60_000)
})

test('a high limit can be used again after years without a service', async () => {
  const database = await databases.open()
  const key = caller({ tokensPerMinute: 1_000_000_000 })
  const before = await openReplica(database)
  const hold = await before.enter(key, Date.now())
  await hold.reserve(100)
  hold.end(100)
  await before.tick()
  await database.write([{ sql: 'update limit_pools set at_ms = 0', parameters: [] }])
  const after = await openReplica(database)
  const later = await after.enter(key, Date.now())
  await later.reserve(100)
  later.end(100)
})

test('a replica with a high limit can be closed after years without a service', async () => {
  const database = await databases.open()
  const key = caller({ tokensPerMinute: 1_000_000_000 })
  const limits = await openReplica(database)
  await (await limits.enter(key, Date.now())).reserve(100)
  await database.write([{ sql: 'update limit_pools set at_ms = 0', parameters: [] }])
  const [dead] = await database.readRows({ sql: 'select id from replicas', parameters: [] })
  const closing = { replicaId: String(dead?.['id']), nowMs: Date.now(), isOwn: true }
  expect(await closeReplica(database, closing)).toBe(0)
  const pools = {
    sql: 'select leased, owed >= 100 * 60000 as owes from limit_pools',
    parameters: [],
  }
  expect(await database.readRows(pools)).toEqual([{ leased: 0, owes: true }])
})

test('what a replica returns while the database is away is returned again', async () => {
  const database = await databases.open()
  let isAway = false
  const before = () => {
    if (isAway) throw unavailable('the database is away')
  }
  const here = await openReplica(database, watched(database, { before }))
  const there = await openReplica(database)
  const key = caller({ parallelRequests: 1 })
  const first = await here.enter(key, Date.now())
  first.end(0)
  isAway = true
  await here.tick()
  isAway = false
  await here.tick()
  // The only request of the key has ended, so another replica may begin one.
  const second = await there.enter(key, Date.now())
  second.end(0)
})

test('what a replica used before an outage counts, however long the outage and its idle time are', async () => {
  const database = await databases.open()
  let isAway = false
  const before = () => {
    if (isAway) throw unavailable('the database is away')
  }
  let steadyMs = 0
  const steady = { steadyMs: () => steadyMs }
  const here = await openReplica(database, watched(database, { before }), steady)
  const key = caller({ tokensPerMinute: 1000 })
  const hold = await here.enter(key, Date.now())
  await hold.reserve(900)
  isAway = true
  hold.end(900)
  for (let second = 0; second < 70; second++) {
    steadyMs += 1000
    await here.tick()
  }
  // A request of another key begins a call in which idle leases are given up.
  await here.look([caller({ tokensPerMinute: 1000 }, 'key_2')])
  isAway = false
  await here.look([key])
  await here.tick()
  const there = await openReplica(database)
  await there.look([key])
  // The limit refills by 17 tokens a second.
  expect(there.state(key).key.tokensPerMinute?.remaining).toBeLessThan(500)
})

test('an idle replica reports what other replicas have taken meanwhile', async () => {
  const database = await databases.open()
  let steadyMs = 0
  const idle = await openReplica(database, database, { steadyMs: () => steadyMs })
  const busy = await openReplica(database)
  const key = caller({ tokensPerDay: 1000 })
  const remaining = () => idle.state(key).key.tokensPerDay?.remaining
  await idle.look([key])
  expect(remaining()).toBe(1000)
  const hold = await busy.enter(key, Date.now())
  await hold.reserve(400)
  steadyMs += 1000
  await idle.look([key])
  expect(remaining()).toBe(600)
  hold.end(0)
})

test('600 keys are looked up at once, and a stop returns the leases of all of them', async () => {
  const database = await databases.open()
  const keys = Array.from({ length: 600 }, (_, index) =>
    caller({ tokensPerDay: 50 }, `key_${index}`),
  )
  const here = await openReplica(database)
  const holds = await Promise.all(keys.map(async (key) => here.enter(key, Date.now())))
  await Promise.all(holds.map(async (hold) => hold.reserve(50)))
  expect(await remainingOf(keys, database)).toEqual(keys.map(() => 0))
  for (const hold of holds) hold.end(0)
  await here.close()
  expect(await remainingOf(keys, database)).toEqual(keys.map(() => 50))
})

/** Returns what another replica knows of each key's daily limit after it has looked once. */
async function remainingOf(keys: readonly Limited[], database: Database) {
  const limits = await openReplica(database)
  await limits.look(keys)
  return keys.map((key) => limits.state(key).key.tokensPerDay?.remaining)
}
