import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { noPostgres } from '../../support/postgres/start-postgres.ts'
import { recordFinding } from '../../support/reliability.ts'
import { type Cluster, startCluster } from '../../support/replicas/cluster.ts'
import { question } from '../../support/service.ts'

let cluster: Cluster | undefined
beforeAll(async () => (cluster = await startCluster(2)), 60_000)
afterAll(async () => await cluster?.stop())
beforeEach(({ skip }) => skip(cluster === undefined, noPostgres))

/** Returns the cluster. There is one unless the tests are skipped. */
function running(): Cluster {
  if (cluster === undefined) throw new Error('no cluster')
  return cluster
}

const replicaOf = (turn: number) => {
  const { replicas } = running()
  const replica = replicas[turn % replicas.length]
  if (replica === undefined) throw new Error('no replica')
  return replica
}

/** Waits until a new key works on every replica, once the notices of the change have arrived. */
async function awaitKey(key: string): Promise<void> {
  for (const { url } of running().replicas) {
    const status = async () =>
      (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
    await expect.poll(status, { timeout: 10_000 }).toBe(200)
  }
}

test('one Idempotency-Key on two replicas runs once; the others are refused or get its reply (F22)', async () => {
  const { createKey, rows } = running()
  const { id, key } = await createKey({})
  await awaitKey(key)
  const headers = { 'idempotency-key': 'order-17' }
  const send = (turn: number) => replicaOf(turn).post(question, { key, headers })
  const replies = await Promise.all(Array.from({ length: 20 }, (_, turn) => send(turn)))
  const bodies = await Promise.all(replies.map((reply) => reply.json() as Promise<{ id?: string }>))
  const executed = replies.filter(
    ({ status, headers: found }) => status === 200 && !found.has('idempotency-replayed'),
  )
  expect(executed).toHaveLength(1)
  for (const { status } of replies) expect([200, 409]).toContain(status)
  const [first, second] = [await send(0), await send(1)]
  expect([first, second].map((reply) => reply.headers.get('idempotency-replayed'))).toEqual([
    'true',
    'true',
  ])
  const ids = [first, second].map(async (reply) => ((await reply.json()) as { id: string }).id)
  const [one] = bodies.filter((_, index) => replies[index] === executed[0])
  expect(await Promise.all(ids)).toEqual([one?.id, one?.id])
  const billed = await rows(
    `select count(*)::int as n from usage where key_id = '${id}' and outcome in ('completed', 'length')`,
  )
  expect(billed).toEqual([{ n: 1 }])
  const refused = replies.filter(({ status }) => status === 409).length
  recordFinding(
    'F22',
    `20 parallel requests with one key on 2 replicas: 1 ran, ${refused} got 409, ${19 - refused} its reply; billed once.`,
  )
})

test('a key that is revoked is refused by every replica, and its stream is cut, although no notice arrives (F33, G8)', async () => {
  const { createKey, rows } = running()
  const { id, key } = await createKey({})
  await awaitKey(key)
  const silent = (isSilent: boolean) =>
    rows(`alter table api_keys ${isSilent ? 'disable' : 'enable'} trigger api_keys_notify`)
  const stream = await replicaOf(1).post({ ...question, stream: true, max_tokens: 2000 }, { key })
  expect(stream.status).toBe(200)
  await silent(true)
  const startMs = performance.now()
  try {
    // Simulates a lost notice: only the count of changes shows the revocation.
    await rows(`update api_keys set revoked_ms = 1 where id = '${id}'`)
    await rows('update change_counts set count = count + 1')
    const ask = async (turn: number) => (await replicaOf(turn).post(question, { key })).status
    for (const turn of [0, 1])
      await expect.poll(() => ask(turn), { timeout: 6000, interval: 100 }).toBe(401)
    const elapsedMs = performance.now() - startMs
    expect(elapsedMs).toBeLessThan(5000)
    await stream.text().catch(() => '')
    const streamMs = performance.now() - startMs
    expect(streamMs).toBeLessThan(5500)
    const text = `With the notice dropped, 2 replicas refused the key after ${(elapsedMs / 1000).toFixed(1)} s`
    recordFinding(
      'F33',
      `${text}; its open stream had ended after ${(streamMs / 1000).toFixed(1)} s.`,
    )
  } finally {
    await silent(false)
  }
})

test('a limit holds over two replicas at ten times its rate, and its last tokens are used (F34)', async () => {
  const { createKey, rows } = running()
  const limit = 2000
  const { id, key } = await createKey({ tokensPerDay: limit })
  await awaitKey(key)
  const seen = { used: 0, refused: 0 }
  const client = async (turn: number) => {
    for (let misses = 0; misses < 12;) {
      const reply = await replicaOf(turn).post({ ...question, max_tokens: 8 }, { key })
      const body = (await reply.json()) as {
        usage?: { total_tokens: number }
        error?: { code: string }
      }
      if (reply.status === 200) seen.used += body.usage?.total_tokens ?? 0
      else {
        expect(reply.status).toBe(429)
        seen.refused += 1
        await new Promise((resolve) => setTimeout(resolve, 150))
        if (body.error?.code === 'insufficient_quota') misses += 1
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, turn) => client(turn)))
  expect(seen.used).toBeLessThanOrEqual(limit)
  expect(seen.used).toBeGreaterThanOrEqual(0.98 * limit)
  const [sum] = await rows(
    `select sum(prompt_tokens + completion_tokens)::int as tokens from usage_sums where key_id = '${id}' and span = 'day'`,
  )
  expect(sum?.['tokens']).toBe(seen.used)
  recordFinding(
    'F34',
    `2 replicas, ${limit} tokens per day: ${seen.used} were used, none beyond the limit; ${seen.refused} requests were refused.`,
  )
})
