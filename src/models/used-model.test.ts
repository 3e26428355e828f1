import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { folderOf, removePulled, writeManifest } from './store.ts'
import { withUsedModel, writeChoice } from './used-model.ts'

async function chosenModel() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-used-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  mkdirSync(folderOf(dataDir, 'tiny'), { recursive: true })
  const path = join(folderOf(dataDir, 'tiny'), 'a.gguf')
  writeFileSync(path, 'GGUF')
  const sha256 = 'ab'.repeat(32)
  const files = [{ name: 'a.gguf', bytes: 4, sha256 }]
  await writeManifest(dataDir, { name: 'tiny', source: 'hf:a/b', pulledMs: 0, files })
  await writeChoice(dataDir, 'tiny')
  const engineOf = (environment: Record<string, string> = {}) => {
    const variables = { PIPIT_DATA_DIR: dataDir, ...environment }
    return withUsedModel(loadConfig(variables), variables).engine
  }
  return { dataDir, path, sha256, engineOf }
}

test('the chosen model is served with its checksum, unless PIPIT_MODEL names another', async () => {
  const { dataDir, path, sha256, engineOf } = await chosenModel()
  expect(engineOf()).toMatchObject({ modelPath: path, modelSha256: sha256 })
  expect(engineOf({ PIPIT_MODEL: '/other.gguf' })).toMatchObject({ modelPath: '/other.gguf' })
  await writeChoice(dataDir, undefined)
  expect(engineOf()).toEqual(loadConfig({ PIPIT_DATA_DIR: dataDir }).engine)
})

test('the checksum of a chosen model in several files covers all of them', async () => {
  const { dataDir, engineOf } = await chosenModel()
  const names = ['a-00001-of-00002.gguf', 'a-00002-of-00002.gguf']
  for (const name of names) writeFileSync(join(folderOf(dataDir, 'tiny'), name), 'GGUF')
  const checksums: unknown[] = []
  for (const second of ['cd', 'ef']) {
    const [first, last] = [names[0]!, names[1]!]
    const files = [
      { name: first, bytes: 4, sha256: 'ab'.repeat(32) },
      { name: last, bytes: 4, sha256: second.repeat(32) },
    ]
    await writeManifest(dataDir, { name: 'tiny', source: 'hf:a/b', pulledMs: 0, files })
    const engine = engineOf()
    expect(engine).toMatchObject({ modelSha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    checksums.push('modelSha256' in engine ? engine.modelSha256 : undefined)
  }
  expect(checksums[0]).not.toBe(checksums[1])
})

test('a chosen model that is damaged or removed is refused with what to do', async () => {
  const { dataDir, path, engineOf } = await chosenModel()
  const sentence = (cause: string): string =>
    `The model tiny, which \`models use\` has chosen, cannot be used: ${cause}. ` +
    'Pull it again, or return to the bundled model with `npm run -s pipit -- models use default`.'
  truncateSync(path, 3)
  expect(engineOf).toThrow(sentence('its file a.gguf has 3 bytes and should have 4'))
  rmSync(path)
  expect(engineOf).toThrow(sentence('its file a.gguf is missing'))
  await removePulled(dataDir, 'tiny')
  expect(engineOf).toThrow(sentence('it was removed'))
  writeFileSync(join(dataDir, 'models', 'used.json'), '{')
  expect(engineOf).toThrow(
    'is damaged. Choose a model again with `npm run -s pipit -- models use NAME`.',
  )
})
