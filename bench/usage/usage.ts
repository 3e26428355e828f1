import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { LocalDays } from '../../src/usage/local-days.ts'
import { Receipts } from '../../src/usage/receipts.ts'
import { UsageReport } from '../../src/usage/usage-report.ts'
import { dayMs, hourMs } from '../../src/time/durations.ts'
import type { BenchResult } from '../findings.ts'
import type { BenchOptions } from '../options.ts'
import { progress, table } from '../report.ts'
import { accountId, fillLedger, keyId } from './usage-fill.ts'

const rows = 5_000_000
const keys = 10_000
const toMs = Math.floor(Date.now() / dayMs) * dayMs
const fromMs = toMs - 365 * dayMs
const commits = 300

/** Time that a query of the panel may take (goal of F45). */
const queryMsMax = 300

type Query = [name: string, ask: () => Promise<unknown>]
type Times = { name: string; firstMs: number; p50Ms: number; p99Ms: number }
type CommitTimes = { meanwhile: string; p50Ms: number; p99Ms: number }

/** Measures the panel's queries on a ledger of five million requests in a year, and the commits that run meanwhile. */
export async function benchUsage({ rounds }: BenchOptions): Promise<BenchResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-bench-usage-'))
  try {
    const fillMs = await time(() => fillLedger(dataDir, { rows, keys, fromMs, toMs }))
    progress('upgrade')
    const openedMs = performance.now()
    const database = await openDatabase(dataDir, { serve: true })
    const upgradeMs = performance.now() - openedMs
    try {
      const queries = queriesOf(database)
      const times: Times[] = []
      for (const [name, ask] of queries) times.push({ name, ...(await measure(ask, rounds * 20)) })
      const megabytes = statSync(join(dataDir, 'pipit.db')).size / 1e6
      const commitTimes = await measureCommits(database, queries)
      const markdown = [
        `${rows / 1e6} million entries of one account and ${keys} keys, unevenly used, over 365 days: filled in ${(fillMs / 1000).toFixed(0)} s;`,
        `the upgrade that sums them took ${(upgradeMs / 1000).toFixed(0)} s; the file has ${megabytes.toFixed(0)} MB. Times in ms, of ${rounds * 20} queries each.`,
        '',
        table(
          ['query', 'first', 'p50', 'p99'],
          times.map(({ name, firstMs, p50Ms, p99Ms }) => [
            name,
            ...[firstMs, p50Ms, p99Ms].map((ms) => ms.toFixed(1)),
          ]),
        ),
        '',
        `Reserve and settle, ${commits} times one after the other, in ms:`,
        '',
        table(
          ['meanwhile', 'p50', 'p99'],
          commitTimes.map(({ meanwhile, p50Ms, p99Ms }) => [
            meanwhile,
            p50Ms.toFixed(1),
            p99Ms.toFixed(1),
          ]),
        ),
      ].join('\n')
      const sentence = sentenceOf(times, commitTimes)
      return { markdown, findings: [{ id: 'F45', sentence }] }
    } finally {
      await database.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

function queriesOf(database: Database): Query[] {
  const report = new UsageReport(database)
  const receipts = new Receipts(database)
  const hours = (from: number) =>
    Array.from({ length: (toMs - from) / hourMs + 1 }, (_, i) => from + i * hourMs)
  const days = new LocalDays('Europe/Berlin').boundaries(fromMs, toMs)
  const middleMs = fromMs + 180 * dayMs + 7 * hourMs
  const page = (filter: Parameters<Receipts['list']>[2]) => () =>
    receipts.list(accountId, 51, filter)
  return [
    ['usage by hour, 24 hours', () => report.periods(accountId, hours(toMs - dayMs))],
    ['usage by hour, 60 days', () => report.periods(accountId, hours(toMs - 60 * dayMs))],
    ['usage by day, a year', () => report.periods(accountId, days)],
    ['usage by day, a year, the busiest key', () => report.periods(accountId, days, keyId(0))],
    ['keys, 24 hours', () => report.keys(accountId, toMs - dayMs, toMs)],
    ['keys, 30 days', () => report.keys(accountId, toMs - 30 * dayMs, toMs)],
    ['keys, a year', () => report.keys(accountId, fromMs, toMs)],
    [
      'keys, 170 days that begin within a day',
      () => report.keys(accountId, middleMs, middleMs + 170 * dayMs + 5 * hourMs),
    ],
    ['receipts, the latest', page({})],
    ['receipts of half a year ago', page({ toMs: middleMs })],
    ['receipts that failed', page({ status: 'failed' })],
    ['receipts in progress', page({ status: 'in_progress' })],
    ['receipts of the busiest key', page({ keyId: keyId(0) })],
    ['receipts of the busiest key that failed', page({ keyId: keyId(0), status: 'failed' })],
    ['receipts of a rare key', page({ keyId: keyId(keys - 1) })],
  ]
}

function sentenceOf(times: readonly Times[], commitTimes: readonly CommitTimes[]): string {
  const slowest = times.toSorted((a, b) => b.p50Ms - a.p50Ms)[0]
  const [alone, ...beside] = commitTimes.map(({ p99Ms }) => p99Ms)
  if (slowest === undefined || alone === undefined) throw new Error('nothing was measured')
  const fast = times.filter(({ p50Ms }) => p50Ms <= queryMsMax).length
  return (
    `${rows / 1e6} million entries of ${keys} keys in a year: the slowest of the panel's ${times.length} queries, “${slowest.name}”, took ${slowest.p50Ms.toFixed(0)} ms (p50), ` +
    `and ${fast} took at most ${queryMsMax} ms; a commit took ${alone.toFixed(1)} ms (p99), and ${Math.max(...beside).toFixed(1)} ms beside the heaviest queries.`
  )
}

async function measure(ask: () => Promise<unknown>, times: number): Promise<Omit<Times, 'name'>> {
  const firstMs = await time(ask)
  const taken: number[] = []
  for (let i = 0; i < times; i++) taken.push(await time(ask))
  return { firstMs, p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99) }
}

async function measureCommits(
  database: Database,
  queries: readonly Query[],
): Promise<CommitTimes[]> {
  const ledger = Ledger.open(database, 'bench-commits')
  const measured: CommitTimes[] = []
  for (const [meanwhile, ask] of [
    ['nothing', undefined],
    ...queries.filter(([name]) => ['usage by day, a year', 'keys, a year'].includes(name)),
  ] as const) {
    let done = false
    const asking = (async () => {
      while (ask !== undefined && !done) await ask()
    })()
    const taken: number[] = []
    for (let i = 0; i < commits; i++)
      taken.push(await time(() => request(ledger, `${meanwhile} ${i}`)))
    done = true
    await asking
    measured.push({ meanwhile, p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99) })
  }
  return measured
}

async function request(ledger: Ledger, requestId: string): Promise<void> {
  const entry = {
    requestId,
    accountId,
    keyId: keyId(0),
    model: 'svc-o1-mini',
    route: '/v1/chat/completions',
    stream: false,
    promptTokens: 100,
    maxTokens: 256,
    createdMs: toMs - 1,
    seed: 1,
    fingerprint: 'fp_bench',
    parameters: {},
    ignored: [],
  }
  await ledger.reserve(entry)
  const tokens = { promptTokens: 100, cachedTokens: 0, completionTokens: 50 }
  await ledger.settle(entry, {
    outcome: 'completed',
    ...tokens,
    queueMs: 1,
    prefillMs: 20,
    decodeMs: 300,
  })
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
