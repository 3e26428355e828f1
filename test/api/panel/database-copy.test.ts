import { createHmac } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, cookiesOf, postPanel, type Signed, setUp } from '../../support/panel/panel.ts'
import { totp } from '../../support/panel/totp.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

type Row = Record<string, unknown>

const secrets: Record<string, string> = {}
let service: TestService
let bob: Signed
let copyDir: string
/** Every row of every table of the copy. */
let rows: Row[]

beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_SIGN_UP: 'invite' } })
  await useEverything()
  copyDir = mkdtempSync(join(tmpdir(), 'pipit-copy-'))
  for (const name of ['pipit.db', 'pipit.db-wal'])
    if (existsSync(join(service.dataDir, name)))
      copyFileSync(join(service.dataDir, name), join(copyDir, name))
  rows = readAllRows(join(copyDir, 'pipit.db'))
})
afterAll(async () => {
  await service.close()
  rmSync(copyDir, { recursive: true, force: true })
})

/** Signs in, sets up two-factor sign-in, begins another sign-in, and creates links and keys. */
async function useEverything(): Promise<void> {
  const ada = await setUp(service)
  const password = 'password of Bob'
  const first = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  const enabled = await first.post('/auth/two-factor/enable', { password })
  const { totpURI, backupCodes } = (await enabled.json()) as {
    totpURI: string
    backupCodes: string[]
  }
  const totpSecret = new URL(totpURI).searchParams.get('secret') ?? ''
  const verified = await first.post('/auth/two-factor/verify-totp', { code: totp(totpSecret) })
  const cookie = cookiesOf(verified) || first.cookie
  bob = { ...first, cookie }
  const half = await postPanel(service, '/auth/sign-in/email', {
    email: 'bob@example.com',
    password,
  })
  const { account } = bob.me
  const invite = await ada.post('/invites', { role: 'admin' })
  const reset = await ada.post(`/accounts/${account.id}/reset-password`)
  const key = await ada.post('/keys', { name: 'laptop' })
  Object.assign(secrets, {
    'session of Ada': tokenOf(ada.cookie, 'session_token'),
    'session of Bob': tokenOf(cookie, 'session_token'),
    'sign-in that waits for a code': tokenOf(cookiesOf(half), 'two_factor'),
    password,
    'TOTP secret': totpSecret,
    'backup code': backupCodes[0] ?? '',
    invite: await linkSecret(invite),
    'password link': await linkSecret(reset),
    'API key': ((await key.json()) as { key: string }).key,
    'first API key': service.key,
  })
}

test('everything that was used has a secret, and the copy has its rows', () => {
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret.length > 7]).toEqual([name, true])
  expect(rows.length).toBeGreaterThan(15)
})

test('a copy of the database contains no secret in clear (T32, T44, T55)', () => {
  const text = JSON.stringify(rows)
  const files = ['pipit.db', 'pipit.db-wal']
    .filter((name) => existsSync(join(copyDir, name)))
    .map((name) => readFileSync(join(copyDir, name), 'latin1'))
    .join('\n')
  const found = Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret) || files.includes(secret))
    .map(([name]) => name)
  expect(found).toEqual([])
  const count = Object.keys(secrets).length
  recordFinding(
    'T55',
    `None of ${count} secrets is in the ${rows.length} rows and the files of a copy.`,
  )
})

test('no cookie made from a copy of the database is accepted (T44, T55)', async () => {
  // Session ids are in the columns `token` and `identifier`. Any text of the copy may be the secret that signs cookies.
  const texts = rows.flatMap(Object.values).filter((value) => typeof value === 'string')
  const tokens = rows.flatMap(({ token, identifier }) => [token, identifier]).filter(isText)
  const inFile = readFileSync(join(service.dataDir, 'panel.secret'), 'utf8').trim()
  const keys = [...new Set([...texts, inFile])].filter((text) => /^[\w-]{32,}$/.test(text))
  // The secret's file is not part of the copy, but its content is tried too. With a session id it makes a valid cookie.
  expect(await meWith(secrets['session of Bob'] ?? '', inFile)).toBe(200)
  expect(tokens.length).toBeGreaterThan(2)
  const accepted: string[] = []
  for (const key of keys)
    for (const token of tokens) if ((await meWith(token, key)) !== 401) accepted.push(token)
  expect(accepted).toEqual([])
  const cookies = keys.length * tokens.length
  recordFinding('T55', `None of ${cookies} cookies made from a copy of the database was accepted.`)
})

const isText = (value: unknown): value is string => typeof value === 'string'

async function meWith(token: string, secret: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  const cookie = `pipit.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  return (await fetch(`${service.url}/panel/api/me`, { headers: { cookie } })).status
}

function tokenOf(cookies: string, name: string): string {
  const value = new RegExp(String.raw`pipit\.${name}=([^;]+)`).exec(cookies)?.[1] ?? ''
  return decodeURIComponent(value).split('.', 1)[0] ?? ''
}

async function linkSecret(response: Response): Promise<string> {
  return ((await response.json()) as { url: string }).url.split('#')[1] ?? ''
}

function readAllRows(path: string): Row[] {
  const db = new BetterSqlite3(path)
  try {
    const tables = db
      .prepare("select name from sqlite_schema where type = 'table'")
      .pluck()
      .all() as string[]
    return tables.flatMap((table) => db.prepare(`select * from "${table}"`).all() as Row[])
  } finally {
    db.close()
  }
}
