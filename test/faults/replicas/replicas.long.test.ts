import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { journalFaults } from '../../support/journal/check-journal.ts'
import type { ClientJournal } from '../../support/journal/client-journal.ts'
import { openJournal } from '../../support/journal/open-journal.ts'
import { noPostgres } from '../../support/postgres/start-postgres.ts'
import { recordFinding } from '../../support/reliability.ts'
import { type Cluster, signalAll, startCluster } from '../../support/replicas/cluster.ts'
import { promptTokensOf, runLoad } from '../../support/replicas/load.ts'
import { question } from '../../support/service.ts'

const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'pipit' and datname = current_database()`

let cluster: Cluster | undefined
beforeAll(async () => (cluster = await startCluster(4)), 120_000)
afterAll(async () => await cluster?.stop(), 60_000)
beforeEach(({ skip }) => skip(cluster === undefined, noPostgres))

/** Returns the cluster. There is one unless the tests are skipped. */
function running(): Cluster {
  if (cluster === undefined) throw new Error('no cluster')
  return cluster
}

const nth = (index: number) => {
  const replica = running().replicas[index]
  if (replica === undefined) throw new Error('no replica')
  return replica
}

const statusOf = async (index: number, key: string) =>
  (
    await nth(index)
      .post({ ...question, max_tokens: 1 }, { key })
      .catch(() => undefined)
  )?.status

async function awaitAll(key: string, indexes: readonly number[]): Promise<void> {
  for (const index of indexes)
    await expect.poll(() => statusOf(index, key), { timeout: 30_000 }).toBe(200)
}

/** Expects the ledger to have the usage of every reply that arrived whole. */
async function expectRecorded({ acknowledged }: ClientJournal): Promise<void> {
  expect(journalFaults({ acknowledged, rows: await running().ledger() })).toEqual([])
}

test('four replicas at ten times a limit never pass it, whatever is killed, paused or cut off (F34)', async () => {
  const { createKey, rows, postgres, startReplica } = running()
  const limit = 8_000
  const { id, key } = await createKey({ tokensPerDay: limit })
  const paced = await createKey({ requestsPerMinute: 120 })
  await awaitAll(key, [0, 1, 2, 3])
  const promptTokens = await promptTokensOf(running(), key)
  const used = Number((await usedBy(id))[0]?.['tokens'])
  const stop = new AbortController()
  const startMs = performance.now()
  const journal = openJournal()
  const load = { clients: 8, maxTokens: 12, signal: stop.signal, journal }
  const loads = [
    runLoad(running(), promptTokens, { ...load, key }),
    runLoad(running(), promptTokens, { ...load, key: paced.key, clients: 2 }),
  ] as const

  await delay(2000)
  await nth(0).kill('SIGKILL')
  process.kill(nth(1).pid, 'SIGSTOP')
  const added = startReplica()
  await delay(4000)
  await rows(terminate)
  await delay(5000)
  process.kill(nth(1).pid, 'SIGCONT')
  await added
  await delay(3000)
  signalAll(postgres, 'SIGSTOP')
  await delay(8000)
  signalAll(postgres, 'SIGCONT')
  const isUsedUp = async () => {
    const [before, after] = [await usedBy(id), await delay(4000).then(() => usedBy(id))]
    return (
      before[0]?.['tokens'] === after[0]?.['tokens'] && Number(after[0]?.['tokens']) > limit / 2
    )
  }
  await expect.poll(isUsedUp, { timeout: 110_000 }).toBe(true)
  stop.abort()
  const [seen, pacedSeen] = await Promise.all(loads)
  // The replica that was paused works again, under a new registration.
  expect(await nth(1).metrics()).toMatch(/^pipit_replica_closed_total [1-9]/m)
  const minutes = (performance.now() - startMs) / 60_000

  const total = seen.tokens + used
  const recorded = Number((await usedBy(id))[0]?.['tokens'])
  const figures = `${total} of ${limit} tokens, ${seen.ok} replies, ${seen.refused} refused, ${seen.unavailable} unavailable, ${seen.cut} cut`
  expect(total, figures).toBeLessThanOrEqual(limit)
  expect(recorded, figures).toBeLessThanOrEqual(limit)
  expect(total, figures).toBeGreaterThanOrEqual(0.98 * limit)
  expect(pacedSeen.ok).toBeLessThanOrEqual(120 + 120 * minutes)
  expect([...seen.unexpected, ...pacedSeen.unexpected]).toEqual([])
  await expectRecorded(journal)
  recordFinding(
    'F34',
    `4 replicas with kill -9, SIGSTOP for 9 s, cut connections and a database paused for 8 s: ${figures}; overspend 0.`,
  )

  async function usedBy(keyId: string) {
    return await rows(
      `select sum(prompt_tokens + completion_tokens)::bigint as tokens from usage_sums where key_id = '${keyId}' and span = 'day'`,
    )
  }
}, 170_000)

test('the open request of a killed replica is closed by another one when its heartbeat has expired (F39)', async () => {
  const { createKey, rows } = running()
  const { id, key } = await createKey({})
  await awaitAll(key, [1, 2, 3])
  const body = { ...question, stream: true, max_tokens: 2000 }
  const cut = await nth(3).post(body, { key, headers: { 'idempotency-key': 'order-39' } })
  expect(cut.status).toBe(200)
  await nth(3).kill('SIGKILL')
  await cut.text().catch(() => '')
  const startMs = performance.now()
  const outcomes = async () =>
    (await rows(`select state, outcome from usage where key_id = '${id}' and stream = 1`))[0]
  expect(await outcomes()).toEqual({ state: 'reserved', outcome: null })
  expect(await statusOf(2, key)).toBe(200)
  await expect
    .poll(outcomes, { timeout: 15_000 })
    .toEqual({ state: 'final', outcome: 'server_crash' })
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  const again = await nth(2).post(body, { key, headers: { 'idempotency-key': 'order-39' } })
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null])
  await again.text()
  recordFinding(
    'F39',
    `The open entry of a replica that was killed was closed by another after ${seconds} s; the others replied meanwhile.`,
  )
}, 60_000)

test('a database that only reads counts as away, and replies come back with it (F31)', async () => {
  const { createKey, rows } = running()
  const { key } = await createKey({})
  await awaitAll(key, [1, 2])
  await rows('alter system set default_transaction_read_only = on')
  try {
    await rows('select pg_reload_conf()')
    const statuses = new Set<number | undefined>()
    const ask = async () => {
      const status = await statusOf(1, key)
      statuses.add(status)
      return status
    }
    await expect.poll(ask, { timeout: 10_000 }).toBe(503)
    statuses.delete(200)
    expect([...statuses]).toEqual([503])
    const ready = async () => (await fetch(`${nth(1).url}/readyz`)).status
    await expect.poll(ready, { timeout: 15_000 }).toBe(503)
  } finally {
    await rows('alter system reset default_transaction_read_only')
    await rows('select pg_reload_conf()')
  }
  const startMs = performance.now()
  await awaitAll(key, [1, 2])
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  recordFinding('F31', `503 while PostgreSQL was read-only; replies again after ${seconds} s.`)
}, 60_000)

test('after kill -9 of PostgreSQL no reply is lost or doubled (F29)', async () => {
  const { createKey, postgres, rows } = running()
  const { key } = await createKey({})
  await awaitAll(key, [1, 2])
  const stop = new AbortController()
  const journal = openJournal()
  const options = { key, clients: 6, maxTokens: 20, signal: stop.signal, journal }
  const load = runLoad(running(), 4, options)
  await delay(2000)
  postgres.child.kill('SIGKILL')
  // Longer than requests wait for the end of an outage.
  await delay(6000)
  await postgres.restart()
  await awaitAll(key, [1, 2])
  await delay(2000)
  stop.abort()
  const seen = await load
  expect(seen.ok).toBeGreaterThan(10)
  expect(seen.unavailable).toBeGreaterThan(0)
  expect(seen.unexpected).toEqual([])
  await expectRecorded(journal)
  const open = async () =>
    (await rows("select count(*)::int as n from usage where state = 'reserved'"))[0]
  await expect.poll(open, { timeout: 20_000 }).toEqual({ n: 0 })
  const figures = `${seen.ok} replies, ${seen.unavailable} times unavailable, ${seen.cut} cut`
  recordFinding(
    'F29',
    `kill -9 of PostgreSQL under load: ${figures}; none lost, none doubled, none left open.`,
  )
}, 90_000)
