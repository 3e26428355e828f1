import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import type { EmbeddedSettings } from '../../engine/engine-settings.ts'
import { memoryReserveBytes } from '../../limits.ts'
import { randomGguf } from '../../../test/support/gguf/random-gguf.ts'
import type { Metadata } from '../../../test/support/gguf/write-gguf.ts'
import { findRoom } from './room-for-model.ts'

const gigabyte = 1e9

/** Creates a model file of this size, padded with a sparse hole. `fileType` is llama.cpp's number of its quantisation. */
function modelOf(
  bytes: number,
  availableBytes?: number,
  fileType = 7,
  shape: Metadata = {},
): EmbeddedSettings {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const modelPath = join(folder, 'm.gguf')
  writeFileSync(
    modelPath,
    randomGguf({ contextTokens: 8192, metadata: { 'general.file_type': fileType, ...shape } }),
  )
  truncateSync(modelPath, bytes)
  const { engine } = loadConfig({})
  return { ...(engine as EmbeddedSettings), modelPath, slots: 1, availableBytes }
}

const room = (wanted: EmbeddedSettings, machineBytes: number, device = 'CPU') =>
  findRoom(
    wanted,
    modelOf(gigabyte),
    { memory: { kvBytes: 0, availableBytes: 0 }, device, contextTokens: 4096 },
    () => machineBytes,
  )

test('a model is loaded beside the other one only if the memory suffices for both', async () => {
  expect(await room(modelOf(gigabyte), 3 * gigabyte)).toMatchObject({ mode: 'beside' })
  expect(await room(modelOf(gigabyte), gigabyte)).toMatchObject({ mode: 'alone' })
})

test('a model of three bits needs room for the four that it has in memory', async () => {
  const q3 = 12
  expect(await room(modelOf(gigabyte), 1.6 * gigabyte)).toMatchObject({ mode: 'beside' })
  expect(await room(modelOf(gigabyte, undefined, q3), 1.6 * gigabyte)).toMatchObject({
    mode: 'alone',
  })
})

test('a model is loaded alone if it would have a shorter context beside the other one', async () => {
  // A token takes 524 kB.
  const wide = { 'llama.attention.key_length': 65_536, 'llama.attention.value_length': 65_536 }
  const wanted = modelOf(gigabyte, undefined, 7, wide)
  expect(await room(wanted, 2.5 * gigabyte)).toMatchObject({ mode: 'alone' })
  expect(await room(wanted, 4 * gigabyte)).toMatchObject({ mode: 'beside' })
})

test('a model that does not fit even alone is refused before the other one is unloaded', async () => {
  await expect(room(modelOf(9 * gigabyte), gigabyte)).rejects.toThrow(
    /needs 9\.\d+ GB .* are available/,
  )
})

test('a set figure is the memory of both models together', async () => {
  const both = 2 * (gigabyte + memoryReserveBytes) + gigabyte / 10
  const beside = await room(modelOf(gigabyte, both), 0)
  expect(beside.mode).toBe('beside')
  expect(beside.settings).toMatchObject({ availableBytes: both - gigabyte - memoryReserveBytes })
  const alone = await room(modelOf(gigabyte, both - gigabyte / 2), 0)
  expect(alone.mode).toBe('alone')
  expect(alone.settings).toMatchObject({ availableBytes: both - gigabyte / 2 })
})

test('with a GPU, whose memory only the engine process knows, the load beside decides', async () => {
  expect(await room(modelOf(9 * gigabyte), 0, 'cuda on A100')).toMatchObject({ mode: 'beside' })
})

test('a file without a readable header is left to the engine process, which names its fault', async () => {
  const broken = modelOf(1000)
  writeFileSync(broken.modelPath, 'not a model')
  expect(await room(broken, gigabyte)).toMatchObject({ mode: 'beside' })
})
