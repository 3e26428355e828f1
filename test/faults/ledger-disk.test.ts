import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { useDatabases } from '../support/databases.ts'
import { ReplyGate } from '../support/engine/reply-gate.ts'
import { codeOf } from '../support/error-of.ts'
import { journalFaults, readLedger } from '../support/journal/check-journal.ts'
import { askAndNote } from '../support/journal/client-journal.ts'
import { openJournal } from '../support/journal/open-journal.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { recordFinding } from '../support/reliability.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { question, readStream, startTestService } from '../support/service.ts'

const databases = useDatabases()
const smallDisk = mountSmallDisk()
/** Time that a write waits for a lock, in tests where the lock is held for longer. */
const lockWaitMs = 50

test('on a full disk new requests are refused, running ones are settled, and free space ends the outage (T41, F08)', async ({
  skip,
}) => {
  skip(smallDisk === undefined, 'this user may not mount a small disk')
  const dataDir = join(smallDisk ?? '', 'data')
  const database = await openDatabase(dataDir, { serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  await Promise.all(
    Array.from({ length: 50 }, (_, i) => ledger.reserve(ledgerEntry(`running_${i}`))),
  )
  const filler = join(smallDisk ?? '', 'filler')
  fill(filler)

  const refused = await reserveUntilRefused(ledger)
  expect(refused).toMatchObject({ code: 'ledger_unavailable' })
  expect(database.healthy).toBe(false)
  for (let i = 0; i < 50; i++) await ledger.settle(ledgerEntry(`running_${i}`), settlement)
  expect(await ledger.find('running_49')).toMatchObject({ state: 'final', completion_tokens: 5 })
  expect(database.healthy).toBe(false)

  rmSync(filler)
  await expect.poll(() => database.healthy).toBe(true)
  await ledger.reserve(ledgerEntry('afterwards'))
  await ledger.settle(ledgerEntry('afterwards'), settlement)
  await database.close()
  rmSync(dataDir, { recursive: true })
})

test('on a full disk refused requests take no room from running ones, also while a reader makes the journal grow', async ({
  skip,
}) => {
  skip(smallDisk === undefined, 'this user may not mount a small disk')
  const dataDir = join(smallDisk ?? '', 'refusals')
  const database = await openDatabase(dataDir, { serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  const running = Array.from({ length: 50 }, (_, i) => ledgerEntry(`running_${i}`))
  await Promise.all(running.map((entry) => ledger.reserve(entry)))
  const reader = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM usage').get()
  const filler = join(smallDisk ?? '', 'filler')
  fill(filler)
  for (let i = 0; i < 1000; i++)
    await ledger.reserve(ledgerEntry(`refused_${i}`)).catch(() => undefined)
  await Promise.all(running.map((entry) => ledger.settle(entry, settlement)))
  expect(await ledger.find('running_49')).toMatchObject({ state: 'final', completion_tokens: 5 })
  reader.close()
  rmSync(filler)
  await database.close()
  rmSync(dataDir, { recursive: true })
})

test('on a full disk callers get 503 while running streams end whole, and free space ends the outage (F08)', async ({
  skip,
}) => {
  skip(smallDisk === undefined, 'this user may not mount a small disk')
  const replies = new ReplyGate({ marker: 'held' })
  const engine = scriptedEngine({ slots: 8, gate: replies.gate })
  const service = await startTestService({ engine, dataDir: join(smallDisk ?? '', 'service') })
  const body = { ...question, messages: [{ role: 'user', content: 'a held reply' }] }
  const streams = Array.from({ length: 4 }, () => service.stream(body))
  await expect.poll(() => replies.held).toBe(4)
  const filler = join(smallDisk ?? '', 'filler')
  fill(filler)

  // The space that the files have already allocated holds some more entries.
  const journal = openJournal()
  while (await askAndNote(journal, service.post, question))
    expect(journal.sent).toBeLessThan(20_000)
  expect(await codeOf(await service.post(question))).toEqual([503, 'ledger_unavailable'])
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
  replies.release()
  for (const { status, done } of await Promise.all(streams))
    expect([status, done]).toEqual([200, true])

  rmSync(filler)
  const status = async () => {
    const response = await service.post(question)
    await response.text()
    return response.status
  }
  await expect.poll(status).toBe(200)
  const rows = service.ledgerRows()
  expect(rows.filter(({ state }) => state !== 'final')).toEqual([])
  const { acknowledged } = journal
  expect(journalFaults({ acknowledged, rows: readLedger(service.dataDir) })).toEqual([])
  recordFinding(
    'F08',
    `On a full disk ${acknowledged.length} more requests were accepted, then callers got 503; 4 of 4 streams ended whole.`,
  )
  await service.close()
})

test('entries wait while another process locks the file, and are then written (F27)', async () => {
  const database = await databases.open({ serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  const other = lockFile(databases.dataDir)
  const reserved = ledger.reserve(ledgerEntry('req_1'))
  // After this delay, the write is waiting for the lock.
  await delay(200)
  other.exec('COMMIT')
  await reserved
  expect(await ledger.find('req_1')).toMatchObject({ state: 'reserved' })
  other.close()
})

test('a lasting lock refuses the entry after the write budget, and no entry stays (F27)', async () => {
  const database = await databases.open({ serve: true, lockWaitMs })
  const ledger = Ledger.open(database, 'boot_1')
  const other = lockFile(databases.dataDir)
  await expect(ledger.reserve(ledgerEntry('req_1'))).rejects.toMatchObject({
    code: 'ledger_unavailable',
  })
  other.exec('COMMIT')
  other.close()
  await ledger.reserve(ledgerEntry('req_2'))
  expect(await ledger.find('req_1')).toBeUndefined()
})

test('the engine does not wait for the disk, but no reply is sent before its entry is on disk', async () => {
  const engine = scriptedEngine({ slots: 2, contextTokens: 1024 })
  const service = await startTestService({ engine })
  const other = lockFile(service.dataDir)
  const replies = [service.post(question), service.post({ ...question, stream: true })]
  // The reply that is not streamed is generated to its end. The stream waits at its first token.
  await expect.poll(() => engine.stats().completionTokens).toBeGreaterThan(8)
  await expect.poll(() => engine.stats().slotsBusy).toBe(1)
  // A reply that had been sent would have arrived before this response.
  await service.request('/v1/models')
  expect(await Promise.race([...replies, Promise.resolve('no reply')])).toBe('no reply')
  other.exec('COMMIT')
  for (const reply of await Promise.all(replies)) {
    expect(reply.status).toBe(200)
    await reply.text()
  }
  expect(service.ledgerRows().map(({ state }) => state)).toEqual(['final', 'final'])
  other.close()
  await service.close()
})

test('a generation whose entry cannot be written ends in an error and leaves no entry', async () => {
  const service = await startTestService({ lockWaitMs })
  const other = lockFile(service.dataDir)
  const [whole, streamed] = await Promise.all([
    service.post(question),
    service.post({ ...question, stream: true }),
  ])
  expect(whole.status).toBe(503)
  expect(await whole.json()).toMatchObject({ error: { code: 'ledger_unavailable' } })
  // The headers may have been sent before the write budget was used up.
  const stream = await readStream(streamed)
  expect(stream.raw).toContain('ledger_unavailable')
  expect([stream.text, stream.done]).toEqual(['', false])
  other.exec('COMMIT')
  other.close()
  expect((await service.post(question)).status).toBe(200)
  expect(service.ledgerRows()).toHaveLength(1)
  await service.close()
})

/** Opens a write transaction as another process would; it locks the file until it commits. */
function lockFile(dataDir: string): Sqlite.Database {
  const other = new Sqlite(join(dataDir, 'pipit.db'))
  other.exec('BEGIN IMMEDIATE')
  return other
}

const settlement = {
  outcome: 'completed',
  promptTokens: 11,
  cachedTokens: 0,
  completionTokens: 5,
} as const

async function reserveUntilRefused(ledger: Ledger): Promise<unknown> {
  for (let i = 0; i < 100_000; i++)
    try {
      await ledger.reserve(ledgerEntry(`filling_${i}`))
    } catch (error) {
      return error
    }
  return undefined
}

/** Fills the disk to the last byte. */
function fill(path: string): void {
  for (let bytes = 64 * 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2))
    try {
      writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      // The bytes that fit stay in the file; the next block is smaller.
    }
}

/** Mounts a new disk of 16 MB and returns its path; undefined without the right to mount. */
function mountSmallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'pipit-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', directory], {
      stdio: 'ignore',
    })
    afterAll(() => {
      execFileSync('umount', ['-l', directory])
      rmdirSync(directory)
    })
    return directory
  } catch {
    rmdirSync(directory)
    return undefined
  }
}
