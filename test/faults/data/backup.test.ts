import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inspectLedger } from '../../../src/storage/inspection/inspect-ledger.ts'
import type { UsageRow } from '../../../src/storage/tables.ts'
import { runCli, type ServeProcess, startProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

type Acknowledged = { requestId: string; promptTokens: number; completionTokens: number }

const clients = 8
/** Several processes start, which is slow on a busy machine. */
const timeoutMs = 180_000
const canary = 'a heron hides in the reeds 7391'
const scripted = { PIPIT_ENGINE: 'scripted' }
const body = { ...question, messages: [{ role: 'user', content: canary }], max_tokens: 4 }

let folder: string
let dataDir: string
let services: ServeProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-backup-'))
  dataDir = join(folder, 'data')
  services = []
})
afterEach(async () => {
  await Promise.all(services.map((service) => service.dispose()))
  rmSync(folder, { recursive: true, force: true })
})

test(
  'a backup under load is one moment of the ledger, and a service that starts on it knows all keys (T44, F46)',
  async () => {
    const first = await start(dataDir)
    const created = await runCli(
      ['keys', 'create', '--name', 'app', '--tokens-per-month', '1000000', '--json'],
      { PIPIT_DATA_DIR: dataDir },
    )
    const { key } = JSON.parse(created.stdout) as { key: string }
    const load = startLoad(first, key)
    await load.reached(100)
    const before = load.lanes.map((lane) => lane.length)
    const backup = join(folder, 'backup.db')
    const run = await runCli(['backup', backup], { PIPIT_DATA_DIR: dataDir })
    expect([run.code, run.stderr]).toEqual([0, ''])
    const during = load.count() - before.reduce((sum, count) => sum + count, 0)
    await load.reached(load.count() + 50)
    await load.stop()
    expect(statSync(backup).mode & 0o777).toBe(0o600)

    const copied = finalRows(backup)
    for (const [lane, acknowledged] of load.lanes.entries()) {
      const kept = acknowledged.filter(({ requestId }) => copied.has(requestId))
      // The backup has each client's first replies without a gap, so it shows one moment. That moment is not before the
      // backup began.
      expect(kept).toEqual(acknowledged.slice(0, kept.length))
      expect(kept.length).toBeGreaterThanOrEqual(before[lane] ?? 0)
      for (const { requestId, promptTokens, completionTokens } of kept)
        expect(copied.get(requestId)).toMatchObject({
          prompt_tokens: promptTokens,
          completion_tokens: completionTokens,
        })
    }
    expect(load.count()).toBeGreaterThan(copied.size)
    expectNoSecrets(backup, [key, first.key, canary, secretOf(dataDir)])

    const restored = join(folder, 'restored')
    const second = await restore(backup, restored)
    expect(faultsOf(restored)).toEqual([])
    expect(await usedTokens(second, key)).toBe(
      [...copied.values()].reduce((sum, row) => sum + row.prompt_tokens + tokensOf(row), 0),
    )
    expect((await second.post(body, { key })).status).toBe(200)
    expect((await second.post(body, { key: first.key })).status).toBe(200)
    recordFinding(
      'F46',
      `A backup was written beside ${clients} clients; ${during} replies were acknowledged while it ran. It has ${copied.size} ` +
        `of ${load.count()} acknowledged requests: for each client the first ones without a gap, and all from before it began. ` +
        'A service on it accepts both keys, and its limits count exactly these requests.',
    )
    recordFinding('T44', 'A backup that was written under load contains no key, prompt or secret.')
  },
  timeoutMs,
)

test(
  'a backup never replaces a file, and a missing database or directory is named',
  async () => {
    const service = await start(dataDir)
    await service.kill('SIGTERM')
    const environment = { PIPIT_DATA_DIR: dataDir }
    const backup = join(folder, 'backup.db')
    expect((await runCli(['backup', backup], environment)).code).toBe(0)
    const bytes = readFileSync(backup)
    for (const [target, variables, message] of [
      [backup, environment, `${backup} exists`],
      [join(folder, 'none', 'backup.db'), environment, 'directory exists'],
      [join(folder, 'b'), { PIPIT_DATA_DIR: join(folder, 'none') }, 'pipit.db is missing'],
      [join(folder, 'b'), { PIPIT_DATABASE_URL: 'postgres://h/db' }, 'with pg_dump'],
    ] as const) {
      const refused = await runCli(['backup', target], variables)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(message)])
    }
    expect(readFileSync(backup).equals(bytes)).toBe(true)
  },
  timeoutMs,
)

async function start(directory: string): Promise<ServeProcess> {
  const service = await startProcess(scripted, directory)
  services.push(service)
  return service
}

/** Restores a backup as docs/operations.md says. */
async function restore(backup: string, directory: string): Promise<ServeProcess> {
  mkdirSync(directory, { mode: 0o700 })
  copyFileSync(backup, join(directory, 'pipit.db'))
  copyFileSync(join(dataDir, 'panel.secret'), join(directory, 'panel.secret'))
  return await start(directory)
}

/** Runs clients that each send one request after another, and notes the acknowledged requests of each client. */
function startLoad(service: ServeProcess, key: string) {
  const lanes: Acknowledged[][] = Array.from({ length: clients }, () => [])
  const stopping = new AbortController()
  const count = () => lanes.reduce((sum, lane) => sum + lane.length, 0)
  const work = async (lane: Acknowledged[]) => {
    while (!stopping.signal.aborted) {
      const reply = await service.post(body, { key })
      const { usage } = (await reply.json()) as {
        usage: { prompt_tokens: number; completion_tokens: number }
      }
      if (reply.status !== 200) throw new Error(`a request got ${reply.status}`)
      lane.push({
        requestId: reply.headers.get('x-request-id') ?? '',
        promptTokens: usage.prompt_tokens,
        completionTokens: usage.completion_tokens,
      })
    }
  }
  const ended = Promise.all(lanes.map(work))
  // `stop` awaits `ended`. Until then, this handler keeps a failure from being an unhandled rejection.
  ended.catch(() => stopping.abort())
  return {
    lanes,
    count,
    reached: async (total: number) =>
      await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(total),
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

function finalRows(path: string): Map<string, UsageRow> {
  const db = new Sqlite(path, { readonly: true })
  try {
    const rows = db.prepare("select * from usage where state = 'final'").all() as UsageRow[]
    return new Map(rows.map((row) => [row.request_id, row]))
  } finally {
    db.close()
  }
}

function expectNoSecrets(path: string, secrets: readonly string[]): void {
  const content = readFileSync(path, 'latin1')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20)
    expect(content.includes(secret)).toBe(false)
  }
}

function secretOf(directory: string): string {
  return readFileSync(join(directory, 'panel.secret'), 'utf8').trim()
}

function faultsOf(directory: string) {
  return inspectLedger(directory, { nowMs: Date.now(), isServed: false, budgetMs: Infinity }).faults
}

function tokensOf(row: UsageRow): number {
  return row.completion_tokens ?? 0
}

async function usedTokens({ url }: ServeProcess, key: string): Promise<number> {
  const reply = await fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${key}` } })
  const { limits } = (await reply.json()) as {
    limits: { tokens_per_month: { remaining: number } }
  }
  return 1_000_000 - limits.tokens_per_month.remaining
}
