import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type {
  EmbeddedEngine,
  EmbeddedEngineOptions,
} from '../../src/engine/embedded/embedded-engine.ts'
import type { EmbeddedSettings } from '../../src/engine/engine-settings.ts'
import type { Logger } from '../../src/telemetry/logger.ts'
import {
  collect,
  complete,
  never,
  queued,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
  until,
} from '../support/engine/engine-fixtures.ts'
import { bundledSize } from '../support/gguf/random-gguf.ts'
import { recordFinding } from '../support/reliability.ts'

const folder = temporaryFolder()
// A reply must take seconds, because this process may be late on a busy machine. With a large vocabulary the end token
// is rarely sampled.
const modelPath = randomModelIn(folder.path, bundledSize)
afterAll(() => folder.remove())

/** Time without a heartbeat after which an engine process counts as hung. A busy machine may be a second late. */
const heartbeatTimeoutMs = 3000

let engine: EmbeddedEngine
/** Cause of death of each engine process, from the log. */
let deaths: unknown[]
const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (_, fields) => deaths.push(fields?.error instanceof Error ? fields.error.message : fields),
}
const start = async (
  options: EmbeddedEngineOptions = {},
  settings: Partial<EmbeddedSettings> = {},
): Promise<void> => {
  deaths = []
  engine = await startEngine({ modelPath, ...settings }, { logger, ...options })
}
afterEach(() => engine.close())

const longRequest = async (content: string): Promise<ReturnType<typeof requestFor>> =>
  requestFor(await say(engine, content), { maxTokens: 4000, temperature: 1 })

/** Runs a generation to its end and returns its error; calls `onDelta` for every delta. */
async function failureAfterFirstDelta(
  content: string,
  onDelta: () => void,
  generating: Pick<EmbeddedEngine, 'generate'> | ReturnType<typeof queued> = engine,
): Promise<unknown> {
  const request = await longRequest(content)
  try {
    for await (const event of generating.generate(request, never))
      if (event.type === 'delta') onDelta()
    return undefined
  } catch (error) {
    return error
  }
}

function kill(signal: NodeJS.Signals): void {
  const { pid } = engine
  if (pid === undefined) throw new Error('there is no engine process')
  process.kill(pid, signal)
}

describe('when the engine process is killed', () => {
  test('the next process continues running generations and answers the waiting ones, three times in a row (F01)', async () => {
    await start()
    const inTurn = queued(engine)
    const options = { maxTokens: 200, temperature: 1 }
    const expected: string[] = []
    for (let index = 0; index < 4; index++)
      expected.push((await complete(engine, `reply ${index}`, options)).text)
    for (let round = 0; round < 3; round++) {
      const earlierPid = engine.pid
      const { completionTokens } = engine.stats()
      const running = expected.map((_, index) => complete(inTurn, `reply ${index}`, options))
      await until('they run', () => engine.stats().completionTokens > completionTokens + 100)
      const waiting = [complete(inTurn, 'waiting'), complete(inTurn, 'also waiting')]
      kill('SIGKILL')
      expect((await Promise.all(running)).map(({ text }) => text)).toEqual(expected)
      for (const { finish } of await Promise.all(waiting)) expect(finish.completionTokens).toBe(32)
      expect(engine.pid).not.toBe(earlierPid)
    }
    expect(deaths).toEqual(Array.from({ length: 3 }, () => 'the engine process died (SIGKILL)'))
    expect(engine.stats().slotsBusy).toBe(0)
  }, 120_000)

  test('a generation that was sent but has not started is answered by the next process', async () => {
    await start()
    const request = requestFor(await say(engine, 'Hello'))
    const expected = await collect(engine.generate(request, never))
    kill('SIGSTOP')
    const answer = collect(engine.generate(request, never))
    await until('it is sent', () => engine.stats().slotsBusy === 1)
    kill('SIGKILL')
    expect((await answer).text).toBe(expected.text)
    expect(engine.stats().restarts).toBe(1)
  })

  test('prepare waits for the next process, but no longer than its signal', async () => {
    await start()
    const { pid } = engine
    kill('SIGKILL')
    await until('the death is known', () => engine.state === 'restarting' || engine.pid !== pid)
    const reason = new Error('too long')
    const abort = new AbortController()
    const impatient = engine.prepare([{ role: 'user', content: 'Hello' }], abort.signal)
    abort.abort(reason)
    await expect(impatient).rejects.toBe(reason)
    expect((await say(engine, 'Hello')).tokens.length).toBeGreaterThan(5)
  })

  test('a generation whose signal has fired ends as aborted', async () => {
    await start()
    const abort = new AbortController()
    const request = await longRequest('Hello')
    const events = engine.generate(request, abort.signal)
    await events.next()
    kill('SIGSTOP')
    abort.abort()
    kill('SIGKILL')
    let last: unknown
    for await (const event of events) last = event
    expect(last).toMatchObject({ type: 'finish', reason: 'aborted' })
    expect(last).not.toHaveProperty('isUnbegun')
  })

  test('a generation whose signal fires before the process begins it ends as not begun', async () => {
    await start()
    const request = requestFor(await say(engine, 'Hello'))
    const abort = new AbortController()
    kill('SIGSTOP')
    const events = collect(engine.generate(request, abort.signal))
    await until('it is sent', () => engine.stats().slotsBusy === 1)
    abort.abort()
    kill('SIGKILL')
    expect((await events).finish).toMatchObject({ reason: 'aborted', isUnbegun: true })
  })

  test('the next process gives the same reply and has the same fingerprint', async () => {
    await start()
    const { fingerprint } = engine.info
    const before = await complete(engine, 'Hello')
    kill('SIGKILL')
    expect((await complete(engine, 'Hello')).text).toBe(before.text)
    expect(engine.info.fingerprint).toBe(fingerprint)
  })
})

