import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../../src/paths.ts'
import { randomModelIn, temporaryFolder } from '../../support/engine/engine-fixtures.ts'
import { interruptCli, runCli, startProcess } from '../../support/process.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { runCommand } from '../../support/terminal/run-command.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'

const gate = new ReplyGate()
let service: TestService
beforeAll(async () => {
  service = await startTestService({ engine: scriptedEngine({ gate: gate.gate }) })
})
// Replies still held after a failed test would delay closing the service.
afterEach(() => gate.release())
afterAll(() => service.close())

const cli = (...args: string[]) => runCommand(args, { PIPIT_DATA_DIR: service.dataDir })
const status = async (key: string) => (await service.request('/v1/models', { key })).status

test('the first start prints a key and a curl command that works as it stands', async () => {
  const own = await startProcess({ PIPIT_ENGINE: 'scripted' })
  try {
    const line = own.stdout.split('\n').find((text) => text.trim().startsWith('curl '))
    const { stdout } = await promisify(execFile)('sh', ['-c', line ?? 'false'])
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' })
  } finally {
    await own.dispose()
  }
})

test('limits, scopes, expiry and rotation are set from the command line', async () => {
  const may = ['--scopes', 'chat', '--requests-per-minute', '60', '--tokens-per-day', '1000']
  const createdText = await cli(
    'keys',
    'create',
    '--name',
    'app',
    '--expires',
    '30d',
    ...may,
    '--json',
  )
  const { id, key } = JSON.parse(createdText.stdout) as { id: string; key: string }
  await expect.poll(() => status(key)).toBe(200)
  const keyOf = async (used: string) =>
    (await service.request('/v1/key', { key: used })).json() as Promise<{ expires: number }>
  const before = await keyOf(key)
  expect(before).toMatchObject({
    scopes: ['chat'],
    limits: { requests_per_minute: { limit: 60 }, tokens_per_day: { limit: 1000 } },
  })
  expect(Math.abs(before.expires - Date.now() / 1000 - 30 * 86_400)).toBeLessThan(600)

  const edit = ['--tokens-per-day', 'none', '--parallel-requests', '2', '--scopes', 'chat,read']
  expect((await cli('keys', 'edit', id, '--expires', 'none', ...edit)).stdout).toBe(
    `Changed ${id}.\n`,
  )
  await expect
    .poll(() => keyOf(key))
    .toMatchObject({
      expires: null,
      scopes: ['chat', 'read'],
      limits: { requests_per_minute: { limit: 60 }, tokens_per_day: null, parallel_requests: {} },
    })
  const list = (await cli('keys', 'list')).stdout
  expect(list).not.toContain(key)
  expect(list).toMatch(
    new RegExp(`${id} .* active +never +chat,read +requests-per-minute=60 parallel-requests=2`),
  )

  const rotated = JSON.parse(
    (await cli('keys', 'rotate', id, '--grace', '1h', '--json')).stdout,
  ) as {
    id: string
    key: string
  }
  expect(rotated.id).toBe(id)
  await expect.poll(() => status(rotated.key)).toBe(200)
  expect(await status(key)).toBe(200)
  expect((await cli('keys', 'revoke', id)).code).toBe(0)
  await expect.poll(() => status(key)).toBe(401)
  expect(await status(rotated.key)).toBe(401)

  const [account] = JSON.parse((await cli('accounts', 'list', '--json')).stdout) as { id: string }[]
  const accountId = account?.id ?? ''
  expect((await cli('accounts', 'edit', accountId, '--tokens-per-month', '5000000')).code).toBe(0)
  expect((await cli('accounts', 'list')).stdout).toContain('tokens-per-month=5000000')
  expect((await cli('accounts', 'edit', accountId, '--tokens-per-month', 'none')).code).toBe(0)
})

test('a stream ends with an error when its key is revoked (T9, G8)', async () => {
  const created = await cli('keys', 'create', '--name', 'cut', '--json')
  const { id, key } = JSON.parse(created.stdout) as { id: string; key: string }
  await expect.poll(() => status(key)).toBe(200)
  const response = await service.post({ ...question, stream: true }, { key })
  expect(response.status).toBe(200)
  // Reads without a pause: a client loses the bytes that it has not read when the connection is cut.
  const reading = readStream(response)
  expect((await cli('keys', 'revoke', id)).code).toBe(0)
  const { done, events } = await reading
  expect([done, events.at(-1)?.error?.code]).toEqual([false, 'invalid_api_key'])
})

test('a mistake is reported in one sentence with exit code 1', async () => {
  expect(await runCli(['keys', 'revoke', 'key_none'], { PIPIT_DATA_DIR: service.dataDir })).toEqual(
    { code: 1, stdout: '', stderr: 'pipit: There is no API key "key_none".\n' },
  )
  for (const args of [
    ['keys', 'create', '--name', ''],
    ['keys', 'create', '--name', 'x'.repeat(500)],
    ['keys', 'create', '--name', 'x', '--scopes', 'admin'],
    ['keys', 'create', '--name', 'x', '--tokens-per-day', '0'],
    ['keys', 'create', '--name', 'x', '--expires', '2020-01-01'],
    ['keys', 'create', '--name', 'x', '--account', 'acct_none'],
    ['keys', 'edit', 'key_none', '--name', 'x'],
    ['keys', 'rotate', 'key_none'],
    ['accounts', 'edit', 'acct_none', '--tokens-per-day', '1'],
  ])
    expect([args, await cli(...args)]).toEqual([
      args,
      { code: 1, stdout: '', stderr: expect.stringMatching(/^pipit: [^\n]+\n$/) },
    ])
})

