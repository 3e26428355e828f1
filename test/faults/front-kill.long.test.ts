import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newDataDir, startProcess, type ServeProcess } from '../support/process.ts'

const rounds = 20
type Usage = { prompt_tokens: number; completion_tokens: number }
type Journal = Map<string, Usage>

test('every acknowledged reply is on the ledger with equal usage after kill -9 of the service', async () => {
  const dataDir = newDataDir()
  const journal: Journal = new Map()
  let key = ''
  try {
    for (let round = 0; round < rounds; round += 1) {
      const service = await startProcess({}, dataDir)
      key ||= service.key
      const engine = service.enginePid()!
      const stop = new AbortController()
      const clients = Array.from({ length: 16 }, (_, i) =>
        runClient(service, key, journal, stop.signal, i % 2 === 0),
      )
      const before = journal.size
      await expect
        .poll(() => journal.size, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(before + 8 + round)
      await service.kill('SIGKILL')
      stop.abort()
      await Promise.all(clients)
      await expect.poll(() => isAlive(engine), { timeout: 3000 }).toBe(false)
    }
    const last = await startProcess({}, dataDir)
    await last.kill('SIGTERM')
    checkLedger(dataDir, journal)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 300_000)

async function runClient(
  service: ServeProcess,
  key: string,
  journal: Journal,
  signal: AbortSignal,
  stream: boolean,
) {
  while (!signal.aborted) {
    try {
      const body = {
        model: 'svc-o1-mini',
        messages: [{ role: 'user', content: 'Hello! Who are you?' }],
        max_tokens: 12,
        stream,
        stream_options: { include_usage: true },
      }
      const response = await service.post(body, { key })
      const text = await response.text()
      if (response.status !== 200 || (stream && !text.endsWith('data: [DONE]\n\n'))) continue
      const last = stream ? text.trim().split('\n\n').at(-2)!.slice('data: '.length) : text
      journal.set(
        response.headers.get('x-request-id')!,
        (JSON.parse(last) as { usage: Usage }).usage,
      )
    } catch {
      // The service was killed before it acknowledged this request.
    }
  }
}

function checkLedger(dataDir: string, journal: Journal) {
  const database = new BetterSqlite3(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const rows = database.prepare('select * from usage').all() as Record<string, unknown>[]
    const byId = new Map(rows.map((row) => [row['request_id'], row]))
    expect(byId.size).toBe(rows.length)
    for (const [requestId, usage] of journal)
      expect(byId.get(requestId)).toMatchObject({
        state: 'final',
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
      })
    // The next start closed the entries that a kill interrupted.
    expect(rows.filter((row) => row['state'] !== 'final')).toEqual([])
    expect(rows.some((row) => row['outcome'] === 'server_crash')).toBe(true)
    const totals = database.prepare('select sum(completion_tokens) as rows from usage').get() as {
      rows: number
    }
    const hours = database
      .prepare(
        "select sum(completion_tokens) as hours from usage_sums where span = 'hour' and key_id = ''",
      )
      .get() as { hours: number }
    expect(hours.hours).toBe(totals.rows)
  } finally {
    database.close()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
