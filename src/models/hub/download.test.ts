import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
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

describe('a file at a URL without a checksum', () => {
  const old = Buffer.alloc(3_000_000, 1)
  const ranges: (string | undefined)[] = []
  /** Downloads a file from a server of the test. */
  async function download(
    answer: RequestListener,
    known: { version?: string; versionBytes?: number },
  ) {
    ranges.length = 0
    const server = createServer((request, response) => {
      ranges.push(request.headers.range)
      answer(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const hub = openHub({}, 1)
    onTestFinished(() => hub.http.close())
    const folder = newFolder()
    const file = { name: 'a.gguf', url: `http://127.0.0.1:${port}/a.gguf`, bytes: undefined }
    const listener = {
      onBytes() {},
      onPause() {},
      look: async () => {},
      requireSpace: async () => {},
    }
    const { signal } = new AbortController()
    const run = async () => {
      const pinned = { sha256: undefined, version: known.version, versionBytes: known.versionBytes }
      const { path } = await downloadFile(hub, { ...file, ...pinned }, folder, listener, signal)
      return readFileSync(path)
    }
    return run
  }

  test('is not whole before the size that the server has named for this version', async () => {
    const etag = '"v1"'
    const run = await download(
      (request, response) => {
        if (request.headers.range === undefined) {
          // Without a length and without chunks, the end of the connection is the end of the file.
          response.useChunkedEncodingByDefault = false
          response.writeHead(200, { etag }).end(old.subarray(0, 1_500_000))
        } else
          response
            .writeHead(206, { etag, 'content-range': `bytes 1500000-2999999/*` })
            .end(old.subarray(1_500_000))
      },
      { version: etag, versionBytes: old.length },
    )
    expect((await run()).equals(old)).toBe(true)
  })

  test('is downloaded anew after a cut if the server names no version', async () => {
    const newer = Buffer.alloc(old.length, 2)
    const run = await download((request, response) => {
      const isFirst = ranges.length === 1
      const content = isFirst ? old : newer
      const begin = Number(/\d+/.exec(request.headers.range ?? '0')?.[0])
      const rest = content.subarray(begin)
      response.writeHead(begin > 0 ? 206 : 200, {
        'content-length': rest.length,
        ...(begin > 0 && { 'content-range': `bytes ${begin}-2999999/3000000` }),
      })
      if (isFirst) response.write(rest.subarray(0, 2_500_000), () => response.destroy())
      else response.end(rest)
    }, {})
    expect((await run()).equals(newer)).toBe(true)
  })

  test('is not downloaded twice if it is whole already', async () => {
    const etag = '"v1"'
    const run = await download(
      (request, response) => {
        const isWhole = request.headers.range === `bytes=${old.length}-`
        if (isWhole) response.writeHead(416, { etag, 'content-range': 'bytes */3000000' }).end()
        else response.writeHead(200, { etag, 'content-length': old.length }).end(old)
      },
      { version: etag },
    )
    await run()
    expect((await run()).equals(old)).toBe(true)
    expect(ranges).toEqual([undefined, `bytes=${old.length}-`])
  })
})
