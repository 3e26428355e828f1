import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ballastBytes } from '../storage-limits.ts'
import { Ballast } from './ballast.ts'

let directory: string
let path: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pipit-'))
  path = join(directory, 'ballast')
})

afterEach(() => rmSync(directory, { recursive: true }))

/** Size of the file on a file system that compresses it. */
const compressedBytes = () => deflateSync(readFileSync(path), { level: 1 }).length

test('a file system that compresses cannot shrink the ballast', () => {
  expect(new Ballast(path).take()).toBe(true)
  expect(statSync(path).size).toBe(ballastBytes)
  expect(compressedBytes()).toBeGreaterThan(0.9 * ballastBytes)
})

test('no part of the ballast repeats another part', () => {
  new Ballast(path).take()
  const content = readFileSync(path)
  const starts = new Set<string>()
  for (let at = 0; at < ballastBytes; at += 1024 * 1024)
    starts.add(content.toString('hex', at, at + 32))
  expect(starts.size).toBe(8)
})

test('the ballast of zeros of an earlier version is written anew', () => {
  writeFileSync(path, Buffer.alloc(ballastBytes))
  expect(new Ballast(path).take()).toBe(true)
  expect(compressedBytes()).toBeGreaterThan(0.9 * ballastBytes)
})

test('a whole ballast is kept as it is', () => {
  const ballast = new Ballast(path)
  ballast.take()
  const before = readFileSync(path)
  expect(ballast.take()).toBe(true)
  expect(readFileSync(path).equals(before)).toBe(true)
})
