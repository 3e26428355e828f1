import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { randomGguf } from '../../test/support/gguf/random-gguf.ts'
import { ggufBytes } from '../../test/support/gguf/write-gguf.ts'
import { startForwardProxy } from '../../test/support/hub/forward-proxy.ts'
import { sha256Of } from '../../test/support/hub/local-hub.ts'
import { newFolder, pull, startHub, stored } from '../../test/support/hub/pull.ts'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { openDatabase } from '../storage/database.ts'
import { silentLogger } from '../telemetry/logger.ts'
import { ModelAdministration } from './administration/model-administration.ts'
import { supportsProxies } from './hub/http.ts'
import { openHub } from './hub/open-hub.ts'
import { listPartialPulls } from './partial-pulls.ts'
import { findPulled, folderOf, listPulled, writeManifest } from './store.ts'

const repo = 'someone/Tiny-GGUF'
const small = randomGguf()
/** A list of tokens of more than 1 MiB, as in models of large vocabularies. */
const manyTokens = Array.from({ length: 60_000 }, (_, index) => `token number ${index}`)
const large = Buffer.concat([small, Buffer.alloc(3_000_000, 7)])

/** Returns options of a pull that stop it after a megabyte. */
function stopsEarly() {
  const stopping = new AbortController()
  const listener = {
    onPlan() {},
    onPause() {},
    onBytes: (bytes: number) => bytes > 1_000_000 && stopping.abort(),
  }
  return { signal: stopping.signal, listener }
}

test('a model is pulled from the hub by its quantisation, and its token stays at the hub', async () => {
  const files = { 'Tiny-Q4_0.gguf': small, 'Tiny-Q8_0.gguf': large, 'mmproj-Tiny-Q8_0.gguf': small }
  const hub = await startHub({ [repo]: { files, gated: true, licence: 'mit' } })
  const dataDir = newFolder()
  const environment = { HF_TOKEN: hub.token }
  const { model } = await pull(hub, `hf:${repo}:q8_0`, dataDir, { environment })
  expect(model).toMatchObject({
    name: 'tiny-q8_0',
    licence: 'mit',
    quantisation: 'Q8_0',
    files: [{ name: 'Tiny-Q8_0.gguf', bytes: large.length, sha256: sha256Of(large) }],
  })
  expect(stored(dataDir, 'tiny-q8_0', 'Tiny-Q8_0.gguf').equals(large)).toBe(true)
  expect(listPulled(dataDir)).toEqual([model])
  expect(readdirSync(folderOf(dataDir, model.name)).toSorted()).toEqual([
    '.lock',
    '.lock-use',
    'Tiny-Q8_0.gguf',
    'model.json',
  ])
  expect(hub.requests.map(({ host, authorization }) => [host, authorization])).toEqual([
    ['hub', 'Bearer hf_test'],
    ['hub', 'Bearer hf_test'],
    ['storage', undefined],
  ])
  expect(await pull(hub, `hf:${repo}:q8_0`, dataDir, { environment })).toEqual({
    model,
    wasThere: true,
  })
})

test('a cut connection goes on where it ended', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': large } } })
  hub.faults.push(
    { type: 'cut', afterBytes: 1_000_000 },
    { type: 'status', status: 503 },
    { type: 'cut', afterBytes: 500_000 },
  )
  const dataDir = newFolder()
  await pull(hub, `hf:${repo}`, dataDir)
  expect(stored(dataDir, 'tiny-q8_0', 'a-Q8_0.gguf').equals(large)).toBe(true)
  const begins = hub.requests
    .filter(({ host }) => host === 'storage')
    .map(({ range = 'bytes=0-' }) => Number(range.slice(6, -1)))
  expect(begins).toEqual(begins.toSorted((a, b) => a - b))
  expect(begins).toHaveLength(4)
  // A broken connection loses only the bytes between socket and disk.
  expect(hub.bytesSent - large.length).toBeLessThan(400_000)
})

test('a stopped pull goes on in the next one, and leaves no model until then', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': large } } })
  const dataDir = newFolder()
  await expect(pull(hub, `hf:${repo}`, dataDir, stopsEarly())).rejects.toThrow('aborted')
  expect(listPulled(dataDir)).toEqual([])
  expect(existsSync(join(folderOf(dataDir, 'tiny-q8_0'), 'a-Q8_0.gguf'))).toBe(false)
  await pull(hub, `hf:${repo}`, dataDir)
  expect(stored(dataDir, 'tiny-q8_0', 'a-Q8_0.gguf').equals(large)).toBe(true)
  expect(Number(hub.requests.at(-1)?.range?.slice(6, -1))).toBeGreaterThan(1_000_000)
})

