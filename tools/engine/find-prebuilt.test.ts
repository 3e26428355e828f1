import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPrebuilt } from './find-prebuilt.mjs'

test('a prebuilt engine is used only if it was made from the same sources', () => {
  const clone = mkdtempSync(join(tmpdir(), 'pipit-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  const folder = join(clone, 'node_modules/@pipit/engine-linux-x64')
  mkdirSync(folder, { recursive: true })
  const facts = { addonKey: 'a1', launcherKey: 'b2' }
  writeFileSync(join(folder, 'pipit-engine.json'), JSON.stringify(facts))
  const from = join(clone, 'build.mjs')
  expect(findPrebuilt('linux-x64', 'addonKey', 'a1', from)).toBe(folder)
  expect(findPrebuilt('linux-x64', 'launcherKey', 'b2', from)).toBe(folder)
  expect(findPrebuilt('linux-x64', 'addonKey', 'a2', from)).toBeUndefined()
  expect(findPrebuilt('linux-arm64', 'addonKey', 'a1', from)).toBeUndefined()
})
