import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import type { EngineSettings } from '../../../src/engine/engine-settings.ts'
import { SwitchableEngine } from '../../../src/engine/switchable-engine.ts'
import { StartError } from '../../../src/errors.ts'
import { keepFigures } from '../../../src/models/bench-figures.ts'
import { findPulled, folderOf, withModelLock } from '../../../src/models/store.ts'
import { ModelSwitch } from '../../../src/models/switching/model-switch.ts'
import { readSwitchStatus } from '../../../src/models/switching/switch-status.ts'
import { readChoice, writeChoice } from '../../../src/models/used-model.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { randomGguf } from '../../support/gguf/random-gguf.ts'
import { LocalHub, sha256Of } from '../../support/hub/local-hub.ts'
import { storeModel } from '../../support/models/stored-model.ts'
import { interruptCli, newDataDir, runCli } from '../../support/process.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'
import { runCommand } from '../../support/terminal/run-command.ts'
import { openTerminal } from '../../support/terminal/terminal.ts'

const model = randomGguf({ contextTokens: 1024 })

function temporaryDir(): string {
  const path = newDataDir()
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

function models(dataDir: string, ...args: string[]) {
  return runCommand(['models', ...args], { PIPIT_DATA_DIR: dataDir })
}

test('the list has the pulled models with the chosen one, and those to pull', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'tiny', model)
  await models(dataDir, 'use', 'tiny')
  const { stdout } = await models(dataDir, 'list')
  expect(stdout).toMatch(/^ +PULLED +SIZE +QUANTISATION +LICENCE +SINCE\n +default .*\n\* +tiny /)
  expect(stdout).toMatch(/^ +TO PULL|^TO PULL/m)
  expect(stdout).toMatch(/^smollm2-135m +135M +apache-2\.0 /m)
  const json = JSON.parse((await models(dataDir, 'list', '--json')).stdout)
  expect(json).toMatchObject({ used: 'tiny', pulled: [{ name: 'tiny', source: 'hf:a/b' }] })
})

test('a model of the list is described before it is pulled', async () => {
  const { stdout } = await models(temporaryDir(), 'show', 'qwen3-0.6b')
  expect(stdout).toMatch(/^Qwen3 0\.6B\n +repository +\S+\/\S+\n +parameters +0\.6B\n/)
  expect(stdout).toMatch(/^ +not pulled +npm run -s pipit -- models pull qwen3-0\.6b$/m)
})

test('a model that is not pulled is named with a command that helps', async () => {
  const dataDir = temporaryDir()
  const stderrOf = async (...args: string[]) => (await models(dataDir, ...args)).stderr
  const bundled =
    'pipit: default is the bundled model. Name a pulled model; `npm run -s pipit -- models list` shows them.\n'
  for (const command of ['show', 'remove', 'verify'])
    expect(await stderrOf(command, 'default')).toBe(bundled)
  expect((await models(dataDir, 'use', 'Default')).code).toBe(0)
  expect(await stderrOf('use', 'qwen3-0.6b')).toBe(
    'pipit: The model "qwen3-0.6b" is not pulled. Pull it with `npm run -s pipit -- models pull qwen3-0.6b`.\n',
  )
  expect(await stderrOf('show', 'my own')).toBe(
    'pipit: The model "my own" is not pulled. See `npm run -s pipit -- models list`.\n',
  )
})

test('a pulled model is shown with its context, its memory and its speed here', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'tiny', model)
  const before = await models(dataDir, 'show', 'tiny')
  expect(before.stdout).toMatch(/^tiny\n +from +hf:a\/b\n +file +\S+m\.gguf\n +size +\d+ kB\n/)
  expect(before.stdout).toMatch(/^ +context +1024 tokens$/m)
  expect(before.stdout).toMatch(
    /^ +memory here +\d+ MB of \S+ GB available, for \d+ × 1024 tokens$/m,
  )
  expect(before.stdout).toMatch(
    /^ +speed here +not measured; choose the model, then run .* bench$/m,
  )

  await measure(dataDir, 'tiny', 80)
  const { stdout } = await models(dataDir, 'show', 'tiny')
  expect(stdout).toMatch(/^ +speed here +80\.0 tokens\/s for 1 \(pipit bench, 2026-01-01 /m)
})

test('the speed of a model that was not measured is estimated from one of a similar size', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'tiny', model)
  await measure(dataDir, 'tiny', 80)
  await storeModel(dataDir, 'twice', Buffer.concat([model, Buffer.alloc(model.length)]))
  const twice = await models(dataDir, 'show', 'twice')
  expect(twice.stdout).toMatch(/^ +speed here +about 40\.0 tokens\/s for 1, estimated from tiny$/m)
  await storeModel(dataDir, 'large', Buffer.concat([model, Buffer.alloc(8 * model.length)]))
  expect((await models(dataDir, 'show', 'large')).stdout).toMatch(/speed here +not measured; /)
})