type Interrupted = { expected: string; text: string; steps: number; restarts: number }

/**
 * Kills the engine process after 200 of a reply's 400 tokens, and tries again if the reply ended before the kill.
 * Returns the reply, the reply of an uninterrupted run (`expected`), and the steps and restarts after the kill.
 */
async function interrupted(beforeRestart: () => unknown = () => {}): Promise<Interrupted> {
  const options = { maxTokens: 400, temperature: 1 }
  const expected = (await complete(engine, 'A long reply', options)).text
  for (;;) {
    const before = engine.stats()
    const running = complete(engine, 'A long reply', options)
    running.catch(() => {})
    await until('it runs', () => engine.stats().completionTokens > before.completionTokens + 200)
    // A stopped process takes no steps, so all steps from here on belong to the restart, however late this process is.
    kill('SIGSTOP')
    beforeRestart()
    const { steps } = engine.stats()
    kill('SIGKILL')
    const { text } = await running
    const after = engine.stats()
    const restarts = after.restarts - before.restarts
    if (restarts > 0) return { expected, text, steps: after.steps - steps, restarts }
    await until('the next process is ready', () => engine.stats().restarts > before.restarts)
    await say(engine, 'Hello')
  }
}

describe('a reply continues with the same bytes', () => {
  test.each<[string, Partial<EmbeddedSettings>]>([
    ['beside nothing else', {}],
    ['by the arithmetic of llama.cpp', { arithmetic: 'llama.cpp' }],
    ['with a quantised KV cache', { kvType: 'q8_0' }],
    ['without speculative tokens', { speculativeTokens: 0 }],
  ])('%s', async (_, settings) => {
    await start({}, settings)
    const { expected, text, steps, restarts } = await interrupted()
    expect(text).toBe(expected)
    // After the restart, the tokens that were sampled before the kill take few steps: they are decoded in batches.
    expect(steps).toBeLessThan(300)
    expect(restarts).toBe(1)
  })

  test('but not when the model file has changed', async () => {
    const own = join(folder.path, 'changing.gguf')
    copyFileSync(modelPath, own)
    await start({}, { modelPath: own })
    const other = randomModelIn(folder.path, { ...bundledSize, seed: 2 })
    const change = () => existsSync(other) && renameSync(other, own)
    await expect(interrupted(change)).rejects.toMatchObject({ code: 'engine_failed' })
    copyFileSync(modelPath, own)
    expect((await complete(engine, 'Hello')).finish.completionTokens).toBe(32)
  })
})

