import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { sha256Of } from '../../../test/support/hub/local-hub.ts'
import { newFolder, startHub } from '../../../test/support/hub/pull.ts'
import { StartError } from '../../errors.ts'
import { spaceCheckBytes } from '../models-limits.ts'
import { downloadFile } from './download.ts'
import { openHub } from './open-hub.ts'

const content = Buffer.alloc(spaceCheckBytes + 10_000_000, 7)

test('a download that no longer fits on the disk stops, and goes on from there later', async () => {
  const local = await startHub({ 'a/Tiny-GGUF': { files: { 'a.gguf': content } } })
  const hub = openHub({ HF_ENDPOINT: local.url }, 1)
  onTestFinished(() => hub.http.close())
  const folder = newFolder()
  const file = {
    name: 'a.gguf',
    url: `${local.storageUrl}/a/Tiny-GGUF/a.gguf?signature=abc`,
    bytes: content.length,
    sha256: sha256Of(content),
    version: undefined,
  }
  const rests: number[] = []
  const checks = [undefined, new StartError('The disk is nearly full.')]
  const requireSpace = async (restBytes: number) => {
    rests.push(restBytes)
    const error = checks.shift()
    if (error !== undefined) throw error
  }
  const listener = { onBytes() {}, onPause() {}, look: async () => {}, requireSpace }
  const { signal } = new AbortController()
  const download = () => downloadFile(hub, file, folder, listener, signal)
  await expect(download()).rejects.toThrow('The disk is nearly full.')
  const { path, sha256 } = await download()
  expect(sha256).toBe(file.sha256)
  expect(readFileSync(path).length).toBe(content.length)
  const [whole, atCheck = 0, atResumption] = rests
  expect(whole).toBe(content.length)
  expect(atCheck).toBeLessThanOrEqual(10_000_000)
  expect(atResumption).toBe(atCheck)
})
