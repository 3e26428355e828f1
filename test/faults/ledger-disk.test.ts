import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const smallDisk = mountSmallDisk()

test('on a full disk nothing is admitted, what runs is settled, and space heals it without a restart', async ({
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
  for (let i = 0; i < 50; i++) await ledger.settle(`running_${i}`, settlement)
  expect(await ledger.find('running_49')).toMatchObject({ state: 'final', completion_tokens: 5 })
  expect(database.healthy).toBe(false)

  rmSync(filler)
  await untilHealthy(() => database.healthy)
  await ledger.reserve(ledgerEntry('afterwards'))
  await ledger.settle('afterwards', settlement)
  await database.close()
})

test('while another process keeps the file locked entries wait, and get through', async () => {
  const dataDir = newDataDir()
  const database = await openDatabase(dataDir, { serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  const other = new Sqlite(join(dataDir, 'pipit.db'))
  other.exec('BEGIN IMMEDIATE')
  const reserved = ledger.reserve(ledgerEntry('req_1'))
  await new Promise((resolve) => setTimeout(resolve, 200))
  other.exec('COMMIT')
  await reserved
  expect(await ledger.find('req_1')).toMatchObject({ state: 'reserved' })
  other.close()
  await database.close()
})

test('a lock that stays is told after the budget, and leaves no entry behind', async () => {
  const dataDir = newDataDir()
  const database = await openDatabase(dataDir, { serve: true })
  const ledger = Ledger.open(database, 'boot_1')
  const other = new Sqlite(join(dataDir, 'pipit.db'))
  other.exec('BEGIN IMMEDIATE')
  await expect(ledger.reserve(ledgerEntry('req_1'))).rejects.toMatchObject({
    code: 'ledger_unavailable',
  })
  other.exec('COMMIT')
  other.close()
  await ledger.reserve(ledgerEntry('req_2'))
  expect(await ledger.find('req_1')).toBeUndefined()
  await database.close()
})

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

/** Takes what is left, to the last byte. */
function fill(path: string): void {
  for (let bytes = 64 * 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2))
    try {
      writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' })
    } catch {
      // What did fit stays; the rest is tried in smaller pieces.
    }
}

async function untilHealthy(healthy: () => boolean): Promise<void> {
  const startMs = performance.now()
  while (!healthy()) {
    expect(performance.now() - startMs).toBeLessThan(5000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return dataDir
}

/** Needs the right to mount; undefined without it. */
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