describe('when the engine process hangs', () => {
  test('a hang while it works is detected, and the process that replaces it continues the reply (F15)', async () => {
    await start({ heartbeatTimeoutMs })
    const options = { maxTokens: 200, temperature: 1 }
    const { text } = await complete(engine, 'Hello there', options)
    const { completionTokens } = engine.stats()
    const resumed = complete(engine, 'Hello there', options)
    await until('it runs', () => engine.stats().completionTokens > completionTokens)
    kill('SIGSTOP')
    expect((await resumed).text).toBe(text)
    expect((await complete(engine, 'Hello')).finish.completionTokens).toBe(32)
    expect(engine.stats().restarts).toBe(1)
  })

  test('a hang while it is idle is detected, and the process is replaced (F15)', async () => {
    await start({ heartbeatTimeoutMs })
    kill('SIGSTOP')
    const stoppedMs = performance.now()
    await until('it is replaced', () => engine.stats().restarts === 1 && engine.state === 'ready')
    const tookMs = Math.round(performance.now() - stoppedMs)
    recordFinding(
      'F15',
      `With a heartbeat limit of ${heartbeatTimeoutMs} ms, a stopped engine process was replaced and ready after ${tookMs} ms.`,
    )
  })
})

describe('a request that kills the engine', () => {
  test('runs twice and is then refused, while other requests are answered (T19, F03)', async () => {
    await start({ restartBackoffMaxMs: 300 })
    const poison = await longRequest('a fatal prompt')
    const run = async (): Promise<unknown> => {
      try {
        for await (const event of engine.generate(poison, never)) {
          if (event.type === 'delta') kill('SIGSEGV')
        }
        return 'finished'
      } catch (error) {
        return error
      }
    }
    const refused = { code: 'engine_failed', message: expect.stringMatching(/twice/) }
    expect(await run()).toMatchObject(refused)
    expect(deaths).toHaveLength(2)
    expect(await run()).toMatchObject(refused)
    expect((await complete(engine, 'harmless')).finish.completionTokens).toBe(32)
    expect(deaths).toHaveLength(2)
  })

  test('is not refused when a signal from outside killed the process', async () => {
    await start({ restartBackoffMaxMs: 300 })
    for (let round = 1; round <= 2; round++) {
      const error = await failureAfterFirstDelta('Hello', () => {
        if (engine.stats().restarts < 2 * round) kill('SIGKILL')
      })
      expect(error).toMatchObject({
        code: 'engine_failed',
        message: expect.not.stringMatching(/twice/),
      })
    }
    expect(deaths).toHaveLength(4)
    const events = engine.generate(await longRequest('Hello'), never)
    expect((await events.next()).value).toMatchObject({ type: 'delta' })
    await events.return(undefined)
  })
})

test('close ends the engine process, also in the middle of a generation', async () => {
  await start()
  const { pid } = engine
  const running = failureAfterFirstDelta('Hello', () => {})
  await until('it runs', () => engine.stats().completionTokens > 0)
  await engine.close()
  expect(await running).toMatchObject({ code: 'shutting_down' })
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')
})

test('the engine process exits when its parent is killed (F02)', async () => {
  const parent = spawn(process.execPath, ['test/support/engine/engine-parent.ts', modelPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const enginePid = Number(String(line))
  expect(enginePid).toBeGreaterThan(1)
  parent.kill('SIGKILL')
  await until('the engine process is gone', () => !existsSync(`/proc/${enginePid}`))
})

describe('after many aborted generations', () => {
  test('all slots are free, and neither memory nor file descriptors grow', async () => {
    await start()
    const prompt = await say(engine, 'Hello')
    const abortSome = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        const abort = new AbortController()
        const events = engine.generate(requestFor(prompt, { maxTokens: 4000 }), abort.signal)
        if (index % 2 === 0) await events.next()
        abort.abort()
        await collect(events)
      }
    }
    await abortSome(100)
    const before = await childUsage(engine.pid)
    await abortSome(900)
    const after = await childUsage(engine.pid)
    expect(engine.stats().slotsBusy).toBe(0)
    expect(engine.stats().restarts).toBe(0)
    expect(after.files).toBe(before.files)
    expect(after.residentBytes - before.residentBytes).toBeLessThan(16 * 1024 * 1024)
    expect((await complete(engine, 'Hello')).finish.completionTokens).toBe(32)
  })
})

async function childUsage(
  pid: number | undefined,
): Promise<{ files: number; residentBytes: number }> {
  const { readdir, readFile } = await import('node:fs/promises')
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8')
  const files = (await readdir(`/proc/${pid}/fd`)).length
  return { files, residentBytes: Number(statm.split(' ')[1]) * 4096 }
}
