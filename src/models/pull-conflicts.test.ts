import { writeFileSync } from 'node:fs'
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

test('another file of the same repository is another model', async () => {
  const files = { 'alpha.gguf': small, 'beta.gguf': large }
  const hub = await startHub({ [repo]: { files } })
  const dataDir = newFolder()
  await pull(hub, `hf:${repo}:alpha.gguf`, dataDir)
  await expect(pull(hub, `hf:${repo}:beta.gguf`, dataDir)).rejects.toThrow(
    /There is another model tiny, .*\(alpha\.gguf\)\. Remove it first, or give this one another name/,
  )
  expect(stored(dataDir, 'tiny', 'alpha.gguf').equals(small)).toBe(true)
  await pull(hub, `hf:${repo}:beta.gguf`, dataDir, { name: 'beta' })
  expect(stored(dataDir, 'beta', 'beta.gguf').equals(large)).toBe(true)
})

test('files of one name in folders named after their quantisations are two models', async () => {
  const files = { 'Q8_0/model.gguf': large, 'Q4_K_M/model.gguf': small }
  const hub = await startHub({ [repo]: { files } })
  const dataDir = newFolder()
  await pull(hub, `hf:${repo}:Q8_0`, dataDir)
  await pull(hub, `hf:${repo}:Q4_K_M/model.gguf`, dataDir)
  expect(stored(dataDir, 'tiny-q8_0', 'model.gguf').equals(large)).toBe(true)
  expect(stored(dataDir, 'tiny-q4_k_m', 'model.gguf').equals(small)).toBe(true)
})

test('a file that its repository has renamed replaces the earlier one', async () => {
  const dataDir = newFolder()
  const first = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  await pull(first, `hf:${repo}`, dataDir)
  const renamed = await startHub({ [repo]: { files: { 'b-Q8_0.gguf': large } } })
  await pull(renamed, `hf:${repo}`, dataDir)
  expect(stored(dataDir, 'tiny-q8_0', 'b-Q8_0.gguf').equals(large)).toBe(true)
})

test('a damaged model is downloaded again, an intact one is not', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const dataDir = newFolder()
  await pull(hub, `hf:${repo}`, dataDir)
  const { bytesSent } = hub
  expect((await pull(hub, `hf:${repo}`, dataDir)).wasThere).toBe(true)
  expect(hub.bytesSent).toBe(bytesSent)
  const path = join(folderOf(dataDir, 'tiny-q8_0'), 'a-Q8_0.gguf')
  writeFileSync(path, Buffer.concat([small.subarray(0, -1), Buffer.from([1 ^ small.at(-1)!])]))
  expect((await pull(hub, `hf:${repo}`, dataDir)).wasThere).toBe(false)
  expect(stored(dataDir, 'tiny-q8_0', 'a-Q8_0.gguf').equals(small)).toBe(true)
})

test.each(['used.json', 'serving.json.new'])('%s is no name of a model', async (name) => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  await expect(pull(hub, `hf:${repo}`, newFolder(), { name })).rejects.toThrow(
    'cannot be the name of a model',
  )
})

test('a file whose name begins with a hyphen is left out, in a folder too', async () => {
  const hub = await startHub({ [repo]: { files: { 'x/-a-Q8_0.gguf': small } } })
  await expect(pull(hub, `hf:${repo}`, newFolder())).rejects.toThrow(/has no|no GGUF|without/i)
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
