import { createHmac } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { setUp, signIn } from '../support/panel/panel.ts'
import { createOldDatabase } from '../support/old-database.ts'
import { startTestService } from '../support/service.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pipit-secret-'))
  return () => rmSync(dataDir, { recursive: true, force: true })
})

const secretPath = () => join(dataDir, 'panel.secret')
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a new service keeps its secret beside the database, for its owner only (T44, T55)', async () => {
  const service = await startTestService({ dataDir })
  await service.close()
  expect(modeOf(secretPath())).toBe('600')
})

test('an upgrade moves the secret out of the database and keeps users signed in (T44, T55)', async () => {
  const secret = 'the secret of an earlier version, 43 chars.'
  const token = 'oldTokenOfAdaInClear123456789abc'
  const old = await createOldDatabase(join(dataDir, 'old'), 6)
  insertUser(old, token)
  old.prepare('insert into service_secrets values (?, ?)').run('panel cookies', secret)
  // Copies the files without a clean stop, as after a crash: the journal still has the pages with the secret.
  for (const name of ['pipit.db', 'pipit.db-wal'])
    copyFileSync(join(dataDir, 'old', name), join(dataDir, name))
  old.close()
  const service = await startTestService({ dataDir })
  try {
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    const cookie = `pipit.session_token=${encodeURIComponent(`${token}.${signature}`)}`
    const me = await fetch(`${service.url}/panel/api/me`, { headers: { cookie } })
    expect(me.status).toBe(200)
    expect(readFileSync(secretPath(), 'utf8')).toBe(`${secret}\n`)
    expect(modeOf(secretPath())).toBe('600')
    for (const name of ['pipit.db', 'pipit.db-wal'].filter((file) =>
      existsSync(join(dataDir, file)),
    )) {
      const content = readFileSync(join(dataDir, name), 'latin1')
      expect([name, content.includes(secret), content.includes(token)]).toEqual([
        name,
        false,
        false,
      ])
    }
  } finally {
    await service.close()
  }
})

test('access of other users of the machine to the secret is removed at the start (T55)', async () => {
  await (await startTestService({ dataDir })).close()
  const before = readFileSync(secretPath(), 'utf8')
  chmodSync(secretPath(), 0o644)
  await (await startTestService({ dataDir })).close()
  expect([modeOf(secretPath()), readFileSync(secretPath(), 'utf8')]).toEqual(['600', before])
})

test('a lost secret ends all sessions; passwords and keys still work, and the log says so', async () => {
  const first = await startTestService({ dataDir })
  const { cookie } = await setUp(first)
  await first.close()
  rmSync(secretPath())
  const warnings: string[] = []
  const quiet = () => {}
  const logger = {
    debug: quiet,
    info: quiet,
    warn: (text: string) => warnings.push(text),
    error: quiet,
  }
  const second = await startTestService({ dataDir, logger })
  try {
    const me = await fetch(`${second.url}/panel/api/me`, { headers: { cookie } })
    expect(me.status).toBe(401)
    await signIn(second)
    expect((await second.request('/v1/key', { key: first.key })).status).toBe(200)
    expect(warnings.join()).toContain('panel.secret was missing')
  } finally {
    await second.close()
  }
})

test.each([
  ['an empty file', () => writeFileSync(secretPath(), ''), 'is damaged'],
  ['a short secret', () => writeFileSync(secretPath(), 'short\n'), 'is damaged'],
])('the service does not start with %s', async (_, spoil, sentence) => {
  await (await startTestService({ dataDir })).close()
  spoil()
  await expect(startTestService({ dataDir })).rejects.toThrow(sentence)
})

function insertUser(db: Sqlite.Database, token: string): void {
  const at = new Date().toISOString()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  db.exec("insert into accounts (id, name, created_ms) values ('acct_1', 'default', 0)")
  db.prepare(
    "insert into users values ('user_1', 'acct_1', 'Ada', 'ada@example.com', 0, null, 'admin', 0, ?, ?)",
  ).run(at, at)
  db.prepare(
    "insert into sessions (id, user_id, token, expires_at, created_at, updated_at) values ('sess_1', 'user_1', ?, ?, ?, ?)",
  ).run(token, later, at, at)
}