test('without a quantisation, an unfinished pull goes on, and a finished one is kept, whatever memory is free', async () => {
  const files = { 'a-Q8_0.gguf': large, 'a-Q4_0.gguf': small }
  const hub = await startHub({ [repo]: { files } })
  const dataDir = newFolder()
  await expect(pull(hub, `hf:${repo}:Q8_0`, dataDir, stopsEarly())).rejects.toThrow('aborted')
  // Too little for any of them.
  const availableBytes = 1
  expect((await pull(hub, `hf:${repo}`, dataDir, { availableBytes })).model.name).toBe('tiny-q8_0')
  expect(await pull(hub, `hf:${repo}`, dataDir, { availableBytes })).toMatchObject({
    wasThere: true,
  })
  await expect(pull(hub, `hf:${repo}`, newFolder(), { availableBytes })).rejects.toThrow('needs')
})

test('a busy hub is asked again after the time that it names, and not if that is long', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const busy = (seconds: string) =>
    ({ type: 'status', status: 429, headers: { 'retry-after': seconds } }) as const
  const pauses: number[] = []
  const listener = {
    onPlan() {},
    onBytes() {},
    onPause: (_: string, pauseMs: number) => pauses.push(pauseMs),
  }
  hub.faults.push({ ...busy('0'), ofApi: true }, busy('1'))
  await pull(hub, `hf:${repo}`, newFolder(), { listener })
  expect(pauses).toEqual([1000])
  hub.faults.push(busy('3600'))
  await expect(pull(hub, `hf:${repo}`, newFolder())).rejects.toThrow(
    /answers 429. What was downloaded is kept: pull it again to go on\.$/,
  )
})

test('a wrong checksum deletes the download and leaves the earlier model as it was', async () => {
  const dataDir = newFolder()
  const good = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const { model } = await pull(good, `hf:${repo}`, dataDir)
  const bad = await startHub({
    [repo]: {
      files: { 'a-Q8_0.gguf': large },
      claims: { 'a-Q8_0.gguf': { sha256: 'ab'.repeat(32) } },
    },
  })
  await expect(pull(bad, `hf:${repo}`, dataDir)).rejects.toThrow(
    `a-Q8_0.gguf has the SHA-256 ${sha256Of(large)} and should have ${'ab'.repeat(32)}, so it was deleted.`,
  )
  expect(findPulled(dataDir, 'tiny-q8_0')).toEqual(model)
  expect(stored(dataDir, 'tiny-q8_0', 'a-Q8_0.gguf').equals(small)).toBe(true)
  expect(
    readdirSync(folderOf(dataDir, 'tiny-q8_0')).filter((name) => name.endsWith('.part')),
  ).toEqual([])
})

test('a new version that cannot be described on the disk leaves the earlier model as it was', async () => {
  const dataDir = newFolder()
  const first = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const { model } = await pull(first, `hf:${repo}`, dataDir)
  mkdirSync(join(folderOf(dataDir, model.name), 'model.json.new'))
  const second = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': large } } })
  await expect(pull(second, `hf:${repo}`, dataDir)).rejects.toThrow('EISDIR')
  expect(findPulled(dataDir, model.name)).toEqual(model)
  expect(stored(dataDir, model.name, 'a-Q8_0.gguf').equals(small)).toBe(true)
})

test('a licence and paths of the hub are bounded, and have no control characters', async () => {
  const files = {
    'a-Q8_0.gguf': small,
    [`${'a'.repeat(300)}-Q4_0.gguf`]: small,
    [`${'folder/'.repeat(80)}a-Q4_1.gguf`]: small,
  }
  const licence = `\u001B[2Jmit\u202E${'x'.repeat(100)}`
  const hub = await startHub({ [repo]: { files, licence } })
  await expect(pull(hub, `hf:${repo}:Q2_K`, newFolder())).rejects.toThrow('It has Q8_0.')
  const { model } = await pull(hub, `hf:${repo}`, newFolder())
  expect(model.licence).toBe(`\uFFFD[2Jmit\uFFFD${'x'.repeat(56)}`)
})

test('the signature of a URL is kept to resume its pull, and is in no model', async () => {
  const hub = await startHub({ [repo]: { files: { 'a.gguf': large } } })
  const url = `${hub.storageUrl}/${repo}/a.gguf`
  const dataDir = newFolder()
  await expect(pull(hub, `${url}?signature=secret`, dataDir, stopsEarly())).rejects.toThrow(
    'aborted',
  )
  expect(listPartialPulls(dataDir)).toMatchObject([{ model: `${url}?signature=secret` }])
  const database = await openDatabase(dataDir)
  onTestFinished(() => database.close())
  const administration = new ModelAdministration({
    dataDir,
    database,
    openHub: () => openHub({ HF_ENDPOINT: hub.url }, 1),
    logger: silentLogger,
    modelSwitch: () => undefined,
    settings: () => ({ kind: 'scripted' }) as EngineSettings,
  })
  expect(administration.overview().pulls).toMatchObject([{ model: url, state: 'stopped' }])
  const { model } = await pull(hub, `${url}?signature=secret`, dataDir)
  expect(model.source).toBe(url)
  // Earlier versions stored the signature.
  await writeManifest(dataDir, { ...model, source: `${url}?signature=secret` })
  expect(listPulled(dataDir)).toMatchObject([{ source: url }])
})