async function measure(dataDir: string, name: string, speed: number): Promise<void> {
  const modelPath = join(folderOf(dataDir, name), 'm.gguf')
  const measuredMs = Date.UTC(2026, 0, 1)
  await keepFigures(dataDir, { kind: 'embedded', modelPath } as Parameters<typeof keepFigures>[1], {
    measuredMs,
    promptTokensPerSecond: undefined,
    tokensPerSecond: [{ callers: 1, speed }],
  })
}

test('verify finds a file that changed or is missing', async () => {
  const dataDir = temporaryDir()
  expect((await models(dataDir, 'verify')).stdout).toBe('No model is pulled.\n')
  for (const name of ['changed', 'gone', 'whole']) await storeModel(dataDir, name, model)
  appendFileSync(join(folderOf(dataDir, 'changed'), 'm.gguf'), 'x')
  rmSync(join(folderOf(dataDir, 'gone'), 'm.gguf'))
  const { code, stdout } = await models(dataDir, 'verify')
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^changed: .*; pull it again$/),
    expect.stringMatching(/^gone: .*; pull it again$/),
    'whole: ok',
    '',
  ])
  expect(code).toBe(1)
})

test('verify says which file cannot be read, and checks the others', async () => {
  const dataDir = temporaryDir()
  for (const name of ['a-folder', 'whole']) await storeModel(dataDir, name, model)
  const file = join(folderOf(dataDir, 'a-folder'), 'm.gguf')
  rmSync(file)
  mkdirSync(file)
  const manifest = join(folderOf(dataDir, 'a-folder'), 'model.json')
  const stored = JSON.parse(readFileSync(manifest, 'utf8')) as { files: { bytes: number }[] }
  stored.files[0]!.bytes = statSync(file).size
  writeFileSync(manifest, JSON.stringify(stored))
  const { code, stdout } = await models(dataDir, 'verify')
  expect([code, stdout]).toEqual([
    1,
    'a-folder: m.gguf cannot be read (EISDIR); pull it again\nwhole: ok\n',
  ])
})

test('an unfinished pull is listed, and can be removed', async () => {
  const dataDir = temporaryDir()
  const folder = folderOf(dataDir, 'tiny-q8_0')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'pull.json'),
    JSON.stringify({ name: 'tiny-q8_0', model: 'hf:a/b:Q8_0' }),
  )
  writeFileSync(join(folder, 'm.gguf.0123456789ab.part'), Buffer.alloc(2_000_000))
  expect((await models(dataDir, 'list')).stdout).toMatch(
    /^Unfinished: tiny-q8_0, 2\.00 MB of it are on the disk\.$/m,
  )
  expect(await models(dataDir, 'remove', 'tiny-q8_0')).toMatchObject({
    code: 0,
    stdout: 'Removed what was downloaded of tiny-q8_0.\n',
  })
  expect(existsSync(folder)).toBe(false)
})

test('a model that is used is not removed, another one is', async () => {
  const dataDir = temporaryDir()
  for (const name of ['one', 'two']) await storeModel(dataDir, name, model)
  await models(dataDir, 'use', 'one')
  expect(await models(dataDir, 'remove', 'one')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'pipit: one is the model to serve. Choose another one with `npm run -s pipit -- models use` first, such as default.\n',
  })
  expect((await models(dataDir, 'remove', 'two')).stdout).toBe('Removed two.\n')
  expect(readdirSync(join(dataDir, 'models')).filter((name) => /^(one|two)$/.test(name))).toEqual([
    'one',
  ])
  expect((await models(dataDir, 'remove', 'tow')).stderr).toMatch(/^pipit: .*tow/)
})

/** Follows `models use` as a running service does. Loads no model before `mayLoad`, and never the model `bad`. */
async function followChoices(dataDir: string, mayLoad = Promise.resolve()): Promise<ModelSwitch> {
  const config = loadConfig({ PIPIT_DATA_DIR: dataDir })
  const open = async (settings: EngineSettings) => {
    await mayLoad
    if ('modelPath' in settings && settings.modelPath.startsWith(folderOf(dataDir, 'bad')))
      throw new StartError('m.gguf cannot be used.')
    return scriptedEngine()
  }
  const engine = new SwitchableEngine(scriptedEngine())
  const settings = config.engine
  const running = await ModelSwitch.start({ config, engine, settings, open, logger: silentLogger })
  onTestFinished(() => {
    running.close()
    running.release()
  })
  return running
}

