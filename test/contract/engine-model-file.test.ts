import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadAddon } from '../../src/engine/embedded/child/addon.ts'
import { readModelShape } from '../../src/engine/embedded/child/model/model-header.ts'
import { findEngineBuild } from '../../src/engine/embedded/engine-build.ts'
import {
  complete,
  randomModelIn,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'
import { ofOtherTypes, splitGguf } from '../support/gguf/random-gguf.ts'

// Tests what the metadata of a model file, and the types of its weights, tell the engine.
const folder = temporaryFolder()
afterAll(() => folder.remove())

const vocabularySize = 320

test('tokens that the file suppresses are never sampled', async () => {
  const ids = Array.from({ length: vocabularySize }, (_, id) => id)
  const modelPath = randomModelIn(folder.path, {
    vocabularySize,
    metadata: { 'tokenizer.ggml.suppress_tokens': { int32s: ids.slice(0, -1) } },
  })
  const engine = await startEngine({ modelPath })
  try {
    for (const temperature of [0, 1]) {
      const { text } = await complete(engine, 'Hello', { maxTokens: 8, temperature })
      expect(text).toMatch(/^([a-z]{2})\1{7}$/)
    }
  } finally {
    await engine.close()
  }
})

test('the memory plan counts the bits that types of three bits get', async () => {
  const { addonPath } = findEngineBuild()
  const grown = async (type: 'q3_K' | 'q4_K') => {
    const path = randomModelIn(folder.path, { ...ofOtherTypes, width: 1024, types: [type] })
    const { modelBytes } = await readModelShape(loadAddon(addonPath), path, 'f16')
    return modelBytes / statSync(path).size
  }
  // 256 weights have 144 and 110 bytes in the file. In memory they have 128 bytes, two factors for each of eight blocks, and
  // two 16-bit floats. The file also has metadata, and floats that do not grow.
  expect(await grown('q4_K')).toBeCloseTo(148 / 144, 2)
  expect(await grown('q3_K')).toBeCloseTo(148 / 110, 2)
})

test('the memory plan counts every part of a split model', async () => {
  const parts = splitGguf({ ...ofOtherTypes, width: 1024, types: ['q3_K'] })
  const paths = [1, 2].map((part) => join(folder.path, `split-0000${part}-of-00002.gguf`))
  for (const [index, path] of paths.entries()) writeFileSync(path, parts[index] ?? '')
  const { addonPath } = findEngineBuild()
  const { modelBytes } = await readModelShape(loadAddon(addonPath), paths[0] ?? '', 'f16')
  const fileBytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  expect(modelBytes / fileBytes).toBeCloseTo(148 / 110, 2)
})
