import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newDataDir, startProcess } from '../support/process.ts'
import { question } from '../support/service.ts'
import { recordFinding } from '../support/reliability.ts'

const dayMs = 86_400_000

test('a start with the clock 40 days ahead deletes no receipts and forgets no replies (F23, T54)', async () => {
  const dataDir = newDataDir()
  try {
    const first = await startProcess({ PIPIT_ENGINE: 'scripted' }, dataDir)
    const key = { key: first.key, headers: { 'idempotency-key': 'order-17' } }
    await (await first.post(question, key)).text()
    for (let i = 0; i < 9; i++) await (await first.post(question)).text()
    expect(await first.kill('SIGTERM')).toBe(0)

    const ahead = await startProcess(
      { PIPIT_ENGINE: 'scripted', NODE_OPTIONS: clockAhead(40 * dayMs) },
      dataDir,
    )
    const again = await ahead.post(question, key)
    // The first sweep of expired receipts ends before the process exits.
    expect(await ahead.kill('SIGTERM')).toBe(0)
    expect(countReceipts(dataDir)).toBe(10)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(ahead.output().stderr).toContain('the clock is ahead of the last run by 40 days')

    const corrected = await startProcess({ PIPIT_ENGINE: 'scripted' }, dataDir)
    expect(await corrected.kill('SIGTERM')).toBe(0)
    expect(countReceipts(dataDir)).toBe(10)
    const finding = 'A start with the clock 40 days ahead: 10 of 10 receipts are kept.'
    recordFinding('F23', finding)
    recordFinding('T54', finding)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Returns a Node option that sets the wall clock of a process ahead, but not its monotonic clock. */
function clockAhead(ms: number): string {
  const module = `
    const System = Date
    globalThis.Date = class extends System {
      constructor(...given) { super(...(given.length === 0 ? [System.now() + ${ms}] : given)) }
      static now() { return System.now() + ${ms} }
    }`
  return `--import=data:text/javascript,${encodeURIComponent(module)}`
}

function countReceipts(dataDir: string): unknown {
  const database = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    return database.prepare('select count(*) from usage').pluck().get()
  } finally {
    database.close()
  }
}
