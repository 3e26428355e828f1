import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { memoryEnvironment, memoryOptions } from '../../src/cli/memory-settings.ts'
import { packageRoot } from '../../src/paths.ts'
import { childrenOf, newDataDir } from '../support/process.ts'
import { question, readStream } from '../support/service.ts'

/** Runs `npm start`. In this checkout it builds nothing, because the test suite has already built everything. */
function npmStart(environment: Record<string, string> = {}) {
  const dataDir = newDataDir()
  const npm = spawn('npm', ['start'], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PIPIT_ENGINE: 'scripted',
      PIPIT_PORT: '0',
      PIPIT_METRICS_PORT: '0',
      PIPIT_DATA_DIR: dataDir,
      ...environment,
    },
  })
  const closed = new Promise<number | null>((resolve) => npm.once('exit', resolve))
  /** Resolves to what the service has printed. */
  const isServing = new Promise<string>((resolve, reject) => {
    let text = ''
    npm.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.includes('metrics ')) resolve(text)
    })
    void closed.then((code) => reject(new Error(`npm start ended with ${code}: ${text}`)))
  })
  onTestFinished(async () => {
    for (const pid of childrenOf(npm.pid ?? 0)) process.kill(pid, 'SIGKILL')
    npm.kill('SIGKILL')
    await closed
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { npm, closed, isServing }
}

test('a signal to the process of npm start ends the service, which is its only child', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'the processes of npm start are read from /proc')
  const { npm, closed, isServing } = npmStart()
  await isServing
  const [service = 0, ...others] = childrenOf(npm.pid ?? 0)
  expect(others).toEqual([])
  expect(childrenOf(service)).toEqual([])
  const options = readFileSync(`/proc/${service}/cmdline`, 'utf8').split('\0')
  expect(options).toEqual(expect.arrayContaining([...memoryOptions, 'serve']))
  const environment = readFileSync(`/proc/${service}/environ`, 'utf8').split('\0')
  for (const [name, value] of Object.entries(memoryEnvironment))
    expect(environment).toContain(`${name}=${value}`)
  npm.kill('SIGTERM')
  expect(await closed).toBe(0)
  expect(existsSync(`/proc/${service}`)).toBe(false)
})

test('Ctrl-C, which npm passes on to a service that has it already, lets a running reply end', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'the processes of npm start are read from /proc')
  const attempt = async () => {
    const { npm, closed, isServing } = npmStart({ PIPIT_SCRIPTED_TOKENS_PER_SECOND: '8' })
    const printed = await isServing
    const [, url] = /serves \S+ on (\S+)/.exec(printed) ?? []
    const [, key] = /^ +(sk-pipit-\S+)$/m.exec(printed) ?? []
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, max_tokens: 24, stream: true }),
    })
    const reply = readStream(response)
    const [service = 0] = childrenOf(npm.pid ?? 0)
    process.kill(service, 'SIGINT')
    await delay(50)
    npm.kill('SIGINT')
    return { done: (await reply).done, code: await closed }
  }
  let ended = await attempt()
  // On a busy machine the second signal may come so late that it counts as another Ctrl-C.
  for (let left = 2; left > 0 && ended.code === 130; left -= 1) ended = await attempt()
  expect(ended).toEqual({ done: true, code: 0 })
})

/** Builds programs that print their arguments, unless a file forbids it. */
const prepare = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
if (existsSync('broken')) process.exit(3)
for (const [folder, name] of [['dist/cli', 'main.js'], ['node_modules/.bin', 'vitest']]) {
  mkdirSync(folder, { recursive: true })
  const program = '#!/usr/bin/env node\\nconsole.log(process.argv.slice(2).join(" "))'
  writeFileSync(folder + '/' + name, program, { mode: 0o755 })
}`

test.each([
  { args: ['start'], runs: 'serve' },
  { args: ['run', 'pipit', '--', 'keys', 'list'], runs: 'keys list' },
  { args: ['test', '--', 'a.test.ts'], runs: 'run --project default* a.test.ts' },
])('npm $args prepares a clone where npm ignores scripts, too', ({ args, runs }) => {
  const clone = mkdtempSync(join(tmpdir(), 'pipit-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  mkdirSync(join(clone, 'tools'))
  cpSync(join(packageRoot, 'package.json'), join(clone, 'package.json'))
  writeFileSync(join(clone, 'tools/prepare.mjs'), prepare)
  const npm = () =>
    spawnSync('npm', ['--silent', '--ignore-scripts', ...args], { cwd: clone, encoding: 'utf8' })
  expect(npm()).toMatchObject({ status: 0, stdout: `${runs}\n` })
  writeFileSync(join(clone, 'broken'), '')
  expect(npm()).toMatchObject({ status: 3, stdout: '' })
})
