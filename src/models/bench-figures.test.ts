import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { keepFigures, readFigures } from './bench-figures.ts'
import { folderOf, type PulledModel, writeManifest } from './store.ts'

test('the figures of a pulled model are kept with it, until another version takes its place', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-figures-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const files = [{ name: 'a.gguf', bytes: 4, sha256: 'ab'.repeat(32) }]
  const model: PulledModel = { name: 'tiny', source: 'hf:a/b', pulledMs: 0, files }
  mkdirSync(folderOf(dataDir, 'tiny'), { recursive: true })
  await writeManifest(dataDir, model)
  const figures = {
    measuredMs: 5,
    promptTokensPerSecond: 100,
    tokensPerSecond: [{ callers: 1, speed: 20 }],
  }
  const settingsOf = (path: string) => loadConfig({ PIPIT_MODEL: path }).engine
  await keepFigures(dataDir, settingsOf('/other.gguf'), figures)
  expect(readFigures(dataDir, model)).toBeUndefined()
  await keepFigures(dataDir, settingsOf(join(folderOf(dataDir, 'tiny'), 'a.gguf')), figures)
  expect(readFigures(dataDir, model)).toMatchObject(figures)
  const newer = { ...model, files: [{ ...files[0]!, sha256: 'cd'.repeat(32) }] }
  expect(readFigures(dataDir, newer)).toBeUndefined()
})
