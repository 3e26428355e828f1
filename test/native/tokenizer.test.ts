import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NativeEngine } from '../../src/engine/embedded/child/addon.ts'
import { loadAddon } from '../../src/engine/embedded/child/addon.ts'
import { findEngineBuild } from '../../src/engine/embedded/engine-build.ts'
import { randomModelIn, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { longText } from '../support/engine/hostile-prepares.ts'
import { bundledSize } from '../support/gguf/random-gguf.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'

const folder = temporaryFolder()
let engine: NativeEngine
beforeAll(async () => {
  const { addonPath, librariesPath } = findEngineBuild('off')
  const addon = loadAddon(addonPath)
  addon.loadBackends(librariesPath, undefined)
  engine = new addon.NativeEngine(
    {
      modelPath: randomModelIn(folder.path, bundledSize),
      slots: 1,
      contextTokens: 256,
      kvType: 'f16',
      threads: 1,
      prefillChunkTokens: 64,
      cachedTokensMax: 0,
      checkpointBytesMax: 0,
      speculativeTokensMax: 0,
      arithmetic: 'best',
    },
    () => {},
  )
  await engine.load()
})
afterAll(async () => {
  await engine.close()
  folder.remove()
})

test('a long text has the same tokens when it is tokenised in parts', async () => {
  const random = randomNumbers(3)
  const words = [
    'the',
    ' quick',
    ' ',
    '  ',
    '\n',
    '12',
    "'s",
    '!',
    'é',
    ' 漢',
    '😀',
    ' I ',
    '\t',
    '_',
  ]
  const mixed = Array.from({ length: 60_000 }, () => words[Math.floor(random() * words.length)])
  const texts = [mixed.join(''), longText(200_000), '', 'short']
  const parts = await engine.tokenizeInBackground(texts).tokens
  expect(parts.length).toBe(texts.length)
  for (const [index, text] of texts.entries()) expect(parts[index]).toEqual(engine.tokenize(text))
})

test('cancelling ends the tokenising of a long text early (T48)', async () => {
  const texts = Array.from({ length: 40 }, () => longText(1024 * 1024))
  const startedMs = performance.now()
  await engine.tokenizeInBackground(texts.slice(0, 2)).tokens
  const twoMs = performance.now() - startedMs
  const { tokens, cancel } = engine.tokenizeInBackground(texts)
  const cancelledMs = performance.now()
  cancel()
  await expect(tokens).rejects.toThrow('cancelled')
  // All forty would take twenty times as long.
  expect(performance.now() - cancelledMs).toBeLessThan(4 * twoMs)
})