test('a wrong setting has an exit code of its own, with which systemd does not start the service again', async () => {
  expect(await runCli(['serve'], { PIPIT_DATA_DIR: service.dataDir, PIPIT_SLOTS: '0' })).toEqual({
    code: 78,
    stdout: '',
    stderr: expect.stringMatching(/^pipit: PIPIT_SLOTS [^\n]+\n$/),
  })
  const unit = readFileSync(join(packageRoot, 'deploy/pipit.service'), 'utf8')
  expect(unit).toMatch(/^RestartPreventExitStatus=78$/m)
})

test('a command line that cannot be read is refused with exit code 1', async () => {
  for (const args of [
    ['keys', 'create'],
    ['nonsense'],
    ['keys', 'nonsense'],
    ['keys', 'create', '--name', 'x', '--expires', 'soon'],
    ['keys', 'create', '--name', 'x', '--expires', '2127-02-31'],
    ['keys', 'create', '--name', 'x', '--tokens-per-day', 'many'],
    ['keys', 'rotate', 'key_none', '--grace', '-1h'],
    ['bench', '--seconds', 'x'],
  ])
    expect([args, await cli(...args)]).toEqual([
      args,
      { code: 1, stdout: '', stderr: expect.stringMatching(/./) },
    ])
})

// On a busy machine a measurement may have no result, and its line says so.
const benchLines =
  /load +[\d.]+ s\n +read prompt +(\d|no result).*\n +1 caller +(\d|no result).*, first token .*\n +4 callers .*\n +8 callers .*waiting for a slot\n +memory +\d+ MB in the main process/

test('bench measures the same engine that serve starts', async () => {
  const folder = temporaryFolder()
  try {
    const environment = { PIPIT_MODEL: randomModelIn(folder.path), PIPIT_THREADS: '1' }
    const { code, stdout } = await runCli(['bench', '--seconds', '1'], environment)
    expect(stdout).toMatch(/^random-\d+\.gguf · 4 slots × 512 tokens · .* · 1 thread · .*\n/)
    expect(stdout).toMatch(benchLines)
    expect(stdout).toMatch(/, \d+ MB in the engine process\n$/)
    expect(code).toBe(0)
  } finally {
    folder.remove()
  }
})

test('bench measures the scripted engine, and ends at once on Ctrl-C', async () => {
  const environment = { PIPIT_ENGINE: 'scripted' }
  const whole = await runCli(['bench', '--seconds', '0.2'], environment)
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringMatching(benchLines)])
  const cut = await interruptCli(['bench', '--seconds', '600'], environment, 'reading prompts')
  expect([cut.code, cut.stdout.includes('read prompt')]).toEqual([130, false])
  const args = ['bench', '--seconds', '600']
  expect((await interruptCli(args, environment, 'reading prompts', 'SIGTERM')).code).toBe(143)
})

test('--version and --help print the version and the commands', async () => {
  expect((await cli('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await cli('--help')).stdout).toMatch(/serve[\s\S]*keys/)
})

test('Ctrl-C lets a running reply end, although it reaches the engine process as well', async () => {
  const folder = temporaryFolder()
  const model = randomModelIn(folder.path, { contextTokens: 2048 })
  const own = await startProcess({ PIPIT_MODEL: model, PIPIT_THREADS: '1' })
  try {
    const response = await own.post({ ...question, max_tokens: 1000, seed: 1, stream: true })
    process.kill(own.enginePid() ?? 0, 'SIGINT')
    const exit = own.kill('SIGINT')
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/)
    expect(await exit).toBe(0)
  } finally {
    await own.dispose()
    folder.remove()
  }
})

test('SIGTERM lets a running reply end, and the exit code is 0', async () => {
  const own = await startProcess({
    PIPIT_ENGINE: 'scripted',
    PIPIT_SCRIPTED_TOKENS_PER_SECOND: '2',
  })
  try {
    const response = await own.post({ ...question, max_tokens: 4, stream: true })
    const exit = own.kill('SIGTERM')
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/)
    expect(await exit).toBe(0)
  } finally {
    await own.dispose()
  }
})

test('through npm, paths of backup and migrate start in the folder of the user', async () => {
  const { path: folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const run = (...args: string[]) =>
    runCommand(args, {
      PIPIT_DATA_DIR: service.dataDir,
      npm_lifecycle_event: 'pipit',
      INIT_CWD: folder,
    })
  expect((await run('backup', 'copy.db')).stdout).toContain(`Wrote ${join(folder, 'copy.db')}. `)
  expect(existsSync(join(folder, 'copy.db'))).toBe(true)
  const to = 'postgres://pipit@127.0.0.1:1/none'
  const { stderr } = await run('migrate', '--from', 'sqlite:none.db', '--to', to)
  expect(stderr).toContain(join(folder, 'none.db'))
})
