import { execFile } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LimitsReport } from '../../../src/cli/check/limits/report.ts'
import { noPostgres } from '../../support/postgres/start-postgres.ts'
import { recordFinding } from '../../support/reliability.ts'
import { type Cluster, startCluster } from '../../support/replicas/cluster.ts'
import { mainFile } from '../../support/process.ts'
import { question } from '../../support/service.ts'

let cluster: Cluster | undefined
beforeAll(
  async () => (cluster = await startCluster(3, { PIPIT_SCRIPTED_TOKENS_PER_SECOND: '100' })),
  120_000,
)
afterAll(async () => await cluster?.stop(), 60_000)
beforeEach(({ skip }) => skip(cluster === undefined, noPostgres))

/** Returns the cluster. There is one unless the tests are skipped. */
function running(): Cluster {
  if (cluster === undefined) throw new Error('no cluster')
  return cluster
}

/** Runs `pipit check --limits` against all replicas with a new key, with which `use` may send requests before. */
async function attack(
  limits: Parameters<Cluster['createKey']>[0],
  list: string,
  use: (urls: string[], key: string) => Promise<unknown> = async () => {},
) {
  const { createKey, replicas } = running()
  const { key } = await createKey(limits)
  const urls = replicas.map(({ url }) => url)
  for (const url of urls) {
    const headers = { authorization: `Bearer ${key}` }
    const status = async () => (await fetch(`${url}/v1/models`, { headers })).status
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
  }
  await use(urls, key)
  const args = [mainFile, 'check', '--limits', list, ...urls, '--key', key, '--json']
  const stdout = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, (_, out, stderr) => resolve(out || stderr)),
  )
  return JSON.parse(stdout) as LimitsReport
}

const figures = ({ limits, requests, wrongRefusals }: LimitsReport) =>
  `${limits.map(({ wireName, limit, most }) => `${wireName} ${most} of ${limit}`).join(', ')}; ` +
  `${requests.sent} requests, ${wrongRefusals.count} of ${wrongRefusals.of} refusals under the limit; overspend 0, lost usage 0.`

test('an attack on three replicas passes no limit on tokens and loses no usage', async () => {
  const report = await attack({ tokensPerDay: 3000 }, 'tokens-per-day=3000')
  expect(report.limits, JSON.stringify(report)).toMatchObject([{ overspend: 0, verdict: 'ok' }])
  expect(report.lostUsage).toMatchObject({ replies: [], tokens: 0 })
  expect(report.idempotency).toMatchObject({ executed: 1 })
  recordFinding('F34', `pipit check --limits, 3 replicas: ${figures(report)}`)
}, 120_000)

test('an attack on three replicas runs no more requests at once than the limit', async () => {
  const report = await attack({ parallelRequests: 4 }, 'parallel-requests=4')
  expect(report.limits, JSON.stringify(report)).toMatchObject([{ overspend: 0 }])
  expect(report.lostUsage).toMatchObject({ replies: [] })
  recordFinding('F34', `pipit check --limits, 3 replicas: ${figures(report)}`)
}, 120_000)

test('an attack right after other requests takes nothing that replicas still lease for used', async () => {
  const ask = async (url: string, key: string) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, max_tokens: 16 }),
    })
    expect(response.status, await response.text()).toBe(200)
  }
  const report = await attack({ tokensPerDay: 1000 }, 'tokens-per-day=1000', async (urls, key) => {
    for (const url of urls) await Promise.all([1, 2, 3].map(() => ask(url, key)))
  })
  expect(report.limits, JSON.stringify(report)).toMatchObject([{ overspend: 0, verdict: 'ok' }])
}, 180_000)