test('a choice for the next start outlives a later one that the running service cannot load', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'tiny', model)
  await storeModel(dataDir, 'bad', model)
  await followChoices(dataDir)
  await models(dataDir, 'use', 'tiny', '--next-start')
  expect((await models(dataDir, 'use', 'bad')).stderr).toMatch(/keeps the model that it had\./)
  expect(readChoice(dataDir)).toMatchObject({ name: 'tiny', isForNextStart: true })

  writeFileSync(join(dataDir, 'models/used.json'), 'damaged')
  expect((await models(dataDir, 'use', 'bad')).code).toBe(1)
  expect(readChoice(dataDir)).toMatchObject({ name: undefined, isForNextStart: true })
})

test('the service keeps a failed switch until a later one succeeds', async () => {
  const dataDir = temporaryDir()
  for (const name of ['tiny', 'bad']) await storeModel(dataDir, name, model)
  const service = await followChoices(dataDir)
  await models(dataDir, 'use', 'bad')
  expect(service.failure).toEqual({ name: 'bad', message: 'm.gguf cannot be used.' })
  await models(dataDir, 'use', 'tiny')
  expect(service.failure).toBeUndefined()
})

test('a model that cannot be loaded is no choice for the next start, even if its command was killed', async () => {
  const dataDir = temporaryDir()
  for (const name of ['tiny', 'bad']) await storeModel(dataDir, name, model)
  const service = await followChoices(dataDir)
  await service.use('tiny')
  // Killed twice, as by a person who tries again.
  for (const _ of [1, 2]) {
    const environment = { PIPIT_DATA_DIR: dataDir }
    await interruptCli(['models', 'use', 'bad'], environment, 'loads the model', 'SIGKILL')
  }
  await expect.poll(() => readChoice(dataDir).name).toBe('tiny')
  expect(service.failure?.name).toBe('bad')
})

test('a command whose service stops fails, and the earlier choice holds', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'big', model)
  const service = await followChoices(dataDir, new Promise(() => {}))
  const using = models(dataDir, 'use', 'big')
  await expect.poll(() => readSwitchStatus(dataDir)?.state).toBe('loading')
  service.close()
  expect(await using).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^the running .*\npipit: The service stopped before it served big\. The next start serves the bundled model\. .*--next-start\.\n$/,
    ),
  })
  expect(readChoice(dataDir).name).toBeUndefined()
})

test('a model chosen while another one is loading for the start is served after it', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'tiny', model)
  await writeChoice(dataDir, 'tiny')
  const service = await followChoices(dataDir)
  await expect
    .poll(() => readSwitchStatus(dataDir))
    .toEqual({ choiceId: readChoice(dataDir).id, state: 'ready' })
  expect(service.settings).toMatchObject({ modelPath: join(folderOf(dataDir, 'tiny'), 'm.gguf') })
})

const inUse = (name: string) => ({
  code: 1,
  stdout: '',
  stderr: `pipit: A running service uses ${name} or is loading it. Switch it to another model, or stop it, and try again.\n`,
})

test('a choice that fails takes back only itself, not a later one', async () => {
  const dataDir = temporaryDir()
  for (const name of ['tiny', 'bad']) await storeModel(dataDir, name, model)
  const loading = Promise.withResolvers<void>()
  const service = await followChoices(dataDir, loading.promise)
  const failing = models(dataDir, 'use', 'bad')
  await expect.poll(() => readChoice(dataDir).name).toBe('bad')
  const { id } = readChoice(dataDir)
  await expect.poll(() => readSwitchStatus(dataDir)?.choiceId).toBe(id)
  const later = { choiceId: await writeChoice(dataDir, 'tiny'), state: 'ready' }
  loading.resolve()
  expect((await failing).stderr).toMatch(/m\.gguf cannot be used\./)
  await expect.poll(() => readSwitchStatus(dataDir)).toEqual(later)
  expect(service.settings).toMatchObject({ modelPath: join(folderOf(dataDir, 'tiny'), 'm.gguf') })
})

test('a model that a running service serves, loads or may need again is not removed', async () => {
  const dataDir = temporaryDir()
  for (const name of ['one', 'two', 'three', 'bad']) await storeModel(dataDir, name, model)
  const loading = Promise.withResolvers<void>()
  const service = await followChoices(dataDir, loading.promise)
  // `use` is what the panel calls.
  const used = service.use('one')
  expect(await models(dataDir, 'remove', 'one')).toEqual(inUse('one'))
  expect((await models(dataDir, 'remove', 'three')).stdout).toBe('Removed three.\n')
  loading.resolve()
  await used

  await models(dataDir, 'use', 'two', '--next-start')
  expect(await models(dataDir, 'remove', 'one')).toEqual(inUse('one'))
  expect((await models(dataDir, 'use', 'bad')).code).toBe(1)
  expect((await models(dataDir, 'remove', 'bad')).stdout).toBe('Removed bad.\n')
  await models(dataDir, 'use', 'default')
  expect((await models(dataDir, 'remove', 'one')).stdout).toBe('Removed one.\n')
})

