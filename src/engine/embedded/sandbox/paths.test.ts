import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundledModelPath, packageRoot } from '../../../paths.ts'
import { gpuPaths, readablePaths } from './paths.ts'

const settings = {
  addonPath: join(packageRoot, 'build/pipit-engine.node'),
  librariesPath: join(packageRoot, 'node_modules'),
  fallbackLibrariesPath: undefined,
  launcherPath: undefined,
  gpu: undefined,
  llamaBuild: 'b',
  sandbox: true,
  modelPath: bundledModelPath,
}

function modelFolder(names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-models-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of names) writeFileSync(join(folder, name), '')
  return folder
}

test('all parts of a model in several files are readable, and other models are not (T23)', () => {
  const folder = modelFolder([
    'a-00001-of-00002.gguf',
    'a-00002-of-00002.gguf',
    'b-00001-of-00002.gguf',
    'c.gguf',
  ])
  const paths = readablePaths({ ...settings, modelPath: join(folder, 'a-00001-of-00002.gguf') })
  expect(paths.filter((path) => path.startsWith(folder))).toEqual([
    join(folder, 'a-00001-of-00002.gguf'),
    join(folder, 'a-00002-of-00002.gguf'),
  ])
})

test('no folder that may hold the database is readable as a whole (T23)', () => {
  const above = [packageRoot, dirname(packageRoot), homedir(), tmpdir(), '/', '/var', '/home']
  const paths = [...readablePaths(settings), ...gpuPaths()]
  expect(paths.filter((path) => above.includes(path))).toEqual([])
  expect(paths).toContain(bundledModelPath)
})

test('Node is readable wherever it lies', () => {
  expect(readablePaths(settings)).toContain(process.execPath)
})