test('a length that is not the one of the hub is refused before a byte is written', async () => {
  const claims = { 'a-Q8_0.gguf': { bytes: small.length + 1 } }
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small }, claims } })
  const dataDir = newFolder()
  await expect(pull(hub, `hf:${repo}`, dataDir)).rejects.toThrow(/^The server sends .* for a-Q8_0/)
  expect(listPulled(dataDir)).toEqual([])
})

test('a gated repository and one that does not exist are refused with what to do', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small }, gated: true } })
  await expect(pull(hub, `hf:${repo}`, newFolder())).rejects.toThrow(
    `${repo} is gated. Accept its terms at ${hub.url}/${repo}, then set HF_TOKEN to a token of your account.`,
  )
  await expect(pull(hub, 'hf:someone/else', newFolder())).rejects.toThrow(
    /has no someone\/else, or does not show it \(401\)\. Check the name; a private one needs HF_TOKEN\.$/,
  )
  await expect(
    pull(hub, 'hf:someone/else', newFolder(), { environment: { HF_TOKEN: hub.token } }),
  ).rejects.toThrow(/\(404\)\. Check the name, and that HF_TOKEN is valid/)
})

test('a file that changes at its URL between two ranges is downloaded anew', async () => {
  const hub = await startHub({ [repo]: { files: { 'a.gguf': large } } })
  const newer = Buffer.concat([small, Buffer.alloc(3_000_000, 8)])
  hub.faults.push({ type: 'cut', afterBytes: 2_000_000 }, { type: 'content', content: newer })
  const dataDir = newFolder()
  const { model } = await pull(hub, `${hub.storageUrl}/${repo}/a.gguf`, dataDir)
  expect(model).toMatchObject({ name: 'a', source: `${hub.storageUrl}/${repo}/a.gguf` })
  expect(model.files[0]?.sha256).toBe(sha256Of(newer))
  expect(stored(dataDir, 'a', 'a.gguf').equals(newer)).toBe(true)
  // The requests: a HEAD, one that got the start of the old file, and one whose `If-Range` got the whole new file.
  expect(hub.requests).toHaveLength(3)
})

test.each([
  ['%zz.gguf', '%zz.gguf is not a file name: after a % come two hexadecimal digits.'],
  ['%E0%A4%A.gguf', 'is not a file name'],
])('a URL whose file is %s is refused in a sentence', async (file, message) => {
  const hub = await startHub({})
  await expect(pull(hub, `${hub.storageUrl}/${repo}/${file}`, newFolder())).rejects.toThrow(message)
})

test('a URL whose file has too long a name is refused before a request', async () => {
  const hub = await startHub({})
  const url = `${hub.storageUrl}/${repo}/${'a'.repeat(240)}.gguf`
  await expect(pull(hub, url, newFolder())).rejects.toThrow('a name of more than 237 characters')
  expect(hub.requests).toEqual([])
})

test('the file of a URL may begin with a sign', async () => {
  const hub = await startHub({ [repo]: { files: { '+a.gguf': small } } })
  const dataDir = newFolder()
  const { model } = await pull(hub, `${hub.storageUrl}/${repo}/+a.gguf`, dataDir, { name: 'a' })
  expect(model.files[0]?.name).toBe('_+a.gguf')
  expect(findPulled(dataDir, 'a')).toEqual(model)
})

test('the file of a URL must have the checksum that was named', async () => {
  const hub = await startHub({ [repo]: { files: { 'a.gguf': small } } })
  const url = `${hub.storageUrl}/${repo}/a.gguf`
  await expect(pull(hub, url, newFolder(), { sha256: 'cd'.repeat(32) })).rejects.toThrow(
    'so it was deleted',
  )
  const { model } = await pull(hub, url, newFolder(), { sha256: sha256Of(small) })
  expect(model.name).toBe('a')
})

