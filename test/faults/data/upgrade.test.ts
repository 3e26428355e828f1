import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { digestOf, generateApiKey } from '../../../src/accounts/api-key-text.ts'
import { inspectLedger } from '../../../src/storage/inspection/inspect-ledger.ts'
import { schemaVersion } from '../../../src/storage/sqlite/migrate.ts'
import { lockDataDir } from '../../../src/storage/sqlite/sqlite-file.ts'
import {
  createOldDatabase,
  type OldVersion,
  upgradeOldDatabase,
} from '../../support/old-database.ts'
import { runCli } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question, startTestService } from '../../support/service.ts'

const versions = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const requests = 40

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-upgrade-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a database of each earlier version is upgraded, and its keys, receipts and usage are those from before (F48)', async () => {
  for (const version of versions) {
    const dataDir = join(folder, String(version))
    const { key, tokens } = await createFilledDatabase(dataDir, version)
    const service = await startTestService({ dataDir })
    try {
      const page = await service.request('/v1/requests?limit=100', { key })
      const { data } = (await page.json()) as { data: { id: string }[] }
      expect([version, data.length]).toEqual([version, requests])
      expect((await service.post(question, { key })).status).toBe(200)
    } finally {
      await service.close()
    }
    expect([version, hourSums(dataDir, tokens.sinceMs)]).toEqual([
      version,
      { requests, prompt: tokens.prompt, completion: tokens.completion },
    ])
    expect([version, faultsOf(dataDir)]).toEqual([version, []])
    expect([version, versionOf(join(dataDir, 'pipit.db'))]).toEqual([version, schemaVersion])
  }
  recordFinding(
    'F48',
    `Databases of the ${versions.length} earlier versions, each with a key and ${requests} requests, were upgraded by a start: ` +
      'the key works, each receipt is there, and the sums are those of the entries.',
  )
}, 120_000)

test('a command leaves the tables of a running earlier service as they are (F48)', async () => {
  const dataDir = join(folder, 'served')
  const file = await createOldDatabase(dataDir, 9)
  file.close()
  const list = () => runCli(['keys', 'list'], { PIPIT_DATA_DIR: dataDir })
  const lock = lockDataDir(dataDir)
  try {
    const refused = await list()
    expect(refused.stderr).toContain('A service of an earlier version uses')
    expect([refused.code, versionOf(join(dataDir, 'pipit.db'))]).toEqual([1, 9])
  } finally {
    lock.close()
  }
  expect((await list()).code).toBe(0)
  expect(versionOf(join(dataDir, 'pipit.db'))).toBe(schemaVersion)
})

test('errors that an earlier version recorded are counted by the hour, of the account and of each key (F48)', async () => {
  const dataDir = join(folder, 'data')
  const { tokens } = await createFilledDatabase(dataDir, 8)
  const file = new Sqlite(join(dataDir, 'pipit.db'))
  const fail = file.prepare(
    "update usage set outcome = 'engine_crash', error_code = 'engine_failed', created_ms = ? where request_id = ?",
  )
  const minutes = [0, 20, 59, 60]
  minutes.forEach((minute, i) => fail.run(tokens.sinceMs + minute * 60_000, `req_${i}`))
  file.close()
  await (await startTestService({ dataDir })).close()

  const counted = 'select begin_ms, key_id, code, requests, receipts, refused from usage_errors'
  const upgraded = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  const rows = upgraded.prepare(`${counted} order by begin_ms, key_id`).raw().all()
  upgraded.close()
  const nextMs = tokens.sinceMs + 3_600_000
  expect(rows).toEqual([
    [tokens.sinceMs, '', 'engine_failed', 3, 3, 0],
    [tokens.sinceMs, 'key_1', 'engine_failed', 3, 3, 0],
    [nextMs, '', 'engine_failed', 1, 1, 0],
    [nextMs, 'key_1', 'engine_failed', 1, 1, 0],
  ])
})

