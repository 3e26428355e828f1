import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import type { UsageRow } from '../../src/storage/tables.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { useDatabases } from '../support/databases.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'
import { testSeed } from '../support/random/test-seed.ts'
import { recordFinding } from '../support/reliability.ts'
import { allSums, sumsOf } from '../support/usage-sums.ts'

const databases = useDatabases()
const kills = 20
const random = randomNumbers(testSeed)
const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const noTraces = 'strace, which makes the disk fail, is missing or has no right to trace'
const child = fileURLToPath(new URL('./ledger-kill-child.ts', import.meta.url))

test(`every acknowledged entry is on disk, once and equal, after ${kills} kills at random moments (F02, G1)`, async () => {
  const { dataDir } = databases
  for (let kill = 0; kill < kills; kill++) await runUntilKilled(dataDir, `boot_${kill}`, 'honest')

  const { rows, acknowledged, lost } = await audit(dataDir)
  expect(lost).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(kills * 10)
  expect(rows.every((row) => row.state === 'final')).toBe(true)
  expect(rows.some((row) => row.outcome === 'server_crash')).toBe(true)
}, 240_000)

test('the same check detects acknowledgements that come before the commit', async () => {
  const { dataDir } = databases
  // The kill must fall between the acknowledgement and the commit, which takes some tries.
  let lost: unknown[] = []
  for (let kill = 0; kill < 40 && lost.length === 0; kill++) {
    await runUntilKilled(dataDir, `boot_${kill}`, 'early')
    if (kill >= 4) lost = (await audit(dataDir)).lost
  }
  expect(lost).not.toEqual([])
}, 120_000)

test('when the disk fails to flush, acknowledgements end and earlier ones stay true (F07)', async ({
  skip,
}) => {
  skip(!traces, noTraces)
  const { dataDir } = databases
  const faults = ['fsync', 'fdatasync'].flatMap((call) => [
    '-e',
    `inject=${call}:error=EIO:when=60+`,
  ])
  const stderr = await runWithFaults(dataDir, 'boot_1', faults)

  const { acknowledged, lost } = await audit(dataDir)
  expect(acknowledged.length).toBeGreaterThan(10)
  expect(lost).toEqual([])
  expect(stderr).toMatch(/ledger_unavailable[^]*SQLITE_IOERR_FSYNC/)
  recordFinding(
    'F07',
    `Every flush failed from the 60th on: the ledger refused new entries, and ${acknowledged.length} of ${acknowledged.length} acknowledged ones were on the disk.`,
  )
})

test('an exhausted quota is a full disk, and failing writes without one are a broken disk', async ({
  skip,
}) => {
  skip(!traces, noTraces)
  const { dataDir } = databases
  const journal = ['-P', join(dataDir, 'pipit.db-wal'), '-P', join(dataDir, 'ballast')]
  const run = (bootId: string, ...faults: string[]) =>
    runWithFaults(dataDir, bootId, [...journal, ...faults.flatMap((fault) => ['-e', fault])])
  // The ballast takes the first eight calls of `write`; SQLite writes with `pwrite64`.
  const quota = ['inject=pwrite64:error=EDQUOT:when=200+', 'inject=write:error=EDQUOT:when=9+']
  expect(await run('boot_1', ...quota)).toMatch(/ledger_unavailable[^]*SQLITE_FULL/)
  const broken = 'inject=pwrite64:error=EIO:when=200+'
  expect(await run('boot_2', broken)).toMatch(/SQLITE_IOERR_WRITE/)
  expect((await audit(dataDir)).lost).toEqual([])
})

/** Runs the child, with faults that these options of strace cause, until the ledger refuses an entry. */
async function runWithFaults(
  dataDir: string,
  bootId: string,
  faults: readonly string[],
): Promise<string> {
  const options = ['-f', '-o', '/dev/null', ...faults]
  const traced = spawn('strace', [...options, process.execPath, child, dataDir, bootId], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  let stderr = ''
  traced.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  expect((await once(traced, 'close'))[0]).toBe(1)
  return stderr
}

async function runUntilKilled(dataDir: string, bootId: string, mode: string): Promise<void> {
  const killed = spawn(process.execPath, [child, dataDir, bootId, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  const exited = once(killed, 'exit')
  await Promise.race([once(killed.stdout, 'data'), exited])
  await delay(20 + random() * 300)
  expect(killed.exitCode, 'the child must not end by itself').toBeNull()
  killed.kill('SIGKILL')
  await exited
}

/** Lists acknowledged entries that are missing or differ, and checks the sums against the rows. */
async function audit(
  dataDir: string,
): Promise<{ rows: UsageRow[]; acknowledged: string[]; lost: string[] }> {
  const acknowledged = readFileSync(join(dataDir, 'acknowledged'), 'utf8').split('\n').slice(0, -1)
  const database = await openDatabase(dataDir, { serve: true })
  try {
    await Ledger.open(database, 'audit').closeOrphans()
    const rows = await database.read(queries.selectFrom('usage').selectAll())
    for (const account of new Set(rows.map((row) => row.account_id)))
      expect(await allSums(database, account)).toEqual(
        sumsOf(rows.filter((row) => row.account_id === account)),
      )

    const byId = new Map(rows.map((row) => [row.request_id, row]))
    const lost = acknowledged.filter((line) => {
      const [what, requestId = '', tokens] = line.split(' ')
      const row = byId.get(requestId)
      if (what === 'reserved') return row === undefined
      return row?.outcome !== 'completed' || row.completion_tokens !== Number(tokens)
    })
    return { rows, acknowledged, lost }
  } finally {
    await database.close()
  }
}