test.each([
  ['an embedding model', { 'general.architecture': 'nomic-bert' }, 'it is an embedding or ranking'],
  [
    'a model with pooling',
    { 'general.architecture': 'qwen3', 'qwen3.pooling_type': 3 },
    'it is an embedding or ranking',
  ],
  ['a vision part', { 'general.architecture': 'clip' }, 'it is the vision part'],
  [
    'an adapter',
    { 'general.architecture': 'llama', 'general.type': 'adapter' },
    'it is of the type "adapter"',
  ],
  [
    'an unknown architecture',
    { 'general.architecture': 'orchid9' },
    'does not know its architecture "orchid9"',
  ],
  ['no architecture', {}, 'its header names no architecture'],
  [
    'an embedding model whose header has more than 1 MiB',
    { 'general.architecture': 'nomic-bert', 'tokenizer.ggml.tokens': manyTokens },
    'it is an embedding or ranking',
  ],
  [
    'an unknown architecture whose header has more than 1 MiB',
    { 'general.architecture': 'orchid9', 'tokenizer.ggml.tokens': manyTokens },
    'does not know its architecture "orchid9"',
  ],
])('%s is refused after the first bytes', async (_, metadata, cause) => {
  const content = Buffer.concat([ggufBytes(metadata, []), Buffer.alloc(12_000_000)])
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': content } } })
  const dataDir = newFolder()
  await expect(pull(hub, `hf:${repo}`, dataDir)).rejects.toThrow(cause)
  expect(hub.bytesSent).toBeLessThan(content.length)
  expect(existsSync(folderOf(dataDir, 'tiny-q8_0'))).toBe(false)
})

test('a model whose header has more than 1 MiB is pulled, wherever its architecture is named', async () => {
  for (const metadata of [
    { 'general.architecture': 'llama', 'tokenizer.ggml.tokens': manyTokens },
    { 'tokenizer.ggml.tokens': manyTokens, 'general.architecture': 'llama' },
  ]) {
    const content = Buffer.concat([ggufBytes(metadata, []), Buffer.alloc(3_000_000)])
    const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': content } } })
    const { model } = await pull(hub, `hf:${repo}`, newFolder())
    expect(model.files[0]?.bytes).toBe(content.length)
  }
})

test('a file that is not GGUF is refused', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': Buffer.from('<html>sign in') } } })
  await expect(pull(hub, `hf:${repo}`, newFolder())).rejects.toThrow(
    'a-Q8_0.gguf cannot be used: it is not a GGUF file. Choose another file.',
  )
})

test('all parts of a split model are pulled together', async () => {
  const second = Buffer.from('GGUF second part')
  const files = { 'q/b-Q8_0-00001-of-00002.gguf': small, 'q/b-Q8_0-00002-of-00002.gguf': second }
  const hub = await startHub({ [repo]: { files } })
  const dataDir = newFolder()
  const { model } = await pull(hub, `hf:${repo}`, dataDir)
  expect(model.files.map(({ name }) => name)).toEqual([
    'b-Q8_0-00001-of-00002.gguf',
    'b-Q8_0-00002-of-00002.gguf',
  ])
  expect(stored(dataDir, 'tiny-q8_0', 'b-Q8_0-00002-of-00002.gguf').equals(second)).toBe(true)
})

test('a download without enough space on the disk is refused before it begins', async () => {
  const claims = { 'a-Q8_0.gguf': { bytes: 1e15 } }
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small }, claims } })
  await expect(pull(hub, `hf:${repo}:Q8_0`, newFolder())).rejects.toThrow(
    /^The download needs 1\.01 PB of space .* are free in .* Free some space, or choose a smaller model\.$/,
  )
  expect(hub.requests.filter(({ host }) => host === 'storage')).toEqual([])
})

test('a folder that cannot be written, and a hub that cannot be reached, are named', async () => {
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  await expect(pull(hub, `hf:${repo}`, file)).rejects.toThrow(
    /is not a directory\. Set PIPIT_DATA_DIR/,
  )
  await expect(pull({ url: 'http://127.0.0.1:1' }, `hf:${repo}`, newFolder())).rejects.toThrow(
    /^127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\. Check the network\./,
  )
})

test('a proxy of the environment is used for http and https, and not for the hosts of NO_PROXY', async ({
  skip,
}) => {
  skip(!supportsProxies, `Node ${process.versions.node} cannot use a proxy`)
  const hub = await startHub({ [repo]: { files: { 'a-Q8_0.gguf': small } } })
  const proxy = await startForwardProxy()
  onTestFinished(() => proxy.close())
  const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }
  await pull(hub, `hf:${repo}`, newFolder(), { environment })
  const { host } = new URL(hub.url)
  const storage = new URL(hub.storageUrl).host
  expect(new Set(proxy.hosts)).toEqual(new Set([host, storage]))
  proxy.hosts.length = 0
  await pull(hub, `hf:${repo}`, newFolder(), {
    environment: { ...environment, NO_PROXY: '127.0.0.1' },
  })
  expect(proxy.hosts).toEqual([])
  // The hub has no TLS, so this can show only that the proxy is asked for a tunnel.
  const secure = { url: hub.url.replace('http:', 'https:') }
  await expect(pull(secure, `hf:${repo}`, newFolder(), { environment })).rejects.toThrow(
    'cannot be reached',
  )
  expect(proxy.hosts).toContain(host)
})
