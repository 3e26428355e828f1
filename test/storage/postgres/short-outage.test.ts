import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/database.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import { ReplicaOverview } from '../../../src/usage/replicas/replica-overview.ts'
import { judgePauseMs } from '../../../src/usage/replicas/replica-limits.ts'
import { Replica } from '../../../src/usage/replicas/replica.ts'
import { useDatabases } from '../../support/databases.ts'
import { Relay } from '../../support/http/relay.ts'
import { ledgerEntry } from '../../support/ledger-entry.ts'
import { runCli } from '../../support/process.ts'
import { question, startTestService } from '../../support/service.ts'

const databases = useDatabases()

/** Starts a relay in front of PostgreSQL, which can cut it off. */
async function startRelay() {
  const url = new URL(databases.environment.PIPIT_DATABASE_URL)
  const target = { url: `http://127.0.0.1:${url.port}` }
  const relay = await Relay.start(target)
  url.port = new URL(relay.url).port
  return {
    url: url.href,
    /** Cuts PostgreSQL off, and waits until the service has noticed. */
    cut: async () => {
      const before = relay.refused
      relay.cut()
      await expect.poll(() => relay.refused).toBeGreaterThan(before)
    },
    /** Number of attempts to connect while PostgreSQL was cut off. */
    attempts: () => relay.refused,
    heal: () => relay.passTo(target),
    close: () => relay.close(),
  }
}

/** Opens the database of the test through a relay. */
async function openThroughRelay() {
  const relay = await startRelay()
  const database = await openDatabase(databases.dataDir, { url: relay.url, serve: true })
  const close = async () => {
    await database.close()
    await relay.close()
  }
  return { ...relay, database, ledger: Ledger.open(database, 'boot_1'), close }
}

test('statements that begin during a short outage wait for its end, and take effect once (F29)', async () => {
  const { database, ledger, cut, attempts, heal, close } = await openThroughRelay()
  try {
    await ledger.reserve(ledgerEntry('req_before'))
    await cut()
    const writes = Promise.all(['req_1', 'req_2'].map((id) => ledger.reserve(ledgerEntry(id))))
    const read = ledger.find('req_before')
    const before = attempts()
    await expect.poll(attempts).toBeGreaterThan(before + 2)
    heal()
    await writes
    expect(await read).toMatchObject({ state: 'reserved' })
    for (const id of ['req_1', 'req_2'])
      expect(await ledger.find(id)).toMatchObject({ state: 'reserved' })
    await expect.poll(() => database.healthy).toBe(true)
  } finally {
    await close()
  }
})

test('a longer outage refuses what has waited and what comes later, until PostgreSQL is back (F29)', async () => {
  const { database, ledger, cut, attempts, heal, close } = await openThroughRelay()
  try {
    await cut()
    const refused = { code: 'ledger_unavailable' }
    await expect(ledger.reserve(ledgerEntry('req_1'))).rejects.toMatchObject(refused)
    const before = attempts()
    await expect(ledger.reserve(ledgerEntry('req_2'))).rejects.toMatchObject(refused)
    // It failed with its own first attempt, or with one that was under way.
    expect(attempts() - before).toBeLessThan(10)
    await expect(ledger.find('req_1')).rejects.toMatchObject(refused)
    heal()
    await expect.poll(() => database.healthy).toBe(true)
    await ledger.reserve(ledgerEntry('req_3'))
    for (const id of ['req_1', 'req_2']) expect(await ledger.find(id)).toBeUndefined()
  } finally {
    await close()
  }
})

test('requests that come in during a short outage get their replies, with limits and an Idempotency-Key too (F29)', async () => {
  const relay = await startRelay()
  const environment = { ...databases.environment, PIPIT_DATABASE_URL: relay.url }
  const service = await startTestService({ environment, dataDir: databases.dataDir })
  try {
    const limits = ['--requests-per-minute', '600', '--parallel-requests', '4']
    const command = ['keys', 'create', '--name', 'limited', ...limits, '--json']
    const { key } = JSON.parse((await runCli(command, databases.environment)).stdout) as {
      key: string
    }
    await expect.poll(async () => (await service.post(question, { key })).status).toBe(200)
    await relay.cut()
    const waiting = [{}, { 'idempotency-key': 'one' }].map((headers) =>
      service.post(question, { key, headers }),
    )
    const before = relay.attempts()
    await expect.poll(relay.attempts).toBeGreaterThan(before + 2)
    relay.heal()
    const replies = await Promise.all(waiting)
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    for (const { headers } of replies) {
      const receipt = await service.request(`/v1/requests/${headers.get('x-request-id')}`, { key })
      expect(await receipt.json()).toMatchObject({ status: 'completed' })
    }
  } finally {
    await service.close()
    await relay.close()
  }
})

test('a heartbeat that waited for the end of an outage closes no other replica, whose heartbeats were late too', async () => {
  const { database, cut, heal, close } = await openThroughRelay()
  const direct = await databases.open({ serve: true })
  try {
    let nowMs = 0
    const options = {
      address: 'a:1',
      version: '1.0.0',
      logger: silentLogger,
      steadyMs: () => nowMs,
    }
    const replica = await Replica.register(database, options)
    const other = await Replica.register(direct, options)
    await cut()
    nowMs += 1000
    const beating = replica.beat()
    await direct.write([
      {
        sql: 'update replicas set heartbeat_ms = heartbeat_ms - 10000 where id = ?',
        parameters: [other.id],
      },
    ])
    nowMs += 4000
    heal()
    await beating
    expect(replica.isLive).toBe(true)
    const { replicas } = await new ReplicaOverview(direct, replica).replicas()
    const states = Object.fromEntries(replicas.map(({ id, state }) => [id, state]))
    expect(states).toEqual({ [replica.id]: 'live', [other.id]: 'expired' })
    // The other one has some time to reconnect. A service that has just started gives it that time too.
    const started = await Replica.register(direct, options)
    const total = async () => (await new ReplicaOverview(direct, replica).replicas()).total
    // The late heartbeat confirms only the time at which it was sent, so the next one at 6000 ends the gap.
    for (nowMs = 6000; nowMs < 6000 + judgePauseMs; nowMs += 1000) {
      await replica.beat()
      if (nowMs < 5000 + judgePauseMs) await started.beat()
      expect(await total()).toBe(3)
    }
    await replica.beat()
    expect(await total()).toBe(2)
  } finally {
    await close()
  }
})
