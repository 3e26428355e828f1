import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomGguf } from '../../test/support/gguf/random-gguf.ts'
import { newFolder, pull, startHub, stored } from '../../test/support/hub/pull.ts'
import { engineDefaults } from '../../test/support/engine/engine-fixtures.ts'
import { folderOf, holdModel, withModelLock } from './store.ts'

const repo = 'someone/Tiny-GGUF'
const small = randomGguf()
const large = Buffer.concat([small, Buffer.alloc(3_000_000, 7)])

test('a model that another process is pulling is refused', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const dataDir = newFolder()
  await withModelLock(dataDir, 'tiny-q8_0', async () => {
    await expect(pull(hub, `hf:${repo}`, dataDir)).rejects.toThrow(
      'Another process is pulling or removing tiny-q8_0. Wait until it has ended, or stop it.',
    )
  })
  await pull(hub, `hf:${repo}`, dataDir)
})

test('a model that a service takes into use during the download is not replaced', async () => {
  const dataDir = newFolder()
  const first = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  await pull(first, `hf:${repo}`, dataDir)
  const changed = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': large } } })
  const modelPath = join(folderOf(dataDir, 'tiny-q8_0'), 'a-Q8_0.gguf')
  let release: (() => void) | undefined
  const listener = {
    onPlan() {},
    onPause() {},
    onBytes: () => (release ??= holdModel({ ...engineDefaults, modelPath })),
  }
  await expect(pull(changed, `hf:${repo}`, dataDir, { listener })).rejects.toThrow(
    'A running service uses tiny-q8_0 or is loading it. Switch it to another model, or stop it, and try again.',
  )
  expect(stored(dataDir, 'tiny-q8_0', 'a-Q8_0.gguf').equals(small)).toBe(true)
  release?.()
  const before = changed.bytesSent
  await pull(changed, `hf:${repo}`, dataDir)
  expect(stored(dataDir, 'tiny-q8_0', 'a-Q8_0.gguf').equals(large)).toBe(true)
  // The second pull takes the downloaded file of the first.
  expect(changed.bytesSent).toBe(before)
})
