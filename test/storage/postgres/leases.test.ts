import { fc, testSeed } from '../../support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { useDatabases } from '../../support/databases.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { LeasedLimits } from '../../../src/usage/leases/leased-limits.ts'
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

test('a request of a key with several limits leases all of them, and returns none while it waits for another', async () => {
  const database = await databases.open()
  let calls = 0
  const counting: Pick<typeof database, 'writeReturning'> = {
    writeReturning: (statement) => {
      calls += 1
      return database.writeReturning(statement)
    },
  }
  const replica = await Replica.register(database, {
    address: 'test',
    version: '1.2.3',
    logger: silentLogger,
  })
  const limits = new LeasedLimits(counting, { replica, isOpen: () => false })
  const key = { keyId: 'key_1', accountId: 'acct_1', accountLimits: {} }
  const first = await limits.enter({ ...key, limits: { tokensPerDay: 1000 } }, Date.now())
  await first.reserve(100)
  first.end(0)
  const both = { tokensPerMinute: 1000, tokensPerDay: 1000 }
  const second = await limits.enter({ ...key, limits: both }, Date.now())
  calls = 0
  await second.reserve(80)
  expect(calls).toBe(1)
  second.end(0)
})
