import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writeChoice } from '../../../src/models/used-model.ts'
import { storeModel } from '../../support/models/stored-model.ts'
import { mainFile, newDataDir, runCli } from '../../support/process.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { selfSigned } from '../../support/tls/self-signed.ts'

type Finding = { state: string; name: string; text: string; remedy?: string }

let service: TestService
/** Data directory of a service that has run and closed. */
let used: string
beforeAll(async () => {
  used = newDataDir()
  const before = await startTestService({ dataDir: used })
  for (let count = 0; count < 3; count++) await (await before.post(question)).text()
  await before.close()
  service = await startTestService()
})
afterAll(async () => {
  rmSync(used, { recursive: true })
  await service.close()
})

async function doctor(environment: Record<string, string>, ...args: string[]) {
  const settings = { PIPIT_ENGINE: 'scripted', PIPIT_PORT: '0', PIPIT_METRICS_PORT: '0' }
  const { code, stdout, stderr } = await runCli(['doctor', '--json', ...args], {
    ...settings,
    ...environment,
  })
  expect(stderr).toBe('')
  const findings = JSON.parse(stdout) as Finding[]
  const faults = findings.filter(({ state }) => state === 'fault')
  expect(code).toBe(faults.length === 0 ? 0 : 1)
  return { findings, faults: Object.fromEntries(faults.map((one) => [one.name, one])) }
}

function copyOfUsed(): string {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  cpSync(used, dataDir, { recursive: true })
  return dataDir
}

test('a whole machine has no faults: the database is checked, and the bundled model generates', async () => {
  const { findings, faults } = await doctor(
    { PIPIT_DATA_DIR: used, PIPIT_ENGINE: 'embedded' },
    '--full',
  )
  expect(faults).toEqual({})
  const texts = Object.fromEntries(findings.map(({ name, text }) => [name, text]))
  expect(texts).toMatchObject({
    database: 'pipit.db is whole',
    ledger: '3 entries agree with their sums',
    model: expect.stringMatching(/svc-o1-mini\.gguf, with the right checksum$/),
    generation: expect.stringMatching(/^[1-9]\d* tokens in \d+ ms; kernels /),
  })
})

test('beside a running service, its ports are not faults', async () => {
  const { findings, faults } = await doctor({ PIPIT_DATA_DIR: service.dataDir })
  expect(faults).toEqual({})
  expect(findings.find(({ name }) => name === 'service')?.text).toContain(service.url)
})

test('a running service with a certificate for other names, from no known authority, is no fault', async () => {
  const folder = newDataDir()
  const { cert, key } = selfSigned()
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const environment = {
    PIPIT_HOST: '127.0.0.2',
    PIPIT_TLS_CERT: join(folder, 'cert.pem'),
    PIPIT_TLS_KEY: join(folder, 'key.pem'),
  }
  const secured = await startTestService({ environment })
  onTestFinished(async () => {
    await secured.close()
    rmSync(folder, { recursive: true })
  })
  const { findings, faults } = await doctor({ ...environment, PIPIT_DATA_DIR: secured.dataDir })
  expect(faults).toEqual({})
  expect(findings.find(({ name }) => name === 'service')?.text).toContain(secured.url)
})

