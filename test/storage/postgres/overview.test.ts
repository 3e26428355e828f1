import { hostname } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { ensureDefaultAccount } from '../../../src/accounts/accounts.ts'
import { createApiKey } from '../../../src/accounts/api-key-store.ts'
import type { PanelReplicas } from '../../../src/protocol/panel/replicas.ts'
import type { IssuedPanelKey } from '../../../src/protocol/panel-keys.ts'
import type { Database } from '../../../src/storage/database.ts'
import { rawQuery } from '../../../src/storage/statement.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { LeasedLimits } from '../../../src/usage/leases/leased-limits.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import { ReplicaOverview } from '../../../src/usage/replicas/replica-overview.ts'
import { judgePauseMs } from '../../../src/usage/replicas/replica-limits.ts'
import { Replica } from '../../../src/usage/replicas/replica.ts'
import { version } from '../../../src/version.ts'
import { useDatabases } from '../../support/databases.ts'
import { ledgerEntry } from '../../support/ledger-entry.ts'
import { signIn } from '../../support/panel/panel.ts'
import { question, startTestService } from '../../support/service.ts'

const databases = useDatabases()
const noonMs = Date.UTC(2026, 5, 15, 12)
const limits = { tokensPerDay: 1000, parallelRequests: 3 }

const run = (database: Database, sql: string) => database.write([{ sql, parameters: [] }])

/** Stops the clock of the database, so that no heartbeat becomes late by itself. */
const setClock = (database: Database, ms: number) =>
  run(
    database,
    `create or replace function pipit_now() returns bigint language sql volatile as 'select ${ms}::bigint'`,
  )

async function startReplica(database: Database, name: string) {
  // A clock that stands still, so that no registration expires on a slow machine.
  const steadyMs = () => 0
  const options = { address: name, version: '1.2.3', logger: silentLogger, steadyMs }
  const replica = await Replica.register(database, options)
  const ledger = Ledger.open(database, 'unused', { replica })
  const isOpen = (requestId: string) => ledger.holds(requestId)
  const wallMs = () => noonMs
  const leased = new LeasedLimits(database, { replica, isOpen, wallMs })
  return { replica, ledger, leased }
}

test('the overview has the replicas, their requests in flight, and the leases in pages', async () => {
  const database = await databases.open()
  await setClock(database, noonMs)
  const accountId = (await ensureDefaultAccount(database)).id
  const { id: keyId } = await createApiKey(database, { accountId, name: 'a' }, noonMs)
  const one = await startReplica(database, 'one:8080')
  await setClock(database, noonMs + 1)
  const two = await startReplica(database, 'two:8080')
  const limited = { keyId, accountId, limits, accountLimits: {} }
  for (const { leased, ledger } of [one, two]) {
    const id = ledger === one.ledger ? 'req_1' : 'req_2'
    const hold = await leased.enter(limited, noonMs, id)
    await hold.reserve(100)
    await ledger.reserve(ledgerEntry(id, { accountId, keyId, createdMs: noonMs }))
  }
  await run(database, "update replicas set version = null where address = 'two:8080'")

  const overview = new ReplicaOverview(database, one.replica)
  const live = { version: '1.2.3', startedMs: noonMs, seenMs: noonMs, state: 'live', inFlight: 1 }
  expect(await overview.replicas()).toEqual({
    total: 2,
    replicas: [
      { ...live, id: one.replica.id, name: 'one:8080' },
      {
        ...live,
        id: two.replica.id,
        name: 'two:8080',
        version: undefined,
        startedMs: noonMs + 1,
        seenMs: noonMs + 1,
      },
    ],
  })
  const all = await overview.leases(10)
  const ids = [one.replica.id, two.replica.id].toSorted()
  const lease = { subjectId: keyId, accountName: 'default', used: 0 }
  expect(all).toMatchObject([
    ...ids.map((replicaId) => ({ ...lease, limitName: 'parallelRequests', replicaId, granted: 1 })),
    ...ids.map((replicaId) => ({ ...lease, limitName: 'tokensPerDay', replicaId })),
  ])
  for (const { limitName, granted, replicaId, expiresMs, beginMs } of all) {
    expect(expiresMs).toBe(noonMs + 6000 + (replicaId === two.replica.id ? 1 : 0))
    if (limitName === 'parallelRequests') continue
    expect([beginMs, granted >= 100 && granted < 1000]).toEqual([Date.UTC(2026, 5, 15), true])
  }
  const first = await overview.leases(3)
  expect([...first, ...(await overview.leases(3, first[2]))]).toEqual(all)

  await setClock(database, noonMs + 6001)
  await run(database, "update replicas set closed = 1 where address = 'two:8080'")
  const { replicas } = await overview.replicas()
  expect(replicas.map(({ state }) => state)).toEqual(['expired', 'closing'])
})

