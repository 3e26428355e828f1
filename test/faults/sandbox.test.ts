import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { findEngineBuild } from '../../src/engine/embedded/engine-build.ts'
import {
  layersIn,
  missingLayers,
  type SandboxLayer,
} from '../../src/engine/embedded/sandbox/layers.ts'
import { launchOf } from '../../src/engine/embedded/sandbox/launch.ts'
import { bundledModelPath } from '../../src/paths.ts'
import { testAddonPath } from '../native/test-addon.ts'
import {
  complete,
  randomModelIn,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe('the running engine process', () => {
  let engine: EmbeddedEngine
  /** Sandbox layers that this machine's kernel supports. */
  let layers: ReturnType<typeof layersIn>
  beforeAll(async () => {
    engine = await startEngine({ modelPath: randomModelIn(folder.path) })
    layers = layersIn(readFileSync(`/proc/${engine.pid}/cmdline`, 'utf8').split('\0'))
  })
  afterAll(() => engine.close())

  test('has every layer that this kernel offers, and names those that it lacks (T23)', () => {
    expect(layers).toEqual(expect.arrayContaining(kernelLayers()))
    const missing = missingLayers(layers)
    const words = missing.length === 0 ? '' : ` without ${missing.join(' and ')}`
    expect(engine.info.sandbox).toBe(`sandboxed${words}`)
  })

  test('can gain no privileges and filters its system calls (T23, T38)', () => {
    const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8')
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    if (layers.includes('seccomp')) expect(status).toMatch(/^Seccomp:\t2$/m)
    // The bit 4 is CAP_DAC_READ_SEARCH, which root needs to read a model file of another user.
    expect(/^CapEff:\t0*([04])$/m.exec(status)).not.toBeNull()
  })

  test('every one of its threads has the filters of the launcher and of the addon (T23)', ({
    skip,
  }) => {
    skip(!layers.includes('seccomp'), 'the kernel has no seccomp')
    const threads = readdirSync(`/proc/${engine.pid}/task`)
    expect(threads.length).toBeGreaterThan(2)
    for (const thread of threads) {
      const status = readFileSync(`/proc/${engine.pid}/task/${thread}/status`, 'utf8')
      expect(Number(/^Seccomp_filters:\t(\d+)$/m.exec(status)?.[1] ?? 2)).toBeGreaterThanOrEqual(2)
    }
  })

  test('writes no core dump and no file (T23)', () => {
    const limits = readFileSync(`/proc/${engine.pid}/limits`, 'utf8')
    expect(limits).toMatch(/^Max core file size +0 +0 /m)
    expect(limits).toMatch(/^Max file size +0 +0 /m)
    expect(limits).toMatch(/^Max open files +\d{1,3} +256 /m)
  })

  test('gets no environment but what it needs (T38)', () => {
    const environment = readFileSync(`/proc/${engine.pid}/environ`, 'utf8').split('\0')
    const names = environment.filter(Boolean).map((entry) => entry.split('=')[0])
    expect(
      names.filter((name) => name !== undefined).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['LD_LIBRARY_PATH', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'])
  })

  test('still generates', async () => {
    expect((await complete(engine, 'Hello', { maxTokens: 4 })).finish.completionTokens).toBe(4)
  })
})

test('without a sandbox the engine runs, and says so', async () => {
  const engine = await startEngine({ modelPath: randomModelIn(folder.path), sandbox: false })
  onTestFinished(() => engine.close())
  expect(engine.info.sandbox).toBe('no sandbox')
})

describe('code that has taken over the engine process', () => {
  const modelPath = join(folder.path, 'model.gguf')
  const ledgerPath = join(folder.path, 'ledger.sqlite')
  const server = createServer()
  const unixServer = createServer()
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    unixServer.listen(join(folder.path, 'socket'))
    await Promise.all([once(server, 'listening'), once(unixServer, 'listening')])
    copyFileSync(bundledModelPath, modelPath)
  })
  beforeEach(() => writeFileSync(ledgerPath, 'secret'))
  afterAll(() => {
    server.close()
    unixServer.close()
  })

  test('reaches no network, no program, no other process and no file but the model (T2, T23, T38)', async () => {
    const results = await attack([])
    expect(resultsOf('work', results)).toEqual(['done', 'done', 'done', 'done'])
    expect(resultsOf('attack', results)).toHaveLength(24)
    const refused = ['EPERM', 'EACCES', 'EBADF']
    const reached = Object.entries(results).filter(
      ([name, result]) => name.startsWith('attack') && !refused.includes(result),
    )
    if (layersIn([results['launcher'] ?? '']).includes('landlock')) expect(reached).toEqual([])
    expect(readFileSync(ledgerPath, 'utf8')).toBe('secret')
  })

  test('reaches no network and no program, and changes no file, without Landlock too (T2, T23)', async () => {
    // Lets Landlock allow as much as it can here, so that only the system call filter protects.
    const results = await attack(['--device', '/'])
    expect(results['attack: read the ledger']).toBe('done')
    expect(results).toMatchObject({
      'attack: connect by TCP': 'EPERM',
      'attack: listen on TCP': 'EPERM',
      'attack: send a datagram': 'EPERM',
      'attack: connect to a Unix socket': 'EPERM',
      'attack: start a program': 'EPERM',
      'attack: signal the parent': 'EPERM',
      'attack: slow down the parent': 'EPERM',
      'attack: disturb the parent by F_SETOWN': 'EPERM',
      'attack: disturb the parent by F_SETOWN_EX': 'EPERM',
      'attack: disturb the parent by F_SETSIG': 'EPERM',
      'attack: disturb the parent by FIOSETOWN': 'EPERM',
      'attack: disturb the parent by SIOCSPGRP': 'EPERM',
      'attack: disturb the parent by sched_setaffinity': 'EPERM',
      'attack: read an inherited file': 'EBADF',
      'attack: change a file': 'EACCES',
      'attack: create a file': 'EACCES',
      'attack: change the model': 'EACCES',
      'attack: change the mode of a file': 'EPERM',
      'attack: change the times of a file': 'EPERM',
      'attack: remove a file': 'EPERM',
    })
    expect(readFileSync(ledgerPath, 'utf8')).toBe('secret')
  })

  test('cannot replace itself by another program (T23)', async () => {
    const { output, errors } = await runHostile([], ['replace'])
    expect(output).not.toContain('replaced')
    expect(errors).toMatch(/EPERM|Operation not permitted/)
  })

  async function attack(options: string[]): Promise<Record<string, string>> {
    const { output, errors } = await runHostile(options, [])
    expect(errors).toBe('')
    return JSON.parse(output)
  }

  async function runHostile(
    options: string[],
    words: string[],
  ): Promise<{ output: string; errors: string }> {
    const build = findEngineBuild()
    const launch = launchOf({ ...build, modelPath, sandbox: true }, [])
    const script = readFileSync(join(import.meta.dirname, 'hostile-engine.ts'), 'utf8')
    const port = String((server.address() as AddressInfo).port)
    const places = [build.addonPath, testAddonPath, modelPath, port, folder.path]
    const inherited = openSync(ledgerPath, 'r')
    try {
      const child = spawn(
        launch.execPath,
        [
          ...options,
          '--read',
          testAddonPath,
          ...launch.execArgv,
          '--input-type=module-typescript',
          '--eval',
          script,
          '--',
          ...places,
          ...words,
        ],
        {
          env: { LD_LIBRARY_PATH: build.librariesPath },
          stdio: ['ignore', 'pipe', 'pipe', ...Array<'ignore'>(47).fill('ignore'), inherited],
        },
      )
      const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)])
      return { output, errors }
    } finally {
      closeSync(inherited)
    }
  }
})

/** Returns the layers that the kernel says it has. Some kernels do not say whether they have Landlock. */
function kernelLayers(): SandboxLayer[] {
  const modules = '/sys/kernel/security/lsm'
  const hasLandlock = existsSync(modules) && readFileSync(modules, 'utf8').includes('landlock')
  const hasFilters = existsSync('/proc/sys/kernel/seccomp/actions_avail')
  return [
    'limits',
    ...(hasLandlock ? ['landlock' as const] : []),
    ...(hasFilters ? ['seccomp' as const] : []),
  ]
}

function resultsOf(kind: 'work' | 'attack', results: Record<string, string>): string[] {
  return Object.entries(results).flatMap(([name, result]) =>
    name.startsWith(kind) ? [result] : [],
  )
}