test('a port in use, a damaged database and a readable secret are found together', async () => {
  const dataDir = copyOfUsed()
  const database = openSync(join(dataDir, 'pipit.db'), 'r+')
  for (let page = 3; page < 20; page++)
    writeSync(database, Buffer.alloc(2048, 7), 0, 2048, page * 4096)
  chmodSync(join(dataDir, 'panel.secret'), 0o644)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const port = String((other.address() as AddressInfo).port)
  const { faults } = await doctor({ PIPIT_DATA_DIR: dataDir, PIPIT_PORT: port })
  expect(faults).toEqual({
    port: expect.objectContaining({
      text: `Port ${port} on 127.0.0.1 is in use by another program.`,
    }),
    database: expect.objectContaining({
      text: expect.stringMatching(/pipit\.db is damaged: /),
      remedy: expect.stringMatching(/restore the last backup/),
    }),
    secret: expect.objectContaining({ remedy: expect.stringMatching(/^Run `chmod 600 /) }),
  })
})

test('a ledger that contradicts itself is found, with every contradiction and what to do', async () => {
  const dataDir = copyOfUsed()
  const database = new BetterSqlite3(join(dataDir, 'pipit.db'))
  database.exec(`
    update usage_sums set requests = requests + 1 where span = 'day';
    update usage set outcome = null where rowid = (select min(rowid) from usage);
    update usage set cached_tokens = prompt_tokens + 1 where rowid = (select max(rowid) from usage);`)
  database.close()
  const { findings, faults } = await doctor({ PIPIT_DATA_DIR: dataDir })
  expect(Object.keys(faults)).toEqual(['ledger'])
  const found = findings.filter(({ state }) => state === 'fault')
  expect(found.map(({ text }) => text.replaceAll(/req_\w+|acct_\w+/g, 'ID'))).toEqual([
    'The ledger has accounts whose sums by hour, day and month differ: ID (I3).',
    'The ledger has settled entries without an outcome or its tokens, or open entries with an outcome: ID (I1).',
    'The ledger has entries with impossible counts of tokens: ID (I6).',
  ])
  for (const { remedy } of found) expect(remedy).toMatch(/^Stop the service and keep a copy/)
})

test('an empty file, a database of another program and one of a newer version are found', async () => {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const path = join(dataDir, 'pipit.db')
  const backUp = (name: string) =>
    runCli(['backup', join(dataDir, name)], { PIPIT_DATA_DIR: dataDir })
  const findFault = async () => {
    const { text, remedy } = (await doctor({ PIPIT_DATA_DIR: dataDir })).faults['database'] ?? {}
    return { text: text?.replace(path, 'FILE'), remedy }
  }

  writeFileSync(path, '')
  expect(await findFault()).toEqual({
    text: 'FILE is empty.',
    remedy: expect.stringMatching(/restore the last backup/),
  })
  expect(await backUp('empty')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/pipit\.db is empty\. /),
  })

  const foreign = new BetterSqlite3(path)
  foreign.exec('create table notes (text)')
  foreign.close()
  expect(await findFault()).toEqual({
    text: 'FILE is not a database of Pipit: check PIPIT_DATA_DIR.',
    remedy: 'Set PIPIT_DATA_DIR to another directory, or move the file away.',
  })
  expect(await backUp('foreign')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a database of Pipit'),
  })

  cpSync(join(used, 'pipit.db'), path)
  const newer = new BetterSqlite3(path)
  newer.exec("insert into schema_migrations values (9999, 'later', 0)")
  newer.close()
  expect(await findFault()).toEqual({
    text: expect.stringMatching(
      /^FILE was written by a newer Pipit \(schema 9999; this version supports up to \d+\)\.$/,
    ),
    remedy: 'Start that version of Pipit.',
  })
  // The earlier program may back up a database before it is replaced by the later one.
  expect((await backUp('newer')).code).toBe(0)
})

test('a database that cannot be read is no reason to restore a backup', async () => {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  mkdirSync(join(dataDir, 'pipit.db'))
  const { faults } = await doctor({ PIPIT_DATA_DIR: dataDir })
  expect(faults['database']).toMatchObject({
    text: expect.stringMatching(/pipit\.db cannot be read \(SQLITE_\w+\)\.$/),
    remedy: 'Give your user access to the file, and check its disk.',
  })
})

test('a damaged model is found by its checksum, a cut one by its form', async () => {
  const folder = copyOfUsed()
  const bytes = readFileSync(new URL('../../../model/svc-o1-mini.gguf', import.meta.url))
  const path = join(folder, 'model.gguf')
  const settings = { PIPIT_DATA_DIR: folder, PIPIT_ENGINE: 'embedded', PIPIT_MODEL: path }
  bytes[bytes.length - 1000]! ^= 1
  writeFileSync(path, bytes)
  const flipped = await doctor({
    ...settings,
    PIPIT_MODEL_SHA256: '6b085b532d1c35f649db9d26b5c689cb00cb400023a2dc36d81e26482e43c235',
  })
  expect(flipped.faults['model']?.text).toMatch(/is damaged: its SHA-256 is not 6b08/)
  writeFileSync(path, bytes.subarray(0, 10))
  const cut = await doctor(settings)
  expect(cut.faults['model']?.text).toMatch(/cannot be used: it is truncated\.$/)
})

test('the model that `models use` has chosen is checked, and missed if it was removed', async () => {
  const dataDir = copyOfUsed()
  const settings = { PIPIT_DATA_DIR: dataDir, PIPIT_ENGINE: 'embedded' }
  await storeModel(dataDir, 'tiny', Buffer.from('GGUF but not a model'))
  await writeChoice(dataDir, 'tiny')
  const damaged = await doctor(settings)
  expect(damaged.faults['model']).toMatchObject({
    text: expect.stringMatching(/models\/tiny\/m\.gguf cannot be used: /),
    remedy: expect.stringMatching(
      /models use default`, remove this one with `.* models remove`, and pull it again\.$/,
    ),
  })
  await writeChoice(dataDir, 'gone')
  const { faults } = await doctor(settings)
  expect(Object.keys(faults)).toEqual(['model'])
  expect(faults['model']?.text).toMatch(/^The model gone, .* cannot be used: it was removed\./)
})

test('a data directory without access is found, and a wrong setting', async ({ skip }) => {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const locked = join(dataDir, 'locked')
  mkdirSync(locked, { mode: 0o500 })
  chmodSync(dataDir, 0o755)
  const environment = { PATH: process.env['PATH'], PIPIT_ENGINE: 'scripted', PIPIT_PORT: '0' }
  // Root ignores file permissions.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const runAsUser = (command: string, path = locked) =>
    spawnSync(process.execPath, ['--no-warnings', mainFile, command], {
      env: { ...environment, PIPIT_DATA_DIR: path },
      encoding: 'utf8',
      ...user,
    })
  if (runAsUser('--version').status !== 0) skip('only root may read this folder or run this Node')
  const run = runAsUser('doctor')
  expect(run.stdout).toMatch(
    /^FAULT +data +\S+locked cannot be read and written \(EACCES\)\.\n +→ Give your user access/m,
  )
  expect(run.stdout).toMatch(/\nOne fault\.\n$/)
  expect(run.status).toBe(1)
  const fresh = join(locked, "it's new")
  expect(runAsUser('doctor', fresh).stdout).toContain(
    `→ Create it for your user (\`sudo install -d -m 700 -o $(id -u) '${locked}/it'\\''s new'\`), or set PIPIT_DATA_DIR to another directory.`,
  )
  const { faults } = await doctor({ PIPIT_DATA_DIR: dataDir, PIPIT_SLOTS: 'many' })
  expect(faults['settings']?.text).toMatch(/^PIPIT_SLOTS /)
})