test('a model that a running service uses is not replaced by a newer one', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'one', model)
  const newer = randomGguf()
  const hub = await LocalHub.start({ 'a/b': { files: { 'm-Q8_0.gguf': newer } } })
  onTestFinished(() => hub.close())
  const environment = { PIPIT_DATA_DIR: dataDir, HF_ENDPOINT: hub.url }
  const pull = () => runCommand(['models', 'pull', 'hf:a/b', '--name', 'one'], environment)
  const service = await followChoices(dataDir)
  await service.use('one')
  expect(await pull()).toEqual(inUse('one'))
  expect(hub.bytesSent).toBe(0)

  await models(dataDir, 'use', 'default')
  expect(await pull()).toMatchObject({ code: 0 })
  expect(findPulled(dataDir, 'one').files).toMatchObject([{ sha256: sha256Of(newer) }])
})

test('a model that a service serves because of PIPIT_MODEL is removed only after that service', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'one', model)
  // A link elsewhere, whose path is not in the models folder.
  const link = join(temporaryDir(), 'link.gguf')
  symlinkSync(join(folderOf(dataDir, 'one'), 'm.gguf'), link)
  const environment = { PIPIT_ENGINE: 'embedded', PIPIT_MODEL: link }
  const service = await startTestService({ engine: scriptedEngine(), environment })
  onTestFinished(() => service.close())
  const remove = () => runCli(['models', 'remove', 'one'], { PIPIT_DATA_DIR: dataDir })
  expect(await remove()).toEqual(inUse('one'))
  await service.close()
  expect(await remove()).toEqual({ code: 0, stdout: 'Removed one.\n', stderr: '' })
})

test('a refused removal leaves the lock of its process in place', async () => {
  const dataDir = temporaryDir()
  await storeModel(dataDir, 'one', model)
  const refused = { code: 1, stderr: expect.stringMatching(/^pipit: Another process is pulling/) }
  await withModelLock(dataDir, 'one', async () => {
    expect(await models(dataDir, 'remove', 'one')).toMatchObject(refused)
    const remove = await runCli(['models', 'remove', 'one'], { PIPIT_DATA_DIR: dataDir })
    expect(remove).toMatchObject(refused)
  })
})

test('a folder that cannot be written is refused in one sentence', async () => {
  const dataDir = temporaryDir()
  // Puts a file where the folder should be, because root ignores file permissions.
  appendFileSync(join(dataDir, 'models'), '')
  const { code, stderr } = await models(dataDir, 'use', 'default')
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^pipit: \S+models is not a directory\. .*\n$/),
  ])
})

test('a terminal shows the progress of a download as a bar, and a pipe as lines', async () => {
  const hub = await LocalHub.start({ 'a/Tiny-GGUF': { files: { 'm-Q8_0.gguf': model } } })
  onTestFinished(() => hub.close())
  const environment = { HF_ENDPOINT: hub.url, PIPIT_DATA_DIR: temporaryDir() }
  const terminal = openTerminal(['models', 'pull', 'hf:a/Tiny-GGUF'], environment)
  onTestFinished(terminal.dispose)
  expect(await terminal.exitCode()).toBe(0)
  const screen = terminal.output()
  expect(screen).toMatch(
    /^Pulling tiny-q8_0 from hf:a\/Tiny-GGUF: Q8_0, \d+ kB, licence apache-2\.0\r\n/,
  )
  expect(screen).toMatch(/\r\[={24}\] 100 % {2}\d+ kB of \d+ kB/)
  expect(screen).toContain(`Pulled tiny-q8_0. SHA-256 ${sha256Of(model)}`)

  mkdirSync(join(environment.PIPIT_DATA_DIR, 'other'))
  const piped = await runCommand(['models', 'pull', 'hf:a/Tiny-GGUF'], {
    ...environment,
    PIPIT_DATA_DIR: join(environment.PIPIT_DATA_DIR, 'other'),
  })
  expect(piped.stderr).toMatch(
    /^Pulling tiny-q8_0 from hf:a\/Tiny-GGUF: Q8_0, \d+ kB, licence apache-2\.0\n$/,
  )
  expect(piped.stdout).toMatch(/^Pulled tiny-q8_0\. .*\nTo serve it: .* models use tiny-q8_0\n$/)
})
