import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeEmpty } from './main.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-out-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('packages are never written over the files of another folder', () => {
  writeFileSync(join(folder, 'mine'), '')
  expect(() => makeEmpty(folder, join(folder, 'build')), 'a folder with files').toThrow(
    `${folder} is not empty.`,
  )
  expect(readdirSync(folder)).toEqual(['mine'])
})

test('a new, an empty and the own folder are empty afterwards', () => {
  const [fresh, empty, own] = ['fresh', 'empty', 'own'].map((name) => join(folder, name))
  mkdirSync(empty!)
  mkdirSync(own!)
  writeFileSync(join(own!, 'old'), '')
  for (const out of [fresh!, empty!, own!]) {
    makeEmpty(out, own!)
    expect(readdirSync(out)).toEqual([])
  }
})
