import { beforeEach, expect, test } from 'vitest'
import { journalFaults } from '../../support/journal/check-journal.ts'
import { openJournal } from '../../support/journal/open-journal.ts'
import { noPostgres } from '../../support/postgres/start-postgres.ts'
import type { ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { type Cluster, startCluster } from '../../support/replicas/cluster.ts'
import { LoadBalancer } from '../../support/replicas/load-balancer.ts'
import { runLoad } from '../../support/replicas/load.ts'
import { makeNextVersion } from '../../support/replicas/next-version.ts'
import { question, readStream } from '../../support/service.ts'

let cluster: Cluster
let balancer: LoadBalancer
beforeEach(async ({ skip }) => {
  const started = await startCluster(2, { PIPIT_DRAIN_SECONDS: '3' })
  if (started === undefined) return skip(noPostgres)
  cluster = started
  balancer = await LoadBalancer.start()
  return async () => {
    await balancer.close()
    await started.stop()
  }
}, 90_000)

const limits = { tokensPerMinute: 10_000_000, tokensPerDay: 100_000_000 }

/** Puts the replicas behind the load balancer, and returns a key that all of them know. */
async function balance(): Promise<{ id: string; key: string }> {
  const created = await cluster.createKey(limits)
  for (const replica of cluster.replicas) balancer.add(replica)
  await expect.poll(() => balancer.ready.length, { timeout: 20_000 }).toBe(2)
  for (const replica of cluster.replicas) await expectKnown(replica, created.key)
  return created
}

async function expectKnown(replica: ServeProcess, key: string): Promise<void> {
  const status = async () => (await replica.post({ ...question, max_tokens: 1 }, { key })).status
  await expect.poll(status, { timeout: 20_000 }).toBe(200)
}

/**
 * Begins a stream on one replica that runs longer than the replica's drain. Returns a promise that resolves to true if
 * the whole stream arrives; it is in an array, so that `await` does not wait for it.
 */
async function beginLongStream(replica: ServeProcess, key: string): Promise<[Promise<boolean>]> {
  const body = { ...question, stream: true, max_tokens: 2048 }
  const response = await replica.post(body, { key })
  expect(response.status, response.status === 200 ? '' : await response.clone().text()).toBe(200)
  return [readStream(response).then(({ done }) => done)]
}

/** Stops the replicas in turn and starts another one for each, under load. Returns what the clients have seen. */
async function restartAll(key: string, startAnother: () => Promise<ServeProcess>): Promise<string> {
  const old = [...cluster.replicas]
  const stop = new AbortController()
  const journal = openJournal()
  const options = { key, clients: 8, maxTokens: 60, signal: stop.signal, journal }
  const load = runLoad({ replicas: [balancer] }, 0, options)
  const stoppedMs: number[] = []
  for (const replica of old) {
    const [stream] = await beginLongStream(replica, key)
    const startMs = performance.now()
    expect(await replica.kill('SIGTERM')).toBe(0)
    stoppedMs.push(Math.round(performance.now() - startMs))
    expect(await stream).toBe(true)
    expect(await cluster.rows('select count(*)::int as n from replicas')).toEqual([{ n: 1 }])
    const added = await startAnother()
    await expectKnown(added, key)
    balancer.add(added)
    await expect.poll(() => balancer.ready.length, { timeout: 20_000 }).toBe(2)
  }
  stop.abort()
  const { ok, refused, unavailable, cut, unexpected } = await load
  expect(balancer.faults).toEqual([])
  expect({ refused, unavailable, cut }).toEqual({ refused: 0, unavailable: 0, cut: 0 })
  expect(unexpected).toEqual([])
  expect(ok).toBeGreaterThan(50)
  const { acknowledged } = journal
  expect(journalFaults({ acknowledged, rows: await cluster.ledger() })).toEqual([])
  return `${ok} replies to ${options.clients} clients, 0 failed, 0 cut; a stream on each replica outlasted its drain of 3 s; exit code 0 after ${stoppedMs.join(' and ')} ms`
}

test('a rolling restart of two replicas behind a load balancer fails no request and truncates no stream (G9)', async () => {
  const { key } = await balance()
  const figures = await restartAll(key, () => cluster.startReplica())
  expect(await cluster.rows("select 1 from usage where state = 'reserved'")).toEqual([])
  recordFinding('G9', `2 replicas restarted in turn: ${figures}.`)
}, 240_000)

test('a rolling upgrade to a version that changes the tables fails no request, and can be rolled back (F40)', async () => {
  const { key } = await balance()
  const next = makeNextVersion(
    "alter table usage add column note text not null default 'none'; alter table api_keys add column note text; alter table limit_pools add column note text; create index usage_note on usage (note)",
  )
  try {
    const figures = await restartAll(key, () => cluster.startReplica(next.program))
    expect(await cluster.rows("select 1 from usage where note <> 'none'")).toEqual([])
    const old = await cluster.startReplica()
    await expectKnown(old, key)
    recordFinding(
      'F40',
      `2 replicas replaced in turn by a version with more columns: ${figures}. The old version started again on the new tables.`,
    )
  } finally {
    next.remove()
  }
}, 300_000)
