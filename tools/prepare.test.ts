import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../src/paths.ts'

test('a Node that is too old, without the one that npm installs by a script, is named with a remedy', () => {
  const clone = mkdtempSync(join(tmpdir(), 'pipit-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  cpSync(join(packageRoot, 'tools'), join(clone, 'tools'), { recursive: true })
  mkdirSync(join(clone, 'node_modules'))
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ engines: { node: '>=99.1' } }))
  for (const lock of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(join(clone, lock), JSON.stringify({ packages: {} }))
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'tools/prepare.mjs')], {
    encoding: 'utf8',
  })
  expect(stderr).toMatch(
    /^Pipit needs Node 99\.1 or newer; this is Node \S+, and npm did not .*\n$/,
  )
  expect(status).toBe(1)
})
