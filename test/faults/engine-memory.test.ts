import { afterAll, describe, expect, test } from 'vitest'
import {
  complete,
  randomModelIn,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
/** A model whose KV cache takes 64 kB for 256 tokens of a slot. A token takes 2 layers × 64 numbers × 2 bytes. */
const modelPath = randomModelIn(folder.path, { contextTokens: 4096 })
const reserveBytes = 256 * 1024 * 1024

describe('where memory is short', () => {
  const availableBytes = reserveBytes + 2_000_000

  test('the engine chooses a context that fits, reports it, and keeps it after a crash', async () => {
    const engine = await startEngine({ modelPath, slots: undefined, availableBytes })
    try {
      const chosen = engine.info
      expect(chosen).toMatchObject({ slots: 4, memory: { availableBytes } })
      expect(chosen.contextTokens).toBeLessThan(4096)
      expect(chosen.contextTokens).toBeGreaterThanOrEqual(1024)
      expect((await complete(engine, 'Hello')).finish.reason).toBe('length')
      process.kill(engine.pid ?? 0, 'SIGKILL')
      expect((await complete(engine, 'Hello')).finish.reason).toBe('length')
      expect(engine.info).toEqual(chosen)
    } finally {
      await engine.close()
    }
  }, 60_000)

  test('a configured context that does not fit is refused, not changed', async () => {
    const start = startEngine({ modelPath, slots: 4, contextTokens: 4096, availableBytes })
    await expect(start).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The configuration needs .* 4 slots × 4096 tokens .*\.$/),
    })
  })
})

describe('a KV cache of q8_0', () => {
  test('takes about half the memory, generates, and has its own fingerprint', async () => {
    const f16 = await startEngine({ modelPath })
    const q8 = await startEngine({ modelPath, kvType: 'q8_0' })
    try {
      expect(q8.info.memory?.kvBytes).toBe(((f16.info.memory?.kvBytes ?? 0) / 64) * 34)
      const question = 'Hello, how are you today?'
      const [first, again] = [await complete(q8, question), await complete(q8, question)]
      expect(first.finish).toMatchObject({ completionTokens: 32, reason: 'length' })
      expect(again.text).toBe(first.text)
      expect((await complete(f16, question)).text).not.toBe(first.text)
      expect(q8.info.fingerprint).not.toBe(f16.info.fingerprint)
    } finally {
      await Promise.all([f16.close(), q8.close()])
    }
  })

  test('is refused in one sentence for a head size that it cannot quantise', async () => {
    const narrow = randomModelIn(folder.path, { seed: 2, width: 96, heads: 4, kvHeads: 4 })
    await expect(startEngine({ modelPath: narrow, kvType: 'q8_0' })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/multiple of 32 .* have 24: set PIPIT_KV_TYPE=f16\.$/),
    })
  })
})
