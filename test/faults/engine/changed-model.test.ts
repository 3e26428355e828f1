import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { complete, startEngine, temporaryFolder } from '../../support/engine/engine-fixtures.ts'
import { randomGguf } from '../../support/gguf/random-gguf.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'

const folder = temporaryFolder()
const modelPath = join(folder.path, 'model.gguf')
afterEach(() => folder.remove())

/** Replaces the file as a download does, so that a running process keeps the one that it has open. */
function put(seed: number): void {
  writeFileSync(`${modelPath}.next`, randomGguf({ seed }))
  renameSync(`${modelPath}.next`, modelPath)
}

test('a model file that was replaced is not used after a restart; once it is back, requests are answered', async () => {
  put(1)
  const causes: unknown[] = []
  const logger = {
    ...silentLogger,
    error: (_: string, fields?: { error?: unknown }) => causes.push(String(fields?.error)),
  }
  const engine = await startEngine({ modelPath }, { logger, restartBackoffMaxMs: 100 })
  try {
    const reply = await complete(engine, 'Hello')
    put(2)
    process.kill(engine.pid ?? 0, 'SIGKILL')
    await expect.poll(() => causes.join()).toContain('has changed since the start')
    put(1)
    expect((await complete(engine, 'Hello')).text).toBe(reply.text)
  } finally {
    await engine.close()
  }
})