test('a database of a newer version is refused by the service and by commands, and stays as it is (F48)', async () => {
  const dataDir = join(folder, 'newer')
  const service = await startTestService({ dataDir })
  await service.close()
  const file = new Sqlite(join(dataDir, 'pipit.db'))
  file.prepare("insert into schema_migrations values (?, 'later', 0)").run(schemaVersion + 1)
  file.exec('alter table usage add column later text')
  file.pragma('wal_checkpoint(truncate)')
  file.close()
  const before = readFileSync(join(dataDir, 'pipit.db'))
  for (const args of [['serve'], ['keys', 'list'], ['accounts', 'list']]) {
    const refused = await runCli(args, {
      PIPIT_DATA_DIR: dataDir,
      PIPIT_ENGINE: 'scripted',
      PIPIT_PORT: '0',
      PIPIT_METRICS_PORT: '0',
    })
    expect([args, refused.code, refused.stderr]).toEqual([
      args,
      1,
      `pipit: ${join(dataDir, 'pipit.db')} was written by a newer Pipit (schema ${schemaVersion + 1}; this version ` +
        `supports up to ${schemaVersion}). Start that version, or restore a backup from before the upgrade.\n`,
    ])
  }
  expect(readFileSync(join(dataDir, 'pipit.db')).equals(before)).toBe(true)
  recordFinding(
    'F48',
    'A database of the next version is refused by `serve`, `keys` and `accounts` with one sentence and exit code 1, and not a byte of it changes.',
  )
})

test('the backup from before an upgrade is upgraded again after a return to it (F48)', async () => {
  const dataDir = join(folder, 'data')
  const { key } = await createFilledDatabase(dataDir, 8)
  const backup = join(folder, 'backup.db')
  // The new version can back up a database of an older one, so a backup can be made right before its first start.
  expect((await runCli(['backup', backup], { PIPIT_DATA_DIR: dataDir })).code).toBe(0)
  expect(versionOf(backup)).toBe(8)
  await (await startTestService({ dataDir })).close()
  expect(versionOf(join(dataDir, 'pipit.db'))).toBe(schemaVersion)

  for (const name of ['pipit.db-wal', 'pipit.db-shm']) rmSync(join(dataDir, name), { force: true })
  copyFileSync(backup, join(dataDir, 'pipit.db'))
  const service = await startTestService({ dataDir })
  try {
    expect((await service.post(question, { key })).status).toBe(200)
  } finally {
    await service.close()
  }
})

/** Creates a database of the first version with a key and requests, and upgrades it to `version` as releases did. */
async function createFilledDatabase(dataDir: string, version: OldVersion) {
  const key = generateApiKey()
  const file = await createOldDatabase(dataDir, 1)
  file.prepare("insert into accounts values ('acct_1', 'default', 1)").run()
  file
    .prepare("insert into api_keys values ('key_1', 'acct_1', 'app', ?, null, 1, null, null, null)")
    .run(digestOf(key))
  // Uses the previous hour, so that requests after the upgrade are in another hourly sum.
  const nowMs = Date.now()
  const sinceMs = nowMs - (nowMs % 3_600_000) - 3_600_000
  const insert = file.prepare(
    'insert into usage (request_id, account_id, key_id, model, route, stream, created_ms, state, outcome, prompt_tokens,' +
      ' cached_tokens, completion_tokens, max_tokens, billable, updated_ms, boot_id)' +
      " values (?, 'acct_1', 'key_1', 'svc-o1-mini', '/v1/chat/completions', 0, ?, 'final', 'completed', ?, 0, ?, 256, 1, 0, 'boot_1')",
  )
  const tokens = { sinceMs, prompt: 0, completion: 0 }
  for (let i = 0; i < requests; i++) {
    insert.run(`req_${i}`, sinceMs + i, 10 + i, i)
    tokens.prompt += 10 + i
    tokens.completion += i
  }
  file.exec(
    'insert into usage_hour select account_id, created_ms - created_ms % 3600000, key_id, model, billable, count(*),' +
      ' sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens) from usage group by 1, 2, 3, 4, 5',
  )
  await upgradeOldDatabase(file, version)
  file.close()
  return { key, tokens }
}

function hourSums(dataDir: string, sinceMs: number): unknown {
  return readOne(
    join(dataDir, 'pipit.db'),
    'select requests, prompt_tokens as prompt, completion_tokens as completion from usage_sums' +
      ` where span = 'hour' and key_id = 'key_1' and begin_ms = ${sinceMs}`,
  )
}

function versionOf(path: string): number {
  const row = readOne(path, 'select max(version) as version from schema_migrations')
  return (row as { version: number }).version
}

function readOne(path: string, sql: string): unknown {
  const file = new Sqlite(path, { readonly: true })
  try {
    return file.prepare(sql).get()
  } finally {
    file.close()
  }
}

function faultsOf(dataDir: string) {
  return inspectLedger(dataDir, { nowMs: Date.now(), isServed: false, budgetMs: Infinity }).faults
}