test('admins see the replicas of a database and the leases of all keys', async () => {
  const { environment, dataDir } = databases
  const service = await startTestService({ environment, dataDir })
  try {
    const ada = await signIn(service)
    const created = await ada.post('/keys', { name: 'laptop', limits: { requests_per_minute: 60 } })
    const { key, record } = (await created.json()) as IssuedPanelKey
    expect((await service.post(question, { key })).status).toBe(200)
    const reply = await ada.get('/replicas?limit=1')
    const text = await reply.text()
    expect([reply.status, text.includes(key)]).toEqual([200, false])
    const { shared, replicas, leases } = JSON.parse(text) as PanelReplicas
    expect(shared).toBe(true)
    expect(replicas).toMatchObject([
      { name: `${hostname()}:0`, version, state: 'live', in_flight: 0, is_this: true },
    ])
    const replicaId = replicas[0]?.id
    expect(leases).toMatchObject({
      data: [
        {
          subject_id: record.id,
          limit: 'requests_per_minute',
          begin_ms: null,
          replica_id: replicaId,
        },
      ],
      has_more: false,
      last_id: `${record.id} requestsPerMinute 0 ${replicaId}`,
    })
    const next = await ada.get(`/replicas?after=${encodeURIComponent(leases.last_id ?? '')}`)
    expect(((await next.json()) as PanelReplicas).leases.data).toEqual([])
  } finally {
    await service.close()
  }
})

test('a replica that is closed counts as closed once, although it cannot register again at once', async () => {
  const database = await databases.open()
  const { replica } = await startReplica(database, 'one:8080')
  await run(database, 'update replicas set closed = 1')
  const write = database.write.bind(database)
  const away = vi.spyOn(database, 'write').mockImplementation(async (steps, urgency) => {
    if (steps.some(({ sql }) => sql.startsWith('insert into replicas')))
      throw new Error('PostgreSQL is away')
    return await write(steps, urgency)
  })
  await replica.beat()
  await replica.beat()
  away.mockRestore()
  expect(replica.isLive).toBe(false)
  await replica.beat()
  expect([replica.isLive, replica.timesClosed]).toEqual([true, 1])
  await run(database, 'update replicas set closed = 1')
  await replica.beat()
  expect(replica.timesClosed).toBe(2)
})

/** Registers a replica on a clock that only the test moves, and sends a heartbeat a second until it may close others. */
async function startJudge(database: Database) {
  const clock = { nowMs: 0 }
  const replica = await Replica.register(database, {
    address: 'one:8080',
    version,
    logger: silentLogger,
    steadyMs: () => clock.nowMs,
  })
  for (clock.nowMs = 1000; clock.nowMs < judgePauseMs; clock.nowMs += 1000) await replica.beat()
  return { replica, clock }
}

test('reports that take long delay neither heartbeats nor what the service reads itself', async () => {
  const database = await databases.open()
  const { replica } = await startJudge(database)
  let reports = 0
  const slow = Array.from({ length: 8 }, async () => {
    await database.readAside(rawQuery(sql`select pg_sleep(3)`))
    reports += 1
  })
  await replica.beat()
  const rows = await database.readRows({ sql: 'select 1 as one', parameters: [] })
  expect([rows, reports]).toEqual([[{ one: 1 }], 0])
  await Promise.all(slow)
})

test('a slow search for dead replicas delays no heartbeat', async () => {
  const database = await databases.open()
  const { replica, clock } = await startJudge(database)
  const search = Promise.withResolvers<never[]>()
  const reads = vi.spyOn(database, 'readRows').mockReturnValue(search.promise)
  const writes = vi.spyOn(database, 'write')
  const beats: Promise<void>[] = []
  for (let second = 1; second <= 10; second++) {
    clock.nowMs += 1000
    beats.push(replica.beat())
    expect(writes).toHaveBeenCalledTimes(second)
    await writes.mock.results.at(-1)?.value
    await setImmediate()
    expect(replica.isLive).toBe(true)
  }
  expect(reads).toHaveBeenCalledTimes(1)
  search.resolve([])
  await Promise.all(beats)
})

test('a dead replica that cannot be closed keeps no other one from being closed', async () => {
  const database = await databases.open()
  const { replica, clock } = await startJudge(database)
  for (const id of ['stuck', 'other'])
    await run(
      database,
      `insert into replicas (id, address, started_ms, heartbeat_ms) values ('${id}', 'a', 0, 0)`,
    )
  const close = database.writeGuarded.bind(database)
  vi.spyOn(database, 'writeGuarded').mockImplementation(async (guarded, urgency) => {
    if (guarded.guard.parameters.includes('stuck')) throw new Error('bigint out of range')
    return await close(guarded, urgency)
  })
  clock.nowMs += 1000
  await replica.beat()
  const others = { sql: 'select id from replicas where id <> ?', parameters: [replica.id] }
  expect(await database.readRows(others)).toEqual([{ id: 'stuck' }])
})
