import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { panelFolder } from '../../src/paths.ts'
import { Flood, GoodClient } from '../support/http/connection-floods.ts'
import { residentBytes, startProcess, type ServeProcess } from '../support/process.ts'
import { recordFinding } from '../support/reliability.ts'

let service: ServeProcess
let flood = new Flood()
beforeAll(async () => {
  service = await startProcess({ PIPIT_ENGINE: 'scripted', PIPIT_LOG_LEVEL: 'silent' })
})
afterEach(() => {
  flood.close()
  flood = new Flood()
})
afterAll(() => service.dispose())

const mib = 1024 * 1024
const toMib = (bytes: number) => `${(bytes / mib).toFixed(1)} MiB`
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

/** Returns the path of the panel's largest file. */
function largestAsset(): string {
  const folder = join(panelFolder, 'assets')
  const sizeOf = (name: string) => statSync(join(folder, name)).size
  const [name] = readdirSync(folder).toSorted((a, b) => sizeOf(b) - sizeOf(a))
  return `/panel/assets/${name}`
}

/** Returns the number of connections that the service has closed for the reason. */
function cuts(reason: string): Promise<number> {
  return metric(`pipit_http_connections_cut_total{reason="${reason}"} `)
}

function openConnections(): Promise<number> {
  return metric('pipit_http_connections ')
}

async function metric(name: string): Promise<number> {
  const line = (await service.metrics()).split('\n').find((text) => text.startsWith(name))
  return Number(line?.slice(name.length) ?? 0)
}

/** Samples the service's memory until the returned function is called, which returns the largest growth in bytes. */
function watchMemory() {
  const before = residentBytes(service.pid)
  let peak = before
  const sample = () => (peak = Math.max(peak, residentBytes(service.pid)))
  const timer = setInterval(sample, 10)
  return () => {
    clearInterval(timer)
    sample()
    return peak - before
  }
}

test.each([
  ['scripts of the panel', largestAsset()],
  ['the description of the API', '/openapi.json'],
])(
  '100 connections that pipeline requests for %s and read nothing cost at most 50 MiB (T13, T14, F10, T45)',
  async (name, path) => {
    expect((await fetch(service.url + path)).status).toBe(200)
    const growth = watchMemory()
    const before = await cuts('pipelined')
    const text = get(path)
    await flood.open(service.url, 100, text.repeat(Math.floor(56_000 / text.length)))
    await expect.poll(() => cuts('pipelined'), { timeout: 20_000 }).toBe(before + 100)
    const grown = growth()
    expect(grown).toBeLessThan(50 * mib)
    recordFinding('T45', `100 connections, ${name}: ${toMib(grown)} more memory.`)
    // A client below the maximum of unanswered requests keeps its connection, at little cost.
    const growthBelow = watchMemory()
    await flood.open(service.url, 100, text.repeat(16))
    expect((await fetch(service.url + path)).status).toBe(200)
    expect(growthBelow()).toBeLessThan(50 * mib)
    expect(await cuts('pipelined')).toBe(before + 100)
  },
)

test('100 connections whose clients read nothing are closed, and their memory is free again (T13, T14, T45)', async () => {
  const path = largestAsset()
  const requests = get(path).repeat(16)
  // Warm-up: the first floods compile the code and grow the heap to the size that a flood needs.
  for (let warmUp = 0; warmUp < 4; warmUp += 1) {
    await flood.open(service.url, 100, requests)
    expect((await fetch(service.url + path)).status).toBe(200)
    flood.close()
    await expect.poll(openConnections).toBeLessThan(10)
  }
  const unreadBefore = await cuts('unread')
  const bytesBefore = residentBytes(service.pid)
  const startMs = performance.now()
  await flood.open(service.url, 100, requests)
  // Takes at most 10 s on an idle machine, because two periods of Node's timer fit into the time limit of an unread
  // response. If they did not, it would take 20 s.
  await expect.poll(() => cuts('unread'), { timeout: 15_000 }).toBe(unreadBefore + 100)
  const cutMs = performance.now() - startMs
  const kept = () => residentBytes(service.pid) - bytesBefore
  await expect.poll(kept, { timeout: 10_000 }).toBeLessThan(10 * mib)
  expect(await openConnections()).toBeLessThan(10)
  recordFinding(
    'T45',
    `100 unread connections: closed after ${(cutMs / 1000).toFixed(1)} s, ${toMib(kept())} more memory than before.`,
  )
})

// Each address exceeds its maximum of connections, and both together fill the service.
const floods = ['127.0.0.1', '127.0.0.3'].flatMap((address) => [
  { address, text: '' },
  { address, text: 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ' },
  { address, text: get('/healthz') },
])

test('4,800 idle connections of two addresses keep no other client out, of these addresses or others (T14, F11, T46)', async () => {
  const good = ['127.0.0.1', '127.0.0.2'].flatMap((address) =>
    [true, false].map((keepAlive) => new GoodClient(service.url, address, { keepAlive })),
  )
  try {
    for (const { address, text } of floods) await flood.open(service.url, 800, text, address)
    const served = good.map(({ outcomes }) => outcomes.length)
    await expect
      .poll(() => good.every(({ outcomes }, i) => outcomes.length > served[i]! + 20), {
        timeout: 30_000,
      })
      .toBe(true)
  } finally {
    await Promise.all(good.map((client) => client.stop()))
  }
  expect(await cuts('replaced')).toBeGreaterThan(100)
  for (const { outcomes } of good) expect(new Set(outcomes)).toEqual(new Set([200]))
  const slowestMs = Math.max(...good.map((client) => client.slowestMs))
  recordFinding(
    'T46',
    `4,800 idle connections: ${good.length} other clients got 200 each time, after ${Math.round(slowestMs)} ms at most.`,
  )
}, 60_000)
