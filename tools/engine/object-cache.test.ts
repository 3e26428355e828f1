import fs, {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepObject, takeObject } from './object-cache.mjs'

const utimesOfNode = fs.utimesSync
let folder: string
let object: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-objects-'))
  object = join(folder, 'a.o')
  writeFileSync(object, 'machine code')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

test('an object that was kept is found by its key alone', () => {
  const cache = join(folder, 'cache')
  keepObject('key', object, cache)
  const copy = join(folder, 'copy.o')
  expect(takeObject('other', copy, cache)).toBe(false)
  expect(takeObject('key', copy, cache)).toBe(true)
  expect(readFileSync(copy, 'utf8')).toBe('machine code')
})

test('the cache has a maximum: the object that was not used for the longest time goes', () => {
  const cache = join(folder, 'cache')
  for (let i = 0; i < 400; i++) keepObject(`key${i}`, object, cache)
  const old = new Date(0)
  utimesSync(join(cache, 'key7.o'), old, old)
  keepObject('new', object, cache)
  expect(readdirSync(cache).length).toBe(400)
  expect(takeObject('key7', join(folder, 'copy.o'), cache)).toBe(false)
  expect(takeObject('new', join(folder, 'copy.o'), cache)).toBe(true)
})

test('a cache that cannot be written does not fail the build', () => {
  keepObject('key', object, join(object, 'cache'))
})

test('a cache that can only be read is used', () => {
  const cache = join(folder, 'cache')
  keepObject('key', object, cache)
  fs.utimesSync = () => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
  }
  syncBuiltinESMExports()
  try {
    expect(takeObject('key', join(folder, 'copy.o'), cache)).toBe(true)
  } finally {
    fs.utimesSync = utimesOfNode
    syncBuiltinESMExports()
  }
})
